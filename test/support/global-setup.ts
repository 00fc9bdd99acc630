import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { builtProduct, makeBuildsFolder } from './builds.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the test run's PostgreSQL; empty where the machine has none. See `createTestDatabase`. */
    postgresUrl: string
    /** Folder with the build of the current sources. */
    dist: string
  }
}

/**
 * Starts one PostgreSQL for the whole test run, unless only unit tests run; each test creates its own database. Tests share
 * builds of the sources.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isUnitRun = project.vitest.projects.every(({ name }) => name === 'unit')
  const builds = makeBuildsFolder()
  const [product, postgres] = await Promise.all([builtProduct(), isUnitRun ? undefined : startPostgres()])
  project.provide('dist', join(product, 'dist'))
  project.provide('postgresUrl', postgres?.url ?? '')
  if (postgres === undefined && !isUnitRun) {
    console.info(
      'PostgreSQL is not installed here (no initdb in /usr/lib/postgresql, pg_config or PATH): its tests are skipped.',
    )
  }
  return async () => {
    builds.remove()
    await postgres?.stop()
  }
}

export { createTestDatabase } from './postgres.ts'
