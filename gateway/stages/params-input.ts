import { z } from 'zod'

/** Query-string parameters by name. */
export const ParamsInput = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** The address with the parameters added to those it has; those it has win. */
export function withParams(url: string, params: z.infer<typeof ParamsInput>) {
  if (Object.keys(params).length === 0) return url
  const [path = '', ownQuery = ''] = url.split(/\?(.*)/s)
  const own = new URLSearchParams(ownQuery)
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    if (!own.has(name)) added.append(name, String(value))
  const query = [ownQuery, added.toString()].filter((part) => part !== '').join('&')
  return query === '' ? path : `${path}?${query}`
}
