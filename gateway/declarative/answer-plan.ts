import { z } from 'zod'
import type { TranslatedRequest } from './translate-request.ts'

/** How the answers of a translated request are found again: what is sent where, in order. */
export const AnswerPlan = z.object({
  items: z.array(
    z.object({
      kind: z.enum(['engine', 'endpoint', 'empty']),
      id: z.string(),
      /** As it stands in the header line of `_msearch`. */
      preference: z.string().optional(),
    }),
  ),
  /** Sentences about what was asked for and left out. */
  warnings: z.array(z.string()),
})
export type AnswerPlan = z.infer<typeof AnswerPlan>

/** The part of a translation that its answers need. */
export const toAnswerPlan = ({ items, warnings }: TranslatedRequest): AnswerPlan => ({
  items: items.map((item) =>
    item.kind === 'engine'
      ? { kind: item.kind, id: item.id, preference: item.preference }
      : { kind: item.kind, id: item.id },
  ),
  warnings,
})

/**
 * The items whose answers an `_msearch` of this body brings, in its order. Scripts may take lines
 * out: what is left is known by its preference.
 */
export function withoutUnsent({ items, warnings }: AnswerPlan, msearch: string): AnswerPlan {
  const preferences = msearch
    .split('\n')
    .filter((line) => line.trim() !== '')
    .filter((_line, position) => position % 2 === 0)
    .map(preferenceOf)
  if (preferences.length === items.filter(({ kind }) => kind === 'engine').length)
    return { items, warnings }
  const sent = new Set(preferences)
  return {
    items: items.filter(({ kind, preference }) => kind !== 'engine' || sent.has(preference)),
    warnings,
  }
}

const Header = z.object({ preference: z.string() })

function preferenceOf(header: string) {
  try {
    return Header.safeParse(JSON.parse(header)).data?.preference
  } catch {
    // A line of the user's script that is no header: the engine will say so.
    return undefined
  }
}
