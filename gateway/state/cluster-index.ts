import { createHash, randomInt } from 'node:crypto'
import { z } from 'zod'
import { askEngine, type EngineAnswer, type EngineConnection } from '../engine/client.ts'
import { errors, GatewayError } from '../errors.ts'
import { conflictOf } from './mirror.ts'
import type { StateDocument } from './shared-state.ts'

/** The one index all gateways of a cluster keep their state in; hidden from wildcards. */
export const STATE_INDEX = '.sluice-state'

const ANSWER_MS = 10_000
const PAGE = 250
const READ_AT_ONCE = 100
/** Lucene's longest id is 512 bytes. */
const MAX_ID_BYTES = 480
/** Sums of stamps stay exact in a double for four million documents. */
const STAMPS = 2 ** 31 - 1

/** What the listing says of a document. */
export interface ListedDocument {
  id: string
  kind: string
  key: string
  etag: string
}

const Written = z.object({ _seq_no: z.number(), _primary_term: z.number() })
const Fingerprint = z.object({
  hits: z.object({ total: z.object({ value: z.number() }) }),
  aggregations: z.object({ stamps: z.object({ value: z.number() }) }),
})
const Listing = z.object({
  hits: z.object({
    hits: z.array(Written.extend({ _id: z.string(), sort: z.tuple([z.string(), z.string()]) })),
  }),
})
const Read = z.object({
  docs: z.array(
    z.object({
      _seq_no: z.number().optional(),
      _primary_term: z.number().optional(),
      _source: z
        .object({ kind: z.string(), key: z.string(), value: z.object({ json: z.string() }) })
        .optional(),
    }),
  ),
})
const Refusal = z.object({
  error: z.union([z.string(), z.object({ type: z.string(), reason: z.string().nullish() })]),
})

