import { setFlagsFromString } from 'node:v8'

/** From here on larger makes no difference that could be measured. */
const MOST_MB = 8

/**
 * Makes an isolate whose young generation holds the garbage of many runs. An isolate with a small
 * memory limit gets one of a megabyte, and collecting that every few dozen runs took a fifth of
 * the time of runs that parse and print bodies. The size cannot be given with an isolate; V8 reads
 * its flags while it makes one, and they are put back at once.
 */
export function withYoungGeneration<T>(memoryMb: number, make: () => T): T {
  setSemiSpace(Math.max(1, Math.min(MOST_MB, Math.floor(memoryMb / 8))))
  try {
    return make()
  } finally {
    setSemiSpace(0)
  }
}

/** 0 stands for what V8 would choose. */
function setSemiSpace(megabytes: number) {
  setFlagsFromString(`--min-semi-space-size=${megabytes}`)
  setFlagsFromString(`--max-semi-space-size=${megabytes}`)
}
