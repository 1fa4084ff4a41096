import { parseArgs } from 'node:util'
import { benchMatching } from './matching.ts'
import { benchPassthrough } from './passthrough.ts'
import { benchPipeline } from './pipeline.ts'
import { benchStages } from './stages.ts'
import { benchStart } from './start.ts'

const benches = {
  matching: benchMatching,
  passthrough: benchPassthrough,
  pipeline: benchPipeline,
  stages: benchStages,
  start: benchStart,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, seconds: { type: 'string' } },
})
const settings = { rounds: Number(values.rounds ?? 5), seconds: Number(values.seconds ?? 4) }
const wanted = positionals.length > 0 ? positionals : Object.keys(benches)
for (const name of wanted) {
  if (!(name in benches)) {
    console.error(`There is no bench "${name}"; there are ${Object.keys(benches).join(', ')}`)
    process.exit(2)
  }
  // Safe: looked up a line above.
  await benches[name as keyof typeof benches](settings)
}
