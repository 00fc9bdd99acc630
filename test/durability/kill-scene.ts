import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Storage } from '../../src/storage/index.ts'
import { startModelServer, type ModelServer, type Rule } from '../support/model-server.ts'
import { isLong } from '../support/length.ts'
import { createStorageWorld, type StorageWorld } from '../support/storage.ts'
import { bundle } from '../support/bundle.ts'

const KINDS = ['SQLite', 'PostgreSQL'] as const
type Kind = (typeof KINDS)[number]

/** The world of a killed program; set while a test runs. */
export interface KillScene {
  readonly victim: string
  readonly world: StorageWorld
  readonly storage: Storage
  readonly server: ModelServer
}

/**
 * The same tests on SQLite and on PostgreSQL.
 * @param title with `%s` for the database
 * @param first the database for `npm test`; the long run uses both
 * @param tests are told whether they are skipped, and words for their titles that say why
 */
export function describeKills(
  title: string,
  rules: readonly Rule[],
  first: Kind | 'both',
  tests: (scene: KillScene, isMissing: boolean, why: string, kind: Kind) => void,
): void {
  const kinds = KINDS.filter((kind) => isLong || first === 'both' || kind === first)
  describe.each(kinds)(`${title}`, (kind) => {
    const isMissing = kind === 'PostgreSQL' && inject('postgresUrl') === ''
    const scene = {} as { -readonly [name in keyof KillScene]: KillScene[name] }
    beforeAll(async () => {
      if (isMissing) return
      scene.victim = await bundle('durability/victim.ts')
      scene.world = await createStorageWorld(kind, inject('postgresUrl'))
      scene.storage = await scene.world.open()
      scene.server = await startModelServer(rules)
    })
    afterAll(async () => {
      if (isMissing) return
      await scene.server.close()
      await scene.world.close()
      await rm(dirname(scene.victim), { recursive: true })
    })
    tests(scene, isMissing, isMissing ? ' (PostgreSQL is not installed on this machine)' : '', kind)
  })
}
