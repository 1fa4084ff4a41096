import type { ScriptGlobal } from './define.ts'

/** Keeps what is logged with the stage's trace, as it was at that moment. */
export const consoleGlobal: ScriptGlobal = {
  name: 'console',
  types: `/** Entries go to the stage's logs, each with its line; objects as they were at that moment. */
declare const console: {
  debug(...values: unknown[]): void
  log(...values: unknown[]): void
  info(...values: unknown[]): void
  warn(...values: unknown[]): void
  error(...values: unknown[]): void
  /** The same as \`debug\`. */
  trace(...values: unknown[]): void
  dir(value: unknown): void
  table(value: unknown): void
  /** Writes an error entry unless the condition holds. */
  assert(condition: unknown, ...values: unknown[]): void
}`,
  realm: {
    perStage:
      ({ log }) =>
      (stage) => ({
        debug: (...values: unknown[]) => log(stage, 'debug', values),
        log: (...values: unknown[]) => log(stage, 'log', values),
        info: (...values: unknown[]) => log(stage, 'info', values),
        warn: (...values: unknown[]) => log(stage, 'warn', values),
        error: (...values: unknown[]) => log(stage, 'error', values),
        trace: (...values: unknown[]) => log(stage, 'debug', values),
        dir: (value: unknown) => log(stage, 'log', [value]),
        table: (value: unknown) => log(stage, 'log', [value]),
        assert: (condition: unknown, ...values: unknown[]) => {
          if (!condition) log(stage, 'error', ['Assertion failed', ...values])
        },
      }),
  },
}
