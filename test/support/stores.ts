import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { RunStore } from '../../src/domain/store.ts'
import type { Storage } from '../../src/storage/index.ts'
import { createStorageWorld, type StorageKind, type StorageWorld } from './storage.ts'
import { watched } from './watched-store.ts'

/** The same tests on a SQLite and a PostgreSQL store; each is empty at the start and shared by its tests. */
export function describeStores(
  title: string,
  body: (store: () => RunStore, kind: StorageKind, storage: () => Storage) => void,
): void {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    const isMissing = kind === 'PostgreSQL' && inject('postgresUrl') === ''
    describe.skipIf(isMissing)(`${title} on ${kind}${isMissing ? ' (not installed on this machine)' : ''}`, () => {
      let world: StorageWorld | undefined
      let storage: Storage | undefined
      beforeAll(async () => {
        world = await createStorageWorld(kind, inject('postgresUrl'))
        storage = await world.open()
      })
      afterAll(() => world?.close())
      body(
        () => watched(storage!.store),
        kind,
        () => storage!,
      )
    })
  }
}
