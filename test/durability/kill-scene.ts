import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Storage } from '../../src/storage/index.ts'
import { startModelServer, type ModelServer, type Rule } from '../support/model-server.ts'
import { isLong } from '../support/length.ts'
import type { StorageWorld } from '../support/storage.ts'
import { describeStorages, type Database } from '../support/stores.ts'
import { bundle } from '../support/bundle.ts'

/** The world of a killed program; set while a test runs. */
export interface KillScene {
  readonly victim: string
  readonly world: StorageWorld
  readonly storage: Storage
  readonly server: ModelServer
}

/**
 * The same tests on SQLite and on PostgreSQL.
 * @param first the database for `npm test`; the long run uses both
 */
export function describeKills(
  title: string,
  rules: readonly Rule[],
  first: Database | 'both',
  tests: (scene: KillScene, kind: Database) => void,
): void {
  const open = (world: () => StorageWorld, kind: Database): void => {
    const scene = {} as { -readonly [name in keyof KillScene]: KillScene[name] }
    beforeAll(async () => {
      scene.victim = await bundle('durability/victim.ts')
      scene.world = world()
      scene.storage = await scene.world.open()
      scene.server = await startModelServer(rules)
    })
    afterAll(async () => {
      await scene.server.close()
      await rm(dirname(scene.victim), { recursive: true })
    })
    tests(scene, kind)
  }
  describeStorages(title, 'one', open, isLong || first === 'both' ? undefined : [first])
}
