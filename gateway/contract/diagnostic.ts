import { z } from 'zod'

/** Where in a file of the user a problem was found. Lines and columns are 1-based, ends exclusive. */
export const SourceRange = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  endLine: z.number(),
  endColumn: z.number(),
})
export type SourceRange = z.infer<typeof SourceRange>

/** A change of the text that mends a problem. Its edits belong together and do not overlap. */
export const Fix = z.object({
  /** What it does, in the words of a menu: `Change to "replaceWords"`. */
  title: z.string(),
  edits: z.array(z.object({ range: SourceRange, text: z.string() })),
})
export type Fix = z.infer<typeof Fix>

/** A mistake in a file of the user, as a value with a position. */
export const Diagnostic = z.object({
  severity: z.enum(['error', 'warning', 'information']),
  /** Stable name of the kind of problem, such as `unknown-use` or `needs-cycle`. */
  code: z.string(),
  message: z.string(),
  source: SourceRange,
  /** Absent where only the author can know what was meant. */
  fix: Fix.optional(),
})
export type Diagnostic = z.infer<typeof Diagnostic>
