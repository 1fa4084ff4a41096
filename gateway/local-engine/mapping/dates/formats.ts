import { compilePattern, type DateFormat } from './pattern.ts'
import { weekDate } from './week-date.ts'

const ISO_TIME = '(?:T(?:(?<H>D2)(?::(?<m>D2)(?::(?<s>D2)(?:[.,](?<S>\\d{1,9}))?)?)?)?(?<z>ZONE)?)?'
const ISO = `^(?<y>YEAR)(?:-(?<M>D2)(?:-(?<d>D2)${ISO_TIME})?)?$`
const ZONE = 'Z|[+-]\\d{2}(?::?\\d{2})?(?::?\\d{2})?'

const isoRegex = (year: string, digits: string) =>
  new RegExp(ISO.replace('YEAR', year).replaceAll('D2', digits).replace('ZONE', ZONE))

const optionalNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text))

const isoPrinter = compilePattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")

const iso = (regex: RegExp): DateFormat => ({
  parse(text) {
    const found = regex.exec(text)?.groups
    if (!found) return undefined
    const fraction = found['S']
    return {
      year: Number(found['y']),
      month: optionalNumber(found['M']),
      day: optionalNumber(found['d']),
      hour: optionalNumber(found['H']),
      minute: optionalNumber(found['m']),
      second: optionalNumber(found['s']),
      milli: fraction === undefined ? undefined : Number(fraction.padEnd(3, '0').slice(0, 3)),
      zone: found['z'],
    }
  },
  print: isoPrinter.print,
})

const epoch = (factor: number): DateFormat => ({
  parse: (text) =>
    /^-?\d{1,16}(?:\.\d+)?$/.test(text)
      ? { epochMs: Math.floor(Number((Number(text) * factor).toPrecision(17))) }
      : undefined,
  print: (ms) => String(factor === 1 ? ms : Math.floor(ms / factor)),
})

const strictIso = iso(isoRegex('\\d{4}|[+-]\\d{4,9}', '\\d{2}'))

const looseWeekDate = weekDate(/^(-?\d{4})-W(\d{1,2})-([1-7])$/, '-')
const strictWeekDate = weekDate(/^(-?\d{4})-W(\d{2})-([1-7])$/, '-')

/** Formats that are not patterns. */
const SPECIAL = new Map<string, DateFormat>(
  Object.entries({
    strict_date_optional_time: strictIso,
    strict_date_optional_time_nanos: strictIso,
    date_optional_time: iso(isoRegex('[+-]?\\d{1,9}', '\\d{1,2}')),
    iso8601: strictIso,
    week_date: looseWeekDate,
    weekyear_week_day: looseWeekDate,
    strict_week_date: strictWeekDate,
    strict_weekyear_week_day: strictWeekDate,
    basic_week_date: weekDate(/^(-?\d{4})W(\d{1,2})([1-7])$/, ''),
    strict_basic_week_date: weekDate(/^(-?\d{4})W(\d{2})([1-7])$/, ''),
    epoch_millis: epoch(1),
    epoch_second: epoch(1000),
  }),
)

const T = "'T'"
/** Names that stand for a pattern; without `strict_` one digit is enough where two are usual. */
const PATTERNS = new Map(
  Object.entries({
    basic_date: 'yyyyMMdd',
    basic_date_time: `yyyyMMdd${T}HHmmss.SSSX`,
    basic_date_time_no_millis: `yyyyMMdd${T}HHmmssX`,
    basic_ordinal_date: 'yyyyDDD',
    strict_date: 'yyyy-MM-dd',
    strict_date_hour: `yyyy-MM-dd${T}HH`,
    strict_date_hour_minute: `yyyy-MM-dd${T}HH:mm`,
    strict_date_hour_minute_second: `yyyy-MM-dd${T}HH:mm:ss`,
    strict_date_hour_minute_second_millis: `yyyy-MM-dd${T}HH:mm:ss.SSS`,
    strict_date_hour_minute_second_fraction: `yyyy-MM-dd${T}HH:mm:ss.SSS`,
    strict_date_time: `yyyy-MM-dd${T}HH:mm:ss.SSSXXX`,
    strict_date_time_no_millis: `yyyy-MM-dd${T}HH:mm:ssXXX`,
    strict_hour: 'HH',
    strict_hour_minute: 'HH:mm',
    strict_hour_minute_second: 'HH:mm:ss',
    strict_ordinal_date: 'yyyy-DDD',
    strict_year: 'yyyy',
    strict_year_month: 'yyyy-MM',
    strict_year_month_day: 'yyyy-MM-dd',
  }),
)

const compiled = new Map<string, DateFormat[]>()

function one(name: string): DateFormat {
  const bare = name.startsWith('8') ? name.slice(1) : name
  const special = SPECIAL.get(bare)
  if (special) return special
  const strict = PATTERNS.get(bare)
  if (strict) return compilePattern(strict)
  const lenient = PATTERNS.get(`strict_${bare}`)
  if (!lenient) return compilePattern(bare)
  const reader = compilePattern(lenient.replace(/([MdHms])\1/g, '$1').replace('yyyy', 'y'))
  return { parse: reader.parse, print: compilePattern(lenient).print }
}

/**
 * The alternatives of a mapped format, `||` between them.
 * @throws {EngineFailure} unsupported_feature_exception for a pattern it cannot read.
 */
export function dateFormats(format: string): readonly DateFormat[] {
  const known = compiled.get(format)
  if (known) return known
  const alternatives = format.split('||').map(one)
  compiled.set(format, alternatives)
  return alternatives
}
