import { z } from 'zod'
import { Context } from './context.ts'
import { ErrorSource } from './error-body.ts'

/** What became of a stage; decisions.md 38. `workbench.md` 4.1 gives each a word and a glyph. */
export const StageStatus = z.enum([
  'ok',
  'failed',
  'continued',
  'skippedByTrigger',
  'skippedByNeed',
  'disabled',
  'notReached',
  'running',
  'waiting',
  'paused',
  'pinned',
  'cached',
  'mocked',
  'cancelled',
])
export type StageStatus = z.infer<typeof StageStatus>

/** A failure inside a stage. `source` is a position in the user's own file. */
export const SpanError = z.object({
  type: z.string(),
  message: z.string(),
  source: ErrorSource.optional(),
  /** The script's own frames, innermost first, in positions of the user's files. */
  stack: z.array(z.string()).optional(),
})
export type SpanError = z.infer<typeof SpanError>

/**
 * One console entry. Every value is JSON text in which integers keep all their digits; what JSON
 * cannot say (`undefined`, a function) is a text that is no JSON.
 */
export const LogEntry = z.object({
  stageId: z.string(),
  level: z.enum(['debug', 'log', 'info', 'warn', 'error']),
  values: z.array(z.object({ kind: z.enum(['json', 'text']), text: z.string() })),
  at: z.number(),
  source: ErrorSource.optional(),
})
export type LogEntry = z.infer<typeof LogEntry>

/** One request that a stage sent: to the engine, by `httpRequest` or by a script's `fetch`. */
export const OutgoingCall = z.object({
  stageId: z.string(),
  method: z.string(),
  url: z.string(),
  /** Absent while running and when no answer came. */
  status: z.number().optional(),
  startTime: z.number(),
  endTime: z.number().optional(),
  requestBytes: z.number(),
  responseBytes: z.number().optional(),
  error: z.string().optional(),
})
export type OutgoingCall = z.infer<typeof OutgoingCall>

/**
 * One difference between the context before and after a stage. `path` descends through keys and
 * indices; where it enters a string that holds JSON the entry says so in `jsonFrom`, the length of
 * the path up to that string. Values are JSON text, exact to the digit, cut at 20,000 characters.
 */
export const ContextChange = z.object({
  kind: z.enum(['added', 'removed', 'changed']),
  path: z.array(z.union([z.string(), z.number()])),
  jsonFrom: z.number().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  /** A number whose digits were altered by parsing: the text says from what to what. */
  warning: z.string().optional(),
})
export type ContextChange = z.infer<typeof ContextChange>

/** One stage's execution inside a run. Times are epoch milliseconds with fractions. */
export const Span = z.object({
  runId: z.string(),
  stageId: z.string(),
  /** Place in the pipeline's list, from 0. */
  index: z.number(),
  /** Name of the pre-built stage; absent for scripts. */
  use: z.string().optional(),
  async: z.boolean(),
  needs: z.array(z.string()),
  status: StageStatus,
  /** When the stage could have begun had its needs been there. */
  queuedTime: z.number(),
  startTime: z.number(),
  endTime: z.number().optional(),
  /** Milliseconds between `queuedTime` and `startTime` spent waiting for `needs`. */
  waitMs: z.number(),
  /** Why it was skipped, with the chain: `needs "es", whose trigger was false`. */
  reason: z.string().optional(),
  error: SpanError.optional(),
  changes: z.array(ContextChange),
  /** True when the list of changes was cut. */
  changesCut: z.boolean().optional(),
  /** Context keys an async stage tried to write and may not. */
  droppedWrites: z.array(z.string()),
  logs: z.array(LogEntry),
  calls: z.array(OutgoingCall),
})
export type Span = z.infer<typeof Span>

/** What became of a whole run. */
export const RunStatus = z.enum(['running', 'ok', 'failed', 'cancelled'])
export type RunStatus = z.infer<typeof RunStatus>

/** One run in a list. `endTime` is that of the last span, background stages included. */
export const RunSummary = z.object({
  runId: z.string(),
  pipelineId: z.string(),
  /** Path of the pipeline's file inside the workspace; absent for the built-in declarative route. */
  file: z.string().optional(),
  method: z.string(),
  path: z.string(),
  status: RunStatus,
  /** Status code of the answer. */
  code: z.number().optional(),
  startTime: z.number(),
  endTime: z.number().optional(),
  /** When the answer was given; async stages may go on after it. */
  responseTime: z.number().optional(),
  /** Ids of stages whose failure was continued. */
  continued: z.array(z.string()),
  error: SpanError.extend({ stageId: z.string().optional() }).optional(),
})
export type RunSummary = z.infer<typeof RunSummary>

/** The record of one run: its spans, in the pipeline's order. */
export const Trace = RunSummary.extend({ spans: z.array(Span) })
export type Trace = z.infer<typeof Trace>

/** The context before and after one stage; `output` is absent while it runs or when it failed. */
export const StageSnapshot = z.object({
  runId: z.string(),
  stageId: z.string(),
  input: Context.optional(),
  output: Context.optional(),
})
export type StageSnapshot = z.infer<typeof StageSnapshot>
