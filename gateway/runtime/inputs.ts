import type { Context } from '../contract/context.ts'
import { errors } from '../errors.ts'
import type { PlannedStage } from '../pipeline/plan.ts'
import type { Template } from '../pipeline/template.ts'
import type { StageDefinition } from '../stages/define.ts'

/**
 * A stage's inputs for one run: dynamic parts filled in, then validated. Constant inputs were
 * validated when the plan was made.
 * @throws {GatewayError} INPUT_UNKNOWN when a name has no value, INPUTS_INVALID when a value is wrong.
 */
export function toInputs(stage: PlannedStage<StageDefinition>, context: Context): unknown {
  if (stage.inputs.kind === 'constant') return stage.inputs.value
  const value = expand(stage.inputs, context, (name, path) =>
    errors.inputUnknown(`Stage "${stage.id}" reads {{${name}}}, which has no value`, {
      stageId: stage.id,
      source: stage.locateInput(path),
    }),
  )
  const parsed = stage.kind?.inputs.safeParse(value)
  if (!parsed || parsed.success) return parsed?.data
  const [issue] = parsed.error.issues
  const path = (issue?.path ?? []).map(String)
  throw errors.inputsInvalid(
    `The input "${path.join('.')}" of stage "${stage.id}" is wrong once filled in: ${issue?.message}`,
    { stageId: stage.id, source: stage.locateInput(path) },
  )
}

type Unknown = (name: string, path: readonly string[]) => Error

function expand(template: Template, context: Context, unknown: Unknown): unknown {
  switch (template.kind) {
    case 'constant':
      return template.value
    case 'value':
      return valueOf(template, context, unknown)
    case 'text':
      return template.parts
        .map((part) => (typeof part === 'string' ? part : toText(valueOf(part, context, unknown))))
        .join('')
    case 'list':
      return template.items.map((item) => expand(item, context, unknown))
    default:
      return Object.fromEntries(
        template.entries.map(([key, value]) => [key, expand(value, context, unknown)]),
      )
  }
}

/** Names mean keys of the context first, then envs; `context.…` says so outright. */
function valueOf(
  { name, path }: { name: string; path: readonly string[] },
  context: Context,
  unknown: Unknown,
): unknown {
  const steps = name.split('.')
  const [first = ''] = steps
  const roots: unknown[] =
    first === 'context' && !Object.hasOwn(context, 'context')
      ? [{ context }]
      : [context, context.envs]
  for (const root of roots) {
    const whole = readOwn(root, name)
    if (whole !== undefined) return whole
    const value = steps.reduce(readOwn, root)
    if (value !== undefined) return value
  }
  throw unknown(name, path)
}

const readOwn = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? // An own key was just seen.
      (holder as Record<string, unknown>)[key]
    : undefined

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
