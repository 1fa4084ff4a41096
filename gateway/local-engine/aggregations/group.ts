import type { Aggregator, AggregatorGroup } from './define.ts'

/** Aggregators that see the same documents. */
export function createAggregatorGroup(
  members: ReadonlyMap<string, Aggregator>,
  typedKeys: boolean,
): AggregatorGroup {
  return {
    members,
    async enter(target, filterOf) {
      for (const member of members.values()) await member.enter(target, filterOf)
    },
    async collect(segment, docs, buckets) {
      for (const member of members.values()) {
        const working = member.collect(segment, docs, buckets)
        if (working) await working
      }
    },
    result: (bucket, isGap) =>
      Object.fromEntries(
        Array.from(members, ([name, member]) => [
          typedKeys ? `${member.typeName?.()}#${name}` : name,
          member.result(bucket, isGap),
        ]),
      ),
  }
}
