import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, type Clock } from '../../src/shared/clock.ts'
import type { TuttiError } from '../../src/domain/errors.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import { openStorage, type Storage } from '../../src/storage/index.ts'
import { createTestDatabase } from './postgres.ts'

export interface StorageWorld {
  /** Opens the same data again, like another process; memory has only one. @param pollSeconds polling interval of PostgreSQL */
  open(clock?: Clock, pollSeconds?: number): Promise<Storage>
  /** All errors that were passed to `onError`. */
  readonly errors: readonly TuttiError[]
  /** The settings with which a child process opens it. */
  readonly settings: { readonly dataDir?: string; readonly databaseUrl?: string }
  close(): Promise<void>
}

export type StorageKind = 'memory' | 'SQLite' | 'PostgreSQL'

/** An empty store of the given kind; `close` deletes it. */
export async function createStorageWorld(kind: StorageKind, postgresUrl: string): Promise<StorageWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-storage-'))
  const settings =
    kind === 'memory'
      ? {}
      : kind === 'SQLite'
        ? { dataDir: folder }
        : { databaseUrl: await createTestDatabase(postgresUrl) }
  const opened: Storage[] = []
  const errors: TuttiError[] = []
  return {
    settings,
    errors,
    async open(clock = systemClock, pollSeconds = 2) {
      if (kind === 'memory' && opened[0] !== undefined) return opened[0]
      const storage = await openStorage({ ...settings, clock, pollSeconds, onError: (error) => errors.push(error) })
      opened.push(storage)
      return storage
    },
    async close() {
      await Promise.all(opened.map((storage) => storage.close()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const FIRST_MOMENT = Date.UTC(2026, 0, 5, 9)

/** The time of the nth event of a test, as milliseconds. */
export function moment(n: number): number {
  return FIRST_MOMENT + n * 1_000
}

export function started(question = 'How many orders?', n = 0): NewEvent {
  return {
    type: 'run.started',
    at: new Date(moment(n)).toISOString(),
    request: {
      question,
      context: {},
      preferAgents: [],
      disableAgents: [],
      includeData: true,
      trace: false,
      strategy: 'graph',
      budget: {},
      models: {},
    },
  }
}

export function note(message: string, n = 1): NewEvent {
  return { type: 'note', at: new Date(moment(n)).toISOString(), kind: 'MESSAGE', message }
}
