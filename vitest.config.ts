import { defineConfig } from 'vitest/config'

/** What a test changes for its whole process, and for good: SQLite's limit of memory, the platform, and modules put in the place of others. */
export const IN_THEIR_OWN_PROCESS = [
  'src/databases/sqlite-query.test.ts',
  'src/cli/commands/docs.test.ts',
  'src/cli/commands/demo.test.ts',
  'src/mcp/windows.test.ts',
]

const all = {
  testTimeout: 180_000,
  hookTimeout: 120_000,
  // A machine that stands still for seconds fails a test of leases or limits; what fails twice is a defect.
  retry: 1,
  // What is true at once where it is tried alone may take a while beside others.
  expect: { poll: { timeout: 60_000, interval: 200 } },
  setupFiles: ['./test/support/setup.ts'],
}

export default defineConfig({
  test: {
    // Twice as many as there are processors where there are two: many tests wait for processes of their own.
    maxWorkers: 4,
    // Here and not in the projects, for each of which it would run again.
    globalSetup: ['./test/support/global-setup.ts'],
    projects: [
      {
        test: {
          ...all,
          name: 'tests',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: IN_THEIR_OWN_PROCESS,
          // In one process for all, starting a child took 15 times as long: its memory is theirs together.
          pool: 'forks',
          execArgv: [
            // The parsers of SQL are WebAssembly: what a test asks of them is over before they are optimised.
            '--wasm-tiering-budget=1300000000',
            // Of what a test makes, nothing is needed for long: less of it is copied where there is more room for what is new.
            '--min-semi-space-size=32',
            '--max-semi-space-size=64',
          ],
          // Modules are loaded once for all that a process runs.
          isolate: false,
        },
      },
      { test: { ...all, name: 'process', include: IN_THEIR_OWN_PROCESS, pool: 'forks' } },
    ],
  },
})
