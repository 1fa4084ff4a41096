/** Replaces secrets in a text; given by whoever knows them. */
export type Mask = (text: string) => string

/** What stands in place of a secret. */
export const MASKED = '••••'

const SHORTEST = 4

const insideJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** A secret as it may stand in a text: as it is, inside JSON, inside an address. */
function formsOf(value: string) {
  // Parsers of addresses escape less, drop line breaks, and end a path at a question mark.
  const { pathname = '/', search = '' } = URL.parse(`http://h/${value}`) ?? {}
  const query = URL.parse(`http://h/?${value}`)?.search ?? ''
  const inAddress = [pathname.slice(1), search.slice(1), query.slice(1)]
  return new Set([
    value,
    insideJson(value),
    // A body of JSON often holds texts of JSON.
    insideJson(insideJson(value)),
    encodeURIComponent(value.toWellFormed()),
    new URLSearchParams([['', value]]).toString().slice(1),
    ...inAddress.filter(({ length }) => length >= SHORTEST),
  ])
}

/** Hides these values, those of fewer than four characters excepted; decisions.md 32. */
export function createMask(values: Iterable<string>): Mask {
  const forms = [...values]
    .filter(({ length }) => length >= SHORTEST)
    .flatMap((value) => [...formsOf(value)])
  return (text) => {
    let masked = text
    for (const form of forms) if (masked.includes(form)) masked = masked.replaceAll(form, MASKED)
    return masked
  }
}

const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
])

/** Whether a header's value is a credential, whatever it is. */
export const isSecretHeader = (name: string) => SECRET_HEADERS.has(name.toLowerCase())

/** Hides user info in addresses besides what `mask` hides. */
export const withAddresses =
  (mask: Mask): Mask =>
  (text) =>
    mask(text.includes('@') ? text.replace(/\/\/[^/\s"'@]{1,500}@/g, `//${MASKED}@`) : text)

/** A copy of a value with all its texts and keys masked, and credentials in headers replaced. */
export function maskAll<T>(value: T, mask: Mask): T {
  const walk = (value: unknown, inHeaders: boolean): unknown => {
    if (typeof value === 'string') return mask(value)
    if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
    if (Array.isArray(value)) return value.map((item) => walk(item, false))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        mask(key),
        inHeaders && isSecretHeader(key) ? MASKED : walk(item, key === 'headers'),
      ]),
    )
  }
  // Texts become texts, and everything else keeps its shape.
  return walk(value, false) as T
}
