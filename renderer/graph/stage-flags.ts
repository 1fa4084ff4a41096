import type { StageModel } from '../../gateway/contract/pipeline.ts'

/** What is unusual about a stage, as a glyph and words each; that it is async stands beside its kind. */
export function stageFlags(stage: StageModel) {
  const flags: { label: string; icon: string }[] = []
  if (!stage.enabled) flags.push({ label: 'disabled', icon: 'circle-slash' })
  if (stage.triggerExpression !== undefined)
    flags.push({ label: `runs if ${stage.triggerExpression}`, icon: 'filter' })
  if (!stage.continueOnError) flags.push({ label: 'a failure stops the run', icon: 'stop-circle' })
  return flags
}
