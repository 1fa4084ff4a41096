import { expect, test } from 'vitest'
import { loadScripts } from '../../test/support/run-script.ts'

// A stage is reported as 7 values and 4 for each change; 255, 383 and 511 in all are among these.
test('a report of any number of values arrives', async () => {
  const counts: number[][] = []
  for (let stages = 1; stages <= 72; stages++)
    for (let changed = 0; changed <= 6; changed++) {
      using program = loadScripts(
        Array.from({ length: stages }, (_, at) => (at < changed ? `context.k${at} = ${at}` : '')),
        { mainThreadAfter: 0 },
      )
      const results = await program.run({ context: {}, timeoutMs: 2000 })
      const errors = results.flatMap(({ error }) => error ?? [])
      if (results.length !== stages || errors.length > 0) counts.push([stages, changed])
    }
  expect(counts).toEqual([])
}, 60_000)
