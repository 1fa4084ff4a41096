import type { DateFormat } from './pattern.ts'

const DAY = 86_400_000

/** The Monday of the week that holds the fourth of January: the first of its year. */
function firstMonday(year: number): number {
  const fourth = new Date(Date.UTC(2000, 0, 4))
  fourth.setUTCFullYear(year)
  return fourth.getTime() - daysSinceMonday(fourth) * DAY
}

const daysSinceMonday = (date: Date) => (date.getUTCDay() + 6) % 7

/**
 * Dates as a year, a week of it and a day of that: `2020-W01-3`.
 * @param form what may be read: groups of year, week and day.
 * @param separator what is written between the three.
 */
export const weekDate = (form: RegExp, separator: string): DateFormat => ({
  parse(text) {
    const found = form.exec(text)
    if (!found) return undefined
    const [year = 0, week = 0, day = 0] = found.slice(1).map(Number)
    if (week < 1 || week > 53) return undefined
    const monday = firstMonday(year) + (week - 1) * 7 * DAY
    // Only long years have a week 53.
    if (monday >= firstMonday(year + 1)) return undefined
    const date = new Date(monday + (day - 1) * DAY)
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    }
  },
  print(ms, offsetMs) {
    const date = new Date(ms + offsetMs)
    // The Thursday of a week says which year it belongs to.
    const day = daysSinceMonday(date)
    const year = new Date(date.getTime() + (3 - day) * DAY).getUTCFullYear()
    const week = Math.floor((date.getTime() - firstMonday(year)) / (7 * DAY)) + 1
    const padded = [String(year).padStart(4, '0'), `W${String(week).padStart(2, '0')}`, day + 1]
    return padded.join(separator)
  },
})
