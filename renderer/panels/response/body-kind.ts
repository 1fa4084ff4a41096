import type { SendResponse } from '../../../gateway/contract/exchange.ts'

/** How a body can be shown. */
export type BodyKind = 'empty' | 'json' | 'text' | 'image' | 'binary'

/** Value of a header, whatever its case; empty when it is missing. */
export const headerOf = ({ headers }: Pick<SendResponse, 'headers'>, name: string) =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? ''

/** Tells by what the answer says of itself, and where it says nothing, by how it begins. */
export function bodyKind(response: Pick<SendResponse, 'headers' | 'body' | 'encoding'>): BodyKind {
  const mediaType = mediaTypeOf(response)
  if (response.body === '') return 'empty'
  if (mediaType.startsWith('image/') && response.encoding === 'base64') return 'image'
  if (response.encoding === 'base64') return 'binary'
  // One document a line is no JSON text as a whole.
  if (/ndjson|json-?lines|jsonl/.test(mediaType)) return 'text'
  if (/[/+]json$/.test(mediaType)) return 'json'
  return mediaType === '' && /^\s*[[{]/.test(response.body) ? 'json' : 'text'
}

/** Media type without its parameters, in lower case. */
export const mediaTypeOf = (response: Pick<SendResponse, 'headers'>) =>
  headerOf(response, 'content-type').split(';')[0]?.trim().toLowerCase() ?? ''

const EXTENSIONS: Record<string, string> = {
  'application/x-ndjson': 'ndjson',
  'application/yaml': 'yaml',
  'text/html': 'html',
  'text/csv': 'csv',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
}

/** A name for the saved body, made of the request's path: `_search.json`. */
export function fileNameOf(
  path: string,
  response: Pick<SendResponse, 'headers' | 'body' | 'encoding'>,
) {
  const last = path.split('?')[0]?.split('/').findLast(Boolean) ?? 'response'
  const stem = last.replaceAll(/[^\w.-]+/g, '-')
  const kind = bodyKind(response)
  const extension =
    EXTENSIONS[mediaTypeOf(response)] ??
    (kind === 'json' ? 'json' : kind === 'text' ? 'txt' : 'bin')
  return stem.endsWith(`.${extension}`) ? stem : `${stem}.${extension}`
}
