import { decodeString, type JsonDoc } from './json-tree.ts'

/**
 * A JavaScript expression that reads a node, such as `JSON.parse(context.response.body).hits[0]`.
 * `root` names the whole text; without it the path begins with its first key.
 */
export function jsonPath(doc: JsonDoc, node: number, root: string): string {
  const { parent, keyStart, keyEnd, ordinal, text } = doc.index
  const above = parent[node] ?? -1
  if (above < 0) {
    if (!doc.owner) return root
    const string = jsonPath(doc.owner.doc, doc.owner.node, root)
    if (!doc.index.isLines) return `JSON.parse(${string})`
    return `${string}.trim().split('\\n').map((line) => JSON.parse(line))`
  }
  const base = jsonPath(doc, above, root)
  if ((keyStart[node] ?? -1) < 0) return `${base}[${ordinal[node]}]`
  const key = decodeString(text.slice(keyStart[node], keyEnd[node]))
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${base}[${JSON.stringify(key)}]`
  return base === '' ? key : `${base}.${key}`
}
