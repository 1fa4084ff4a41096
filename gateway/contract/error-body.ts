import { z } from 'zod'
import { Diagnostic } from './diagnostic.ts'

/** A position in a file of the user, 1-based; where a mistake ends is known of texts only. */
export const ErrorSource = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  endLine: z.number().optional(),
  endColumn: z.number().optional(),
})
export type ErrorSource = z.infer<typeof ErrorSource>

/** Every error answer. `code` is the HTTP status; `type` is the stable code to program against. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.number(),
    status: z.string(),
    message: z.string(),
    type: z.string(),
    stageId: z.string().optional(),
    source: ErrorSource.optional(),
    /** Everything that is wrong with a text that was refused. */
    diagnostics: z.array(Diagnostic).optional(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>
