import type { ScriptGlobal } from './define.ts'

/** Keeps what is logged with the stage's trace, as it was at that moment. */
export const consoleGlobal: ScriptGlobal = {
  name: 'console',
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
