import { readDocument } from '../../gateway/local-engine/mapping/document.ts'
import { createFieldLookup } from '../../gateway/local-engine/mapping/lookup.ts'
import { parseMapping } from '../../gateway/local-engine/mapping/parse.ts'
import { parseJsonText } from '../../gateway/local-engine/json/parse.ts'
import type { SearchTarget } from '../../gateway/local-engine/search/target.ts'
import { createSegmentBuilder } from '../../gateway/local-engine/segment/build.ts'

/** An index to search: what `PUT /{index}` takes as properties, and its documents by id. */
export interface IndexedDocuments {
  index?: string
  properties: Record<string, unknown>
  /** Id and source as JSON text, in order. */
  documents: readonly (readonly [id: string, source: string])[]
  /** Documents of one segment; all in one when absent. */
  perSegment?: number
  /** Ids of documents that were replaced or deleted. */
  dead?: readonly string[]
}

/** The documents as an index that `executeSearch` can search. */
export function makeSearchTarget({
  index = 'things',
  properties,
  documents,
  perSegment = Math.max(1, documents.length),
  dead = [],
}: IndexedDocuments): SearchTarget {
  const mapping = parseMapping({ properties })
  const segments = []
  for (let start = 0; start < documents.length; start += perSegment) {
    const builder = createSegmentBuilder()
    const end = Math.min(start + perSegment, documents.length)
    for (let row = start; row < end; row++) {
      const [id, source] = documents[row]!
      const doc = builder.add(row, readDocument(mapping, parseJsonText(source), id).fields)
      if (dead.includes(id)) builder.kill(doc)
    }
    segments.push(builder.seal())
  }
  return {
    index,
    snapshot: { segments },
    fields: createFieldLookup(mapping),
    idToRow(id) {
      const row = documents.findIndex(([own]) => own === id && !dead.includes(id))
      return row < 0 ? undefined : row
    },
    fetch: (rows) =>
      rows.map((row) => ({
        id: documents[row]![0],
        source: Buffer.from(documents[row]![1]),
        version: row + 1,
        seqNo: row,
      })),
  }
}
