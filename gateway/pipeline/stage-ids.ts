import { canonicalName } from './dialect.ts'
import { isRaw, textOf } from './raw.ts'

/** The id a stage goes by: its own, else the name it uses as its author wrote it. */
export const writtenId = (stage: unknown): string | undefined =>
  isRaw(stage) ? textOf(stage['id'] ?? stage['use'] ?? stage['uses']) : undefined

/** The id that an entry of `needs` means: a stage without id may be called by its other name. */
export function neededId(need: unknown, ids: readonly (string | undefined)[]): string | undefined {
  const name = textOf(need)
  if (name === undefined || ids.includes(name)) return name
  const canonical = canonicalName('use', name)
  return ids.find((id) => id !== undefined && canonicalName('use', id) === canonical) ?? name
}
