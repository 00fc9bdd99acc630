import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest'
import type { RunStore } from '../../src/domain/store.ts'
import type { Storage } from '../../src/storage/index.ts'
import { createStorageWorld, type StorageKind, type StorageWorld } from './storage.ts'
import { watched } from './watched-store.ts'

export type Database = 'SQLite' | 'PostgreSQL'

/**
 * The same tests on SQLite and on PostgreSQL, where it is installed.
 * @param life `one`: empty at the start, shared by the tests; `each`: a new one for each test
 */
export function describeStorages(
  title: string,
  life: 'one' | 'each',
  body: (world: () => StorageWorld, kind: Database) => void,
  kinds: readonly Database[] = ['SQLite', 'PostgreSQL'],
): void {
  for (const kind of kinds) {
    const isMissing = kind === 'PostgreSQL' && inject('postgresUrl') === ''
    describe.skipIf(isMissing)(`${title} on ${kind}${isMissing ? ' (not installed on this machine)' : ''}`, () => {
      let world: StorageWorld | undefined
      const before = life === 'one' ? beforeAll : beforeEach
      const after = life === 'one' ? afterAll : afterEach
      before(async () => void (world = await createStorageWorld(kind, inject('postgresUrl'))))
      after(() => world?.close())
      body(() => world!, kind)
    })
  }
}

/** The same tests on a SQLite and a PostgreSQL store; each is empty at the start and shared by its tests. */
export function describeStores(
  title: string,
  body: (store: () => RunStore, kind: StorageKind, storage: () => Storage) => void,
): void {
  describeStorages(title, 'one', (world, kind) => {
    let storage: Storage | undefined
    beforeAll(async () => void (storage = await world().open()))
    body(
      () => watched(storage!.store),
      kind,
      () => storage!,
    )
  })
}
