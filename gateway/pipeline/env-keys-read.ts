import type { PipelineDefinition } from '../contract/pipeline.ts'

/**
 * Which of these global envs a pipeline may read: a script names them, or a dynamic input or an
 * expression does, or a check of its own variables. A key the pipeline's own `envs` has is not read
 * from outside. Names are looked for as whole words, so it may say yes too often, never too seldom
 * unless a name is put together while running.
 */
export function envKeysRead(
  { envs, stages, trigger, global_envs = [] }: PipelineDefinition,
  scripts: readonly string[],
  keys: readonly string[],
): string[] {
  const own = new Set(Object.keys(envs ?? {}))
  const texts = [...scripts]
  if (trigger?.expression) texts.push(trigger.expression)
  for (const stage of stages) {
    if (stage.script !== undefined) texts.push(stage.script)
    if (stage.trigger?.expression) texts.push(stage.trigger.expression)
    texts.push(...textsIn(stage.inputs).filter((text) => text.includes('{{')))
  }
  for (const { validate } of global_envs)
    texts.push(...textsIn(validate).filter((text) => text.includes('${')))
  return keys.filter((key) => !own.has(key) && texts.some((text) => hasWord(text, key)))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const hasWord = (text: string, word: string) =>
  new RegExp(`(?<![\\w$])${RegExp.escape(word)}(?![\\w$])`).test(text)
