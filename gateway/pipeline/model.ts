import type { PipelineModel } from '../contract/pipeline.ts'
import type { CheckedPipeline } from './plan.ts'

/** What the workbench draws of a checked pipeline. */
export const toModel = ({ definition, sources }: CheckedPipeline): PipelineModel => ({
  pipelineId: definition.id ?? '',
  file: sources.file,
  description: definition.description,
  enabled: definition.enabled ?? true,
  priority: definition.priority ?? 0,
  routes: definition.routes.map(({ method, path, classify }) => ({
    method,
    path,
    category: classify?.category,
  })),
  stages: definition.stages.map((stage, index) => {
    const found = sources.stages[index]
    return {
      id: stage.id ?? stage.use ?? '',
      index,
      use: stage.use,
      scriptFile: found?.inline === false ? found.script?.file : undefined,
      inlineScript: found?.inline ?? false,
      async: stage.async ?? false,
      enabled: stage.enabled ?? true,
      continueOnError: stage.continueOnError ?? true,
      needs: stage.needs ?? [],
      triggerExpression: stage.trigger?.expression,
      description: stage.description,
      source: found?.range ?? sources.locate(['stages', index]),
    }
  }),
  envs: Object.keys(definition.envs ?? {}),
  globalEnvs: (definition.global_envs ?? []).map(({ key }) => key),
})
