import { z } from 'zod'
import { limitNames, LIMITS, type LimitName } from './limits.ts'

const limit = (name: LimitName) => {
  const { least, most, usual, about } = LIMITS[name]
  return z.int().min(least).max(most).optional().describe(`${about}; usually ${usual}`)
}

const ManifestLimits = z.strictObject(
  // Safe: one schema a name.
  Object.fromEntries(limitNames.map((name) => [name, limit(name)])) as Record<
    LimitName,
    ReturnType<typeof limit>
  >,
)

/** `sluice.yaml`, the file that makes a folder a workspace. Paths are relative to that folder. */
export const Manifest = z.strictObject({
  name: z.string().min(1).describe('Name of the workspace, shown in the window title'),
  defaults: z
    .strictObject({
      environment: z.string().optional().describe('File name in envs/ without its ending'),
    })
    .optional()
    .describe('What is selected when the workspace is first opened'),
  data: z
    .array(
      z.strictObject({
        index: z.string().describe('Index that is filled when the engine does not have it'),
        mapping: z.string().optional().describe('JSON file: the body of PUT /{index}'),
        documents: z.string().describe('NDJSON file: the body of POST /{index}/_bulk'),
      }),
    )
    .optional()
    .describe('Sample data, loaded into the local engine only'),
  limits: ManifestLimits.optional().describe('Bounds of the gateway that serves the workspace'),
})
export type Manifest = z.infer<typeof Manifest>

/** `envs/<name>.yaml`: plain values, or `{secret: true}` for one that lies in the secret store. */
export const EnvironmentFile = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/),
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.strictObject({ secret: z.literal(true).describe('The value is in the secret store') }),
  ]),
)
export type EnvironmentFile = z.infer<typeof EnvironmentFile>
