import { defineConfig } from 'vitest/config'

/** One kind of tests. Groups run one after another: browsers and engines want the machine alone. */
const kind = (
  name: string,
  groupOrder: number,
  {
    include,
    testTimeout,
    maxWorkers,
  }: { include: string[]; testTimeout: number; maxWorkers: number },
) =>
  ({
    extends: true,
    test: { name, include, testTimeout, maxWorkers, sequence: { groupOrder } },
  }) as const

export default defineConfig({
  test: {
    // isolated-vm asks for the first flag in every process that loads it.
    execArgv: ['--no-node-snapshot', '--disable-warning=ExperimentalWarning'],
    pool: 'forks',
    // Machines that build for others stall now and then; a test that needs a second try is reported.
    retry: process.env.CI ? 1 : 0,
    // Starting an engine may mean fetching it first.
    hookTimeout: 240_000,
    projects: [
      kind('unit', 0, {
        include: ['{gateway,renderer,electron,scripts}/**/*.test.{ts,tsx}'],
        testTimeout: 20_000,
        maxWorkers: 2,
      }),
      kind('whole', 1, {
        include: ['test/*.test.ts', 'test/{gateway,pipelines}/**/*.test.ts'],
        testTimeout: 60_000,
        maxWorkers: 2,
      }),
      kind('engines', 2, {
        include: ['test/engines/**/*.test.ts'],
        testTimeout: 60_000,
        maxWorkers: 2,
      }),
      kind('e2e', 3, {
        include: ['test/e2e/**/*.test.ts'],
        testTimeout: 60_000,
        maxWorkers: 1,
      }),
      kind('desktop', 4, {
        include: ['test/desktop/**/*.test.ts'],
        testTimeout: 90_000,
        maxWorkers: 1,
      }),
    ],
  },
})
