import { defineEndpoint } from '../../features/define.ts'
import { json } from '../reply.ts'

/** `GET /_sluice/local-engine/features`: what this engine can do, and what it refuses. */
export const features = defineEndpoint({
  name: 'sluice.features',
  support: 'full',
  methods: ['GET'],
  paths: ['/_sluice/local-engine/features'],
  parameters: {},
  body: 'none',
  handle: (_request, { profile, features }) => json({ profile: profile.name, features }),
})
