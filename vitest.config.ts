import { defineConfig } from 'vitest/config'

/** Files that change their whole process permanently: SQLite's memory limit, the platform, and mocked modules. */
export const IN_THEIR_OWN_PROCESS = [
  'src/databases/sqlite-query.test.ts',
  'src/cli/commands/docs.test.ts',
  'src/cli/commands/demo.test.ts',
  'src/mcp/windows.test.ts',
]

const all = {
  testTimeout: 180_000,
  hookTimeout: 120_000,
  // A machine that stalls for seconds fails tests of leases and limits. A test that fails twice is a defect.
  retry: 1,
  // Conditions that hold at once in a single test may take longer while others run.
  expect: { poll: { timeout: 60_000, interval: 200 } },
  setupFiles: ['./test/support/setup.ts'],
}

/** The tiers after the first, by suffix: servers, databases, processes and sandboxes; a browser; long searches and waits. */
const INTEGRATION = '{src,test}/**/*.int.test.ts'
const BROWSER = '{src,test}/**/*.browser.test.ts'
const SOAK = '{src,test}/**/*.soak.test.ts'

const inFewProcesses = {
  // Few processes: in a single one, its memory made starting a child 15 times slower.
  pool: 'forks' as const,
  execArgv: [
    // The SQL parsers are WebAssembly; tests end before an optimised version pays off.
    '--wasm-tiering-budget=1300000000',
    // Tests make short-lived objects: a larger young generation copies fewer of them.
    '--min-semi-space-size=32',
    '--max-semi-space-size=64',
  ],
  // Modules are loaded once per process.
  isolate: false,
}

export default defineConfig({
  test: {
    // Projects, and later runs, share transformed modules.
    experimental: { fsModuleCache: true },
    // Two per processor on two processors: many tests wait for child processes.
    maxWorkers: 4,
    // Here rather than in the projects, where it would run once for each.
    globalSetup: ['./test/support/global-setup.ts'],
    projects: [
      {
        test: {
          ...all,
          name: 'unit',
          include: ['{src,test}/**/*.test.ts'],
          exclude: [...IN_THEIR_OWN_PROCESS, INTEGRATION, BROWSER, SOAK],
          ...inFewProcesses,
        },
      },
      { test: { ...all, name: 'process', include: IN_THEIR_OWN_PROCESS, pool: 'forks' } },
      {
        test: { ...all, name: 'integration', include: [INTEGRATION], exclude: IN_THEIR_OWN_PROCESS, ...inFewProcesses },
      },
      { test: { ...all, name: 'browser', include: [BROWSER], ...inFewProcesses } },
      { test: { ...all, name: 'soak', include: [SOAK], ...inFewProcesses } },
    ],
  },
})
