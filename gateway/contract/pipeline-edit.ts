import { z } from 'zod'
import { Diagnostic } from './diagnostic.ts'
import { StageEntry } from './pipeline.ts'

const stage = z.string().min(1).describe('Id of a stage; its `use` name where it has no id')
const path = z.array(z.union([z.string(), z.int().min(0)])).min(1)

/**
 * One change of a pipeline's text. Stages go by the id that `StageModel` shows; a path leads from
 * the top of the text to a value, with list places as numbers.
 */
export const PipelineEdit = z.discriminatedUnion('kind', [
  /** Adds a stage at a place in the list, or at its end. */
  z.object({ kind: z.literal('addStage'), stage: StageEntry, index: z.int().min(0).optional() }),
  /** Removes a stage and its id from the `needs` of the others. */
  z.object({ kind: z.literal('removeStage'), stage }),
  /** Gives a stage another id, everywhere it is named. */
  z.object({ kind: z.literal('renameStage'), stage, id: z.string().min(1) }),
  /** Lets a stage wait for another one. */
  z.object({ kind: z.literal('connect'), stage, needs: z.string().min(1) }),
  z.object({ kind: z.literal('disconnect'), stage, needs: z.string().min(1) }),
  z.object({ kind: z.literal('setEnabled'), stage, enabled: z.boolean() }),
  /** Puts a stage at another place; `index` is its place afterwards. */
  z.object({ kind: z.literal('moveStage'), stage, index: z.int().min(0) }),
  /** Sets a value; maps on the way that do not exist yet are made. */
  z.object({ kind: z.literal('setField'), path, value: z.json() }),
  z.object({ kind: z.literal('removeField'), path }),
])
export type PipelineEdit = z.infer<typeof PipelineEdit>

/**
 * The text after an edit. An edit that cannot be made leaves the text as it was and says why in one
 * error; a warning names what the edit could not follow, such as a name inside a script.
 */
export const PipelineEditResult = z.object({ text: z.string(), diagnostics: z.array(Diagnostic) })
export type PipelineEditResult = z.infer<typeof PipelineEditResult>
