import { createMatcher, type Matcher } from '../pipeline/match.ts'
import { parsePipeline } from '../pipeline/parse-pipeline.ts'
import { compilePlan } from '../pipeline/plan.ts'
import type { StageDefinition } from '../stages/define.ts'

/** What `POST /{index}/_declarative` does when no pipeline takes it; decisions/0004. */
const DEFINITION = `
id: built-in-declarative
routes:
  - path: /{index}/_declarative
    method: POST
    classify: { category: declarative, acl: search }
stages:
  - use: authorization
  - use: declarativeQuery
    continueOnError: false
  - use: searchEngineQuery
    continueOnError: false
`

/** The matcher of the built-in declarative route. */
export function builtInDeclarative(kinds: readonly StageDefinition[]): Matcher<StageDefinition> {
  const path = 'built-in-declarative.yaml'
  const { definition, sources } = parsePipeline(
    { path, text: DEFINITION },
    { stages: kinds, resolveScript: () => ({ candidates: [] }) },
  )
  // Only a stage that was renamed without this text could make it wrong; the first test sees that.
  if (!definition) throw new Error('The built-in declarative route does not compile')
  const { file: _none, ...plan } = compilePlan({ definition, sources }, kinds)
  return createMatcher([plan])
}

/** Whether a path may be the declarative route or one of its aliases; a cheap look at the text. */
export const looksDeclarative = (url: string) =>
  url.includes('/_declarative') || url.includes('/_reactivesearch')
