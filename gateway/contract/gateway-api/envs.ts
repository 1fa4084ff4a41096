import { z } from 'zod'
import { EnvValidation, GlobalEnv } from '../pipeline.ts'
import { MessageBody } from './messages.ts'

/** A global env as it is read; `value` is dots unless it was asked for. Times are unix seconds. */
export const EnvItem = GlobalEnv.extend({
  id: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  etag: z.string().describe('For if-match'),
})
export type EnvItem = z.infer<typeof EnvItem>

const Key = z
  .string()
  .regex(/^[A-Za-z_][\w.-]*$/, 'a key begins with a letter or _ and has letters, digits, _ . -')

/** A new global env. */
export const EnvSubmission = GlobalEnv.extend({ key: Key })

/** Another content of a global env; without a value, or with dots, it keeps the one it has. */
export const EnvUpdate = GlobalEnv.extend({
  key: Key.optional().describe('That of the path; it cannot be changed'),
  value: GlobalEnv.shape.value.optional(),
})

/** A save, and the pipelines that read what it has changed. */
export const EnvSaved = MessageBody.extend({
  read_by: z.array(z.string()).describe('Ids of the pipelines that read a changed value'),
})

/** The variable to check: as it is stored, or as it would be. */
export const EnvCheck = z.looseObject({
  key: Key,
  value: z.string().optional().describe('The stored value when left out, or dots'),
  validate: EnvValidation.optional().describe('The stored request when left out'),
})

/** What the check of a variable found. The answer's status is all that is told of it. */
export const EnvCheckResult = z.object({
  valid: z.boolean(),
  status: z.number().int().optional().describe('Absent when no answer came'),
  expected_status: z.number().int().optional(),
  took: z.number().describe('Milliseconds'),
  message: z.string(),
})

/** Path of one global env. */
export const EnvPath = z.object({ key: z.string() })
/** Whether values are shown. */
export const RevealQuery = z.object({
  reveal: z
    .enum(['true', 'false'])
    .optional()
    .describe('true shows values, and is written to the audit log'),
})
