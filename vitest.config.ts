import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // isolated-vm asks for this flag in every process that loads it.
    execArgv: ['--no-node-snapshot', '--disable-warning=ExperimentalWarning'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{gateway,renderer,electron}/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/*.test.ts', 'test/{gateway,pipelines}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          include: ['test/engines/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: 'desktop', include: ['test/desktop/**/*.test.ts'], testTimeout: 90_000 },
      },
    ],
  },
})
