import type { Parameters } from './parameters.ts'
import { failedToCreate } from './values.ts'

const METHODS =
  /^(?:constant_score(?:_blended|_boolean)?|scoring_boolean|top_terms_(?:boost_|blended_freqs_)?\d+)$/

/**
 * Refuses a `rewrite` the dialect has not; those it has differ in scores that are constant here.
 * @throws {EngineFailure}
 */
export function checkRewrite(parameters: Parameters): void {
  const method = parameters.text('rewrite')
  if (method !== undefined && !METHODS.test(method))
    throw failedToCreate(`Failed to parse rewrite_method [${method}]`)
}
