import { z } from 'zod'

/**
 * One part of an expression with what it came to. `start` and `end` count UTF-16 units of the
 * expression's text. A part that was not needed has no value.
 */
export const ExpressionPart = z.object({
  /** Cut when long; the places tell the whole. */
  text: z.string(),
  start: z.number(),
  end: z.number(),
  /** About JSON, `nil` for nothing; long values are cut. */
  value: z.string().optional(),
  /** Why it has no value, at the part that failed. */
  error: z.string().optional(),
  /** Inside `any()` and its like: the place of the element it was asked about, from 0. */
  element: z.number().optional(),
  get parts() {
    return z.array(ExpressionPart)
  },
})
export type ExpressionPart = z.infer<typeof ExpressionPart>

/** A request whose way through the pipelines is asked for; nothing is sent. */
export const ExplainRequest = z.object({
  method: z.string(),
  /** Path and query as they would come, byte for byte. */
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])).default([]),
  body: z.string().default(''),
  clientIp: z.string().optional(),
})
export type ExplainRequest = z.infer<typeof ExplainRequest>

/** One condition a pipeline puts on requests, in the order in which they are looked at. */
export const MatchCheck = z.object({
  check: z.enum(['enabled', 'kind', 'path', 'method', 'timeframe', 'trigger']),
  passed: z.boolean(),
  /** A sentence for the user. */
  detail: z.string(),
})
export type MatchCheck = z.infer<typeof MatchCheck>

/** What became of one pipeline when a request came. */
export const MatchExplanation = z.object({
  pipelineId: z.string(),
  file: z.string().optional(),
  version: z.number().optional(),
  priority: z.number(),
  outcome: z.enum([
    'taken', 'later', 'disabled', 'scheduled', 'path', 'method', 'timeframe', 'trigger',
  ]), // prettier-ignore
  /** A sentence for the user. */
  reason: z.string(),
  /** The route the path and method fit. */
  route: z.object({ method: z.string(), path: z.string() }).optional(),
  /** Up to the first that failed. */
  checks: z.array(MatchCheck),
  trigger: z
    .object({
      expression: z.string(),
      /** The same with every bracket that precedence implies. */
      understoodAs: z.string(),
      /**
       * One for each query of the body until one is true, at most the first 50 and that one; a single
       * one when there are none.
       */
      evaluations: z.array(ExpressionPart),
    })
    .optional(),
})
export type MatchExplanation = z.infer<typeof MatchExplanation>

/** Every candidate, first tried first, and who takes the request. */
export const RequestExplanation = z.object({
  /** `builtIn` is the declarative route; with `none` the gateway's own API or the engine answers. */
  takenBy: z.enum(['pipeline', 'builtIn', 'none']),
  pipelineId: z.string().optional(),
  candidates: z.array(MatchExplanation),
})
export type RequestExplanation = z.infer<typeof RequestExplanation>
