import type { TranslatedRequest } from './translate-request.ts'

/** The answer of `/_declarative/validate`: what each query would send, bodies as JSON, in order. */
export const validateAnswer = ({ items }: TranslatedRequest, indices: readonly string[] = []) =>
  items.flatMap((item) => {
    if (item.kind === 'empty') return []
    if (item.kind === 'endpoint') return [{ id: item.id, endpoint: item.request }]
    const target = item.index ?? indices.join(',')
    return [
      {
        id: item.id,
        endpoint: {
          url: target === '' ? '/_search' : `/${encodeURI(target)}/_search`,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: item.body,
        },
      },
    ]
  })
