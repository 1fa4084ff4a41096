import { z } from 'zod'
import { defineStage } from './define.ts'

/** Marks its routes as guarded. The gateway checks the caller before the run begins. */
export const authorization = defineStage({
  use: 'authorization',
  summary: 'Let only callers with a fitting credential in',
  position: 'guard',
  inputs: z.strictObject({}),
  run: () => ({}),
})
