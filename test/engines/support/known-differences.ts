/**
 * Where the local engine answers otherwise than OpenSearch 3.8.0, and why. Each has its line in
 * docs/local-engine.md; a test fails when one of them has gone, so that the list stays true.
 */
export const KNOWN_DIFFERENCES: Record<string, string> = {}
