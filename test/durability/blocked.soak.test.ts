// Soak test: waits for leases to expire in real time.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Storage } from '../../src/storage/index.ts'
import { agent, engineFor, types } from '../support/engine-world.ts'
import { createStorageWorld, type StorageWorld } from '../support/storage.ts'
import type { BlockedSettings } from './blocked-worker.ts'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
/** Long enough for a busy machine that stalls for seconds, short enough to expire within the block. */
const LEASE = { leaseMs: 5_000, pulseMs: 100 }

describe.each(['SQLite', 'PostgreSQL'] as const)('a process whose main thread is blocked, on %s', (kind) => {
  const isMissing = kind === 'PostgreSQL' && inject('postgresUrl') === ''
  const why = isMissing ? ' (PostgreSQL is not installed on this machine)' : ''
  let world: StorageWorld
  let storage: Storage
  let other: Engine
  let child: ChildProcess | undefined

  beforeEach(async () => {
    if (isMissing) return
    world = await createStorageWorld(kind, inject('postgresUrl'))
    storage = await world.open()
    const taker = agent('busy', async () => ({ answer: 'taken over' }))
    other = engineFor([taker], { store: storage.store, clock: systemClock, leaseMs: LEASE.leaseMs })
    await other.work()
  })
  afterEach(async () => {
    child?.kill('SIGKILL')
    await other?.close()
    await world?.close()
  })

  async function startBlocked(settings: Pick<BlockedSettings, 'blockMs'> & { readonly maxSilenceMs: number }) {
    const { blockMs, maxSilenceMs } = settings
    const all: BlockedSettings = {
      storage: world.settings,
      runId: 'a',
      blockMs,
      lease: { ...LEASE, maxSilenceMs },
    }
    const program = join(import.meta.dirname, 'blocked-worker.ts')
    child = spawn(process.execPath, ['--import', tsx, program, JSON.stringify(all)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout!, 'data')
    return child
  }

  it.skipIf(isMissing)(`keeps its run for longer than the lease${why}`, async () => {
    const blocked = await startBlocked({ blockMs: 2 * LEASE.leaseMs, maxSilenceMs: 60_000 })
    expect(await once(blocked, 'exit')).toEqual([0, null])
    const { answer } = await other.state('a')
    expect(answer?.text).toBe('busy=succeeded:kept')
    expect(types(await other.events('a'))).not.toContain('run.resumed')
    expect((await storage.store.run('a'))?.epoch).toBe(1)
  })

  it.skipIf(isMissing)(`loses its run after the maximum silence${why}`, async () => {
    await startBlocked({ blockMs: 600_000, maxSilenceMs: 500 })
    const { answer } = await other.outcome('a')
    expect(answer?.text).toBe('busy=succeeded:taken over')
  })
})
