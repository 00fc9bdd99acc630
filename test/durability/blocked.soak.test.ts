// Soak test: waits for leases to expire in real time.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { RunStore } from '../../src/domain/store.ts'
import { engineFor, types } from '../support/engine-world.ts'
import { describeStorages } from '../support/stores.ts'
import { answering } from '../support/test-agents.ts'
import type { BlockedSettings } from './blocked-worker.ts'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
/** Long enough for a busy machine that stalls for seconds, short enough to expire within the block. */
const LEASE = { leaseMs: 5_000, pulseMs: 100 }

describeStorages('a process whose main thread is blocked', 'each', (world) => {
  let store: RunStore
  let other: Engine
  let child: ChildProcess | undefined

  beforeEach(async () => {
    ;({ store } = await world().open())
    other = engineFor([answering('busy', 'taken over')], { store, clock: systemClock, leaseMs: LEASE.leaseMs })
    await other.work()
  })
  afterEach(async () => {
    child?.kill('SIGKILL')
    await other.close()
  })

  async function startBlocked(settings: Pick<BlockedSettings, 'blockMs'> & { readonly maxSilenceMs: number }) {
    const { blockMs, maxSilenceMs } = settings
    const lease = { ...LEASE, maxSilenceMs }
    const all: BlockedSettings = { storage: world().settings, runId: 'a', blockMs, lease }
    const program = join(import.meta.dirname, 'blocked-worker.ts')
    child = spawn(process.execPath, ['--import', tsx, program, JSON.stringify(all)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout!, 'data')
    return child
  }

  it('keeps its run for longer than the lease', async () => {
    const blocked = await startBlocked({ blockMs: 2 * LEASE.leaseMs, maxSilenceMs: 60_000 })
    expect(await once(blocked, 'exit')).toEqual([0, null])
    const { answer } = await other.state('a')
    expect(answer?.text).toBe('busy=succeeded:kept')
    expect(types(await other.events('a'))).not.toContain('run.resumed')
    expect((await store.run('a'))?.epoch).toBe(1)
  })

  it('loses its run after the maximum silence', async () => {
    await startBlocked({ blockMs: 600_000, maxSilenceMs: 500 })
    const { answer } = await other.outcome('a')
    expect(answer?.text).toBe('busy=succeeded:taken over')
  })
})
