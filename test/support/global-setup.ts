import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the test run's PostgreSQL; empty where the machine has none. See `createTestDatabase`. */
    postgresUrl: string
  }
}

/** Starts one PostgreSQL for the whole test run; tests take a database of their own from it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const postgres = await startPostgres()
  project.provide('postgresUrl', postgres?.url ?? '')
  if (postgres === undefined) {
    console.info(
      'PostgreSQL is not installed here (no initdb in /usr/lib/postgresql, pg_config or PATH): its tests are skipped.',
    )
    return undefined
  }
  return () => postgres.stop()
}

export { createTestDatabase } from './postgres.ts'