/** The state's documents as the engine keeps them; every call is one or a few requests. */
export function createClusterIndex(engine: EngineConnection) {
  const pathOf = (kind: string, key: string) =>
    `/${STATE_INDEX}/_doc/${encodeURIComponent(documentId(kind, key))}`

  async function ask(method: string, path: string, body?: unknown): Promise<EngineAnswer> {
    try {
      return await askEngine(
        engine,
        {
          method,
          path,
          ...(body !== undefined && {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
        },
        AbortSignal.timeout(ANSWER_MS),
      )
    } catch (cause) {
      if (cause instanceof GatewayError) throw errors.stateUnavailable(cause.message, { cause })
      if (cause instanceof DOMException && cause.name === 'TimeoutError')
        throw errors.stateUnavailable(
          `The search engine at ${engine.url} did not answer within ${ANSWER_MS / 1000} s` +
            (method === 'POST' ? '' : '; it is not known whether it wrote'),
          { cause },
        )
      throw cause
    }
  }

  const read = <T>(schema: z.ZodType<T>, answer: EngineAnswer): T => {
    if (answer.status > 299) throw refused(engine, answer)
    const parsed = schema.safeParse(parseIfJson(answer.body))
    if (parsed.data !== undefined) return parsed.data
    throw errors.stateUnavailable(
      `The search engine at ${engine.url} answered for ${STATE_INDEX} in a form that is not known`,
      { cause: parsed.error },
    )
  }
  const search = async <T>(schema: z.ZodType<T>, body: object) =>
    read(schema, await ask('POST', `/${STATE_INDEX}/_search`, body))

  return {
    /** Makes the index unless it is there. */
    async create() {
      const answer = await ask('PUT', `/${STATE_INDEX}`, INDEX)
      if (answer.status > 299 && !answer.body.includes('already_exists'))
        throw refused(engine, answer)
    },
    /** Changes with every write, by whomever; undefined when there is no index. */
    async fingerprint() {
      // Here and not with each write: a gateway asks every few seconds, whether many wrote or nobody.
      const refreshed = await ask('POST', `/${STATE_INDEX}/_refresh`)
      if (refreshed.status === 404) return undefined
      if (refreshed.status > 299) throw refused(engine, refreshed)
      const answer = await ask('POST', `/${STATE_INDEX}/_search`, {
        size: 0,
        track_total_hits: true,
        aggs: { stamps: { sum: { field: 'stamp' } } },
      })
      const { hits, aggregations } = read(Fingerprint, answer)
      return `${hits.total.value}:${aggregations.stamps.value}`
    },
    /** All documents without their values. */
    async list() {
      const found: ListedDocument[] = []
      for (let after: unknown; ;) {
        const { hits } = await search(Listing, {
          size: PAGE,
          _source: false,
          seq_no_primary_term: true,
          track_total_hits: false,
          sort: ['kind', 'key'],
          ...(after !== undefined && { search_after: after }),
        })
        for (const { _id, sort, ...written } of hits.hits)
          found.push({ id: _id, kind: sort[0], key: sort[1], etag: toEtag(written) })
        if (hits.hits.length < PAGE) return found
        after = hits.hits.at(-1)?.sort
      }
    },
    /**
     * The documents behind these ids; those that are gone by now are left out. Unlike the listing
     * it shows writes before they can be searched.
     */
    async read(ids: readonly string[]) {
      const found: { kind: string; document: StateDocument }[] = []
      for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
        const answer = await ask('POST', `/${STATE_INDEX}/_mget`, {
          ids: ids.slice(start, start + READ_AT_ONCE),
        })
        for (const { _source, _seq_no, _primary_term } of read(Read, answer).docs)
          if (_source && _seq_no !== undefined && _primary_term !== undefined)
            found.push({
              kind: _source.kind,
              document: {
                key: _source.key,
                value: JSON.parse(_source.value.json),
                etag: toEtag({ _seq_no, _primary_term }),
              },
            })
      }
      return found
    },
    async put(kind: string, key: string, text: string, ifVersion: string | null | undefined) {
      const condition = ifVersion === null ? '?op_type=create' : conditionOf(ifVersion)
      const body = { kind, key, stamp: randomInt(1, STAMPS), value: { json: text } }
      const answer = await ask('PUT', pathOf(kind, key) + condition, body)
      if (answer.status === 409) throw conflictOf(kind, key)
      return toEtag(read(Written, answer))
    },
    /** Tells whether there was one. */
    async remove(kind: string, key: string, ifVersion: string | undefined) {
      const answer = await ask('DELETE', pathOf(kind, key) + conditionOf(ifVersion))
      if (answer.status === 409) throw conflictOf(kind, key)
      if (answer.status === 404) return false
      read(Written, answer)
      return true
    },
  }
}

const INDEX = {
  settings: { index: { number_of_shards: 1, auto_expand_replicas: '0-1', hidden: true } },
  mappings: {
    dynamic: 'strict',
    properties: {
      kind: { type: 'keyword' },
      key: { type: 'keyword' },
      // Another random number with every write: their sum tells whether anything was written.
      stamp: { type: 'long' },
      // Not looked into; its JSON is text, so that no number changes on the way.
      value: { type: 'object', enabled: false },
    },
  },
}

const toEtag = ({ _seq_no, _primary_term }: z.infer<typeof Written>) =>
  `${_seq_no}.${_primary_term}`

/** An etag nobody gave out matches nothing: the engine finds another number there. */
function conditionOf(etag: string | undefined) {
  if (etag === undefined) return ''
  const [, seqNo = String(Number.MAX_SAFE_INTEGER), term = '1'] = /^(\d+)\.(\d+)$/.exec(etag) ?? []
  return `?if_seq_no=${seqNo}&if_primary_term=${term}`
}

/** The id of a document, the same on every gateway. */
export function documentId(kind: string, key: string) {
  const plain = `${kind}:${key}`
  return Buffer.byteLength(plain) <= MAX_ID_BYTES
    ? plain
    : `${kind}#${createHash('sha256').update(key).digest('base64url')}`
}

function refused({ url }: EngineConnection, { status, body }: EngineAnswer) {
  const parsed = Refusal.safeParse(parseIfJson(body)).data?.error
  const why = typeof parsed === 'string' ? parsed : (parsed?.reason ?? parsed?.type)
  return errors.stateUnavailable(
    `The search engine at ${url} refused access to ${STATE_INDEX} with status ${status}` +
      (why ? `: ${why}` : ''),
  )
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
