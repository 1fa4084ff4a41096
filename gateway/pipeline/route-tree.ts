import type { Plan } from './plan.ts'
import type { RouteTemplate } from './route-templates.ts'
import type { StageKind } from './stage-kind.ts'

/** A template of a plan. */
export interface TreeEntry<Kind extends StageKind> extends RouteTemplate {
  /** Place in the order in which entries are tried; the lowest first. */
  rank: number
  plan: Plan<Kind>
}

/** One segment's place in the tree of all templates with one method. */
export interface Branch<Kind extends StageKind> {
  literals: Map<string, Branch<Kind>>
  parameter?: Branch<Kind>
  entries: TreeEntry<Kind>[]
}

/** A tree without templates. */
export const createBranch = <Kind extends StageKind>(): Branch<Kind> => ({
  literals: new Map(),
  entries: [],
})

/** Adds a template. All of one plan must be added before those of the next. */
export function addEntry<Kind extends StageKind>(root: Branch<Kind>, entry: TreeEntry<Kind>) {
  let branch = root
  for (const segment of entry.segments)
    if (typeof segment === 'string') {
      let next = branch.literals.get(segment)
      if (!next) branch.literals.set(segment, (next = createBranch<Kind>()))
      branch = next
    } else branch = branch.parameter ??= createBranch<Kind>()
  // Of two routes of one pipeline with one shape the first counts.
  if (branch.entries.at(-1)?.plan !== entry.plan) branch.entries.push(entry)
}

/**
 * The entries whose templates a path fits, in the order in which they are tried. Visits only
 * branches the path leads to, so it costs what fits and not what there is.
 */
export function findEntries<Kind extends StageKind>(
  root: Branch<Kind>,
  segments: readonly string[],
): TreeEntry<Kind>[] {
  const found: TreeEntry<Kind>[] = []
  const collect = (branch: Branch<Kind>, depth: number) => {
    const segment = segments[depth]
    if (segment === undefined) {
      for (const entry of branch.entries) found.push(entry)
      return
    }
    const literal = branch.literals.get(segment)
    if (literal) collect(literal, depth + 1)
    if (branch.parameter && segment !== '') collect(branch.parameter, depth + 1)
  }
  collect(root, 0)
  return found.length > 1 ? found.toSorted((a, b) => a.rank - b.rank) : found
}
