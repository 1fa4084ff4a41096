/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
import type { ScriptGlobal } from './define.ts'

/** Timers of the host; those that are left when the stage ends never fire. */
export const setTimeoutGlobal: ScriptGlobal = {
  name: 'setTimeout',
  types: `/** What \`setTimeout\` gives, for \`clearTimeout\`. */
interface ScriptTimer {
  readonly isCleared: boolean
}
/** Calls back once after so many milliseconds, while the stage is still running. */
declare function setTimeout<T extends unknown[]>(callback: (...values: T) => void, delay?: number, ...values: T): ScriptTimer`,
  realm: {
    perStage:
      ({ call, log }) =>
      (stage) =>
        function setTimeout(callback: unknown, delay?: unknown, ...values: unknown[]): object {
          if (typeof callback !== 'function')
            throw new TypeError('setTimeout: the first argument must be a function')
          const timer = { isCleared: false }
          const fire = () => {
            if (timer.isCleared || stage.over) return
            try {
              callback(...values)
            } catch (error) {
              log(stage, 'error', ['Uncaught in setTimeout:', error])
            }
          }
          // The longest that timers of the host can wait; no stage runs as long as that.
          const wait = Math.min(Math.max(0, Number(delay) || 0), 2 ** 31 - 1)
          const refused = (error: unknown) => log(stage, 'error', ['setTimeout failed:', error])
          call(stage, 'timer', String(wait)).then(fire, refused)
          return timer
        },
  },
}

/** Takes what `setTimeout` gave; anything else is ignored. */
export const clearTimeoutGlobal: ScriptGlobal = {
  name: 'clearTimeout',
  types: `/** The callback is not called any more. */
declare function clearTimeout(timer: ScriptTimer | undefined): void`,
  realm: {
    perStage: () => () =>
      function clearTimeout(timer: unknown): void {
        if (Object(timer) === timer && Object.hasOwn(Object(timer), 'isCleared'))
          Object(timer).isCleared = true
      },
  },
}
