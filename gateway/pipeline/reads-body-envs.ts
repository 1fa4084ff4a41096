import type { PlannedScript, PlannedStage } from './plan.ts'
import { namesIn } from './template.ts'

/** Names through which a template may reach an env: the env itself, or the objects that hold it. */
const BODY_ENVS = new Set(['query', 'filters', 'type', 'customEvents', 'envs', 'context'])

/**
 * Whether anything in a pipeline may read the `envs` that are taken from a request's body. Never
 * says no wrongly; says yes when a script passes its context on.
 */
export const readsBodyEnvs = (
  stages: readonly PlannedStage[],
  scripts: readonly PlannedScript[],
): boolean =>
  scripts.some(({ text }) => mayReadEnvs(text)) ||
  stages.some(
    ({ trigger, inputs }) =>
      namesIn(inputs).some((name) => BODY_ENVS.has(name)) ||
      trigger?.names.has('context') ||
      trigger?.names.has('envs'),
  )

/** `context` followed by a member other than `envs` is no way to the envs; anything else may be. */
const mayReadEnvs = (text: string) =>
  /\bcontext\b/.test(text.replaceAll(/\bcontext\s*\??\.\s*(?!envs\b)[A-Za-z_$][\w$]*/g, '')) ||
  /\barguments\b/.test(text)
