import { z } from 'zod'

/** The parameters of a query string; others are refused by name. */
export const queryOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `"${issue.keys.join('", "')}" is no parameter of this call; there are ${Object.keys(shape).join(', ')}`
        : undefined,
  })

/** A whole number from 0 on; `usual` when it is left out. */
export const wholeNumber = (usual: number, about: string) =>
  z
    .string()
    .describe(`${about}; ${usual} when left out`)
    .regex(/^\d{1,15}$/, {
      error: ({ input }) => `"${String(input)}" is no whole number from 0 on`,
    })
    .transform(Number)
    .default(usual)

/** One of a list of words. */
export const oneOf = <Words extends z.core.util.EnumLike>(words: z.ZodEnum<Words>) =>
  z.enum(words.enum, {
    error: ({ input }) => `"${String(input)}" is none of ${words.options.join(', ')}`,
  })

/** A day in UTC, written `yyyy/MM/dd` or with dashes; becomes `yyyy-MM-dd`. */
export const Day = z
  .string()
  .describe('A day in UTC, yyyy/MM/dd; the range includes it')
  .transform((text, context) => {
    const day = text.replaceAll('/', '-')
    const isDay = /^\d{4}([/-])\d\d\1\d\d$/.test(text) && toIsoDay(day) === day
    if (!isDay)
      context.addIssue({
        code: 'custom',
        message: `"${text}" is no day of the calendar, written yyyy/MM/dd`,
      })
    return day
  })

/** Refuses a range whose end lies before its start. */
export const inOrder =
  <Start extends string, End extends string>(start: Start, end: End) =>
  (query: { [key in Start | End]?: string | undefined }, context: z.RefinementCtx) => {
    const [from, to] = [query[start], query[end]]
    if (from !== undefined && to !== undefined && from > to)
      context.addIssue({
        code: 'custom',
        path: [start],
        message: `"${from}" lies after ${end}, which is "${to}"`,
      })
  }

/** The day as the calendar knows it: the 31st of a short month becomes another day. */
function toIsoDay(day: string) {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
}
