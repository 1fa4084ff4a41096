import { buildRenderer } from './build-renderer.ts'

await buildRenderer({ force: true })
