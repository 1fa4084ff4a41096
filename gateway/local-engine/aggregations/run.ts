import { EngineFailure, unsupported } from '../errors.ts'
import {
  isObject,
  malformed,
  tokenName,
  unknownField,
  unknownName,
  type JsonObject,
} from '../query/define.ts'
import { withReason } from '../query/values.ts'
import { prepareQuery, type RequestContext } from '../search/matcher.ts'
import type { SearchTarget } from '../search/target.ts'
import type { Segment } from '../segment/segment.ts'
import { createAggregatorGroup } from './group.ts'
import type { AggregationContext, Aggregator, AggregatorGroup } from './define.ts'
import { aggregations, REFUSED_AGGREGATIONS } from './registry.ts'

/** Buckets of one answer; more are refused. */
export const MAX_BUCKETS = 65_535

const DOCS_PER_BLOCK = 8192

/** All aggregations of one request. */
export interface Aggregations {
  enter(target: SearchTarget): Promise<void>
  collect(segment: Segment, docs: Int32Array): Promise<void>
  results(): JsonObject
}

const byName = new Map(aggregations.map((one) => [one.name, one]))
const refused = new Set(REFUSED_AGGREGATIONS)
const KNOWN = [...byName.keys(), ...refused]

/**
 * Prepares the aggregations of a body; undefined when there are none.
 * @throws {EngineFailure} for what it does not know.
 */
export function createAggregations(
  body: JsonObject | undefined,
  context: RequestContext,
): Aggregations | undefined {
  if (!body || Object.keys(body).length === 0) return undefined
  let bucketCount = 0
  const root = createGroup(body, {
    context,
    countBucket() {
      if (++bucketCount > MAX_BUCKETS)
        throw new EngineFailure(
          400,
          'too_many_buckets_exception',
          `Trying to create too many buckets. Must be less than or equal to: [${MAX_BUCKETS}] but was [${bucketCount}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
          { extra: { max_buckets: MAX_BUCKETS } },
        )
    },
  })
  return {
    enter: async (target) =>
      root.enter(target, async (query) => {
        try {
          return (await prepareQuery(query, target, context)).weight
        } catch (error) {
          return withReason(() => {
            throw error
          })
        }
      }),
    async collect(segment, docs) {
      for (let start = 0; start < docs.length; start += DOCS_PER_BLOCK) {
        const block = docs.subarray(start, start + DOCS_PER_BLOCK)
        await root.collect(segment, block, new Int32Array(block.length))
        if (context.slice.due()) await context.slice.handOver()
      }
    },
    results: () => root.result(0),
  }
}

interface Building {
  readonly context: RequestContext
  readonly countBucket: () => void
}

function createGroup(body: JsonObject, building: Building): AggregatorGroup {
  const members = new Map<string, Aggregator>()
  for (const name of Object.keys(body)) {
    if (!/^[^[\]>]+$/.test(name))
      throw malformed(
        `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
        body,
        building.context,
        { name },
      )
    members.set(name, createOne(name, body, building))
  }
  return createAggregatorGroup(members, building.context.typedKeys)
}

const SUB = ['aggs', 'aggregations', 'meta']

function createOne(name: string, outer: JsonObject, building: Building): Aggregator {
  const at = building.context
  const body = outer[name]
  if (!isObject(body))
    throw malformed(
      `Aggregation definition for [${name} starts with a [${tokenName(body)}], expected a [START_OBJECT].`,
      outer,
      at,
      { value: name },
    )
  const [type, second] = Object.keys(body).filter((key) => !SUB.includes(key))
  if (type === undefined)
    throw malformed(`Missing definition for aggregation [${name}]`, body, at, 'end')
  if (second !== undefined)
    throw malformed(
      `Found two aggregation type definitions in [${name}]: [${type}] and [${second}]`,
      body,
      at,
      { value: second },
    )
  const definition = byName.get(type)
  if (!definition) {
    if (refused.has(type)) throw unsupported(`aggregation.${type}`, `[${type}] aggregation`)
    throw unknownName(`Unknown aggregation type [${type}]`, type, { outer: body, known: KNOWN }, at)
  }
  const own = body[type]
  for (const key of [type, ...SUB])
    if (body[key] !== undefined && !isObject(body[key]))
      throw malformed(
        `Expected [START_OBJECT] under [${key}], but got a [${tokenName(body[key])}] in [${name}]`,
        body,
        at,
        { value: key },
      )
  const isTwice = isObject(body.aggs) && Object.keys(body.aggs).length > 0
  if (!isObject(own) || (isTwice && body.aggregations !== undefined))
    throw malformed(`Found two sub aggregation definitions under [${name}]`, body, at, {
      value: 'aggregations',
    })
  if (definition.name !== 'filter')
    for (const key of Object.keys(own)) {
      if (definition.parameters.includes(key)) continue
      if (definition.refused.includes(key))
        throw unsupported(`aggregation.${type}.${key}`, `[${type}] aggregation parameter [${key}]`)
      const known = [...definition.parameters, ...definition.refused]
      throw unknownField({ parser: type, body: own }, key, known, at)
    }
  const sub = isTwice ? body.aggs : (body.aggregations ?? body.aggs)
  if (sub !== undefined && !definition.hasChildren)
    throw new EngineFailure(
      500,
      'aggregation_initialization_exception',
      `Aggregator [${name}] of type [${type}] cannot accept sub-aggregations`,
    )
  const context: AggregationContext = {
    now: building.context.now,
    children: isObject(sub) && Object.keys(sub).length > 0 ? createGroup(sub, building) : undefined,
    countBucket: building.countBucket,
  }
  const aggregator = definition.create({ name, type, body: own, positions: at }, context)
  return withMeta({ typeName: () => type, ...aggregator }, body.meta)
}

const withMeta = (aggregator: Aggregator, meta: unknown): Aggregator =>
  meta === undefined
    ? aggregator
    : { ...aggregator, result: (bucket, isGap) => ({ meta, ...aggregator.result(bucket, isGap) }) }
