/** Parameters of a stage, compiled once: constant parts stand, dynamic ones are read from names. */
export type Template =
  | { kind: 'constant'; value: unknown }
  /** A whole string `{{x}}`: the value itself. */
  | { kind: 'value'; name: string; path: readonly string[] }
  /** Text around names. */
  | { kind: 'text'; parts: readonly (string | { name: string; path: readonly string[] })[] }
  | { kind: 'list'; items: readonly Template[] }
  | { kind: 'map'; entries: readonly (readonly [key: string, value: Template])[] }

const DYNAMIC = /\{\{\{\s*([^{},:\s]+)\s*\}\}\}|\{\{\s*([^{},:\s]+)\s*\}\}/g

/** Whether a string, or any string inside a value, has a dynamic part. */
export function isDynamic(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{') && value.search(DYNAMIC) >= 0
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(isDynamic)
}

/** Compiles a value of a pipeline; a value without dynamic parts becomes one constant. */
export function toTemplate(value: unknown, path: readonly string[] = []): Template {
  if (!isDynamic(value)) return { kind: 'constant', value }
  if (typeof value === 'string') return toTextTemplate(value, path)
  if (Array.isArray(value))
    return {
      kind: 'list',
      items: value.map((item, index) => toTemplate(item, [...path, String(index)])),
    }
  return {
    kind: 'map',
    // A dynamic value that is neither text nor list is a map.
    entries: Object.entries(value as object).map(
      ([key, item]) => [key, toTemplate(item, [...path, key])] as const,
    ),
  }
}

/** The names a template reads first, such as `context` and `envs`. */
export function namesIn(template: Template): string[] {
  switch (template.kind) {
    case 'constant':
      return []
    case 'value':
      return [firstOf(template.name)]
    case 'text':
      return template.parts.flatMap((part) =>
        typeof part === 'string' ? [] : [firstOf(part.name)],
      )
    case 'list':
      return template.items.flatMap(namesIn)
    default:
      return template.entries.flatMap(([, value]) => namesIn(value))
  }
}

const firstOf = (name: string) => name.split('.', 1)[0] ?? name

function toTextTemplate(text: string, path: readonly string[]): Template {
  const parts: (string | { name: string; path: readonly string[] })[] = []
  let at = 0
  for (const match of text.matchAll(DYNAMIC)) {
    if (match.index > at) parts.push(text.slice(at, match.index))
    parts.push({ name: match[1] ?? match[2] ?? '', path })
    at = match.index + match[0].length
  }
  if (at < text.length) parts.push(text.slice(at))
  const [only] = parts
  return parts.length === 1 && only !== undefined && typeof only !== 'string'
    ? { kind: 'value', ...only }
    : { kind: 'text', parts }
}
