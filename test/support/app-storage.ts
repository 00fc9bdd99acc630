import { describe, inject } from 'vitest'
import { createFolder } from './folder.ts'
import { openForAll } from './opened.ts'
import { createTestDatabase } from './postgres.ts'

export type AppDatabase = 'SQLite' | 'PostgreSQL'

export interface AppStorage {
  readonly folder: string
  /** The storage options of an app. */
  readonly storage: { readonly folder: string } | { readonly databaseUrl: string; readonly secretKey: string }
  readonly databaseUrl: string | undefined
  close(): Promise<void>
}

/** A folder, and an empty database for an app: in the folder, or on the PostgreSQL server. */
export async function createAppStorage(kind: AppDatabase): Promise<AppStorage> {
  const { path: folder, close } = await createFolder()
  if (kind === 'SQLite') return { folder, storage: { folder }, databaseUrl: undefined, close }
  const databaseUrl = await createTestDatabase(inject('postgresUrl'))
  return { folder, storage: { databaseUrl, secretKey: '5'.repeat(64) }, databaseUrl, close }
}

/** The same tests with both databases. @param opener whether each test has its own storage */
export function describeAppStorages(
  title: string,
  body: (place: AppStorage, kind: AppDatabase) => void,
  opener = openForAll,
): void {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    const isMissing = kind === 'PostgreSQL' && inject('postgresUrl') === ''
    describe.skipIf(isMissing)(`${title} on ${kind}${isMissing ? ' (not installed on this machine)' : ''}`, () => {
      const place = opener(() => createAppStorage(kind))
      body(place, kind)
    })
  }
}
