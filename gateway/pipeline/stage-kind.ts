import type { z } from 'zod'

/** What checking and planning must know of a pre-built stage; its definition has this shape. */
export interface StageKind {
  readonly use: string
  readonly summary: string
  readonly inputs: z.ZodType
  /** Whether `async: true` is honoured; else the stage runs synchronously. */
  readonly mayBeAsync?: boolean
  /** `guard`: runs before every other stage wherever it stands. */
  readonly position?: 'guard'
  /** The category every route must have for the stage to make sense. */
  readonly needsCategory?: string
}
