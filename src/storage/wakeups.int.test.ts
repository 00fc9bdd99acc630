import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { ManualClock, settled } from '../testing/manual-clock.ts'
import { createStorageWorld, note, started, type StorageWorld } from '../../test/support/storage.ts'
import { describeStorages } from '../../test/support/stores.ts'
import type { Clock } from '../shared/clock.ts'
import type { Wake } from '../domain/store.ts'
import type { Storage } from './index.ts'

const postgresUrl = inject('postgresUrl')

/** A handler whose calls end when the test calls `end`. */
function handler() {
  const calls: string[] = []
  const open: { resolve: () => void; reject: (error: Error) => void }[] = []
  return {
    calls,
    handle: (runId: string): Promise<void> => {
      calls.push(runId)
      return new Promise((resolve, reject) => open.push({ resolve, reject }))
    },
    /** Ends the oldest call that is still open. */
    end: (error?: Error): void => {
      const call = open.shift()
      if (error === undefined) call?.resolve()
      else call?.reject(error)
    },
    open,
  }
}

async function start(storage: Storage, runId: string, wakes: readonly Wake[] = [{ runId }]): Promise<void> {
  expect(await storage.store.append([{ runId, afterSeq: 0, events: [started()], wakes }])).toEqual(['appended'])
}

async function wake(storage: Storage, runId: string, at?: number): Promise<void> {
  const { lastSeq } = (await storage.store.run(runId))!
  const wakes = [at === undefined ? { runId } : { runId, at }]
  expect(await storage.store.append([{ runId, afterSeq: lastSeq, events: [note('news')], wakes }])).toEqual([
    'appended',
  ])
}

const realClock: Clock = { now: () => Date.now(), timer: () => () => {} }
/** Polling is too rare for these tests: only notifications wake a run in time. */
const NO_POLL_SECONDS = 3_600

describeStorages('wake-ups', 'each', (world, kind) => {
  let storage: Storage
  let clock: ManualClock
  const open = (pollSeconds = 2) => world().open(kind === 'SQLite' ? clock : realClock, pollSeconds)
  beforeEach(async () => {
    clock = new ManualClock()
    storage = await open()
  })

  const now = () => (kind === 'SQLite' ? clock : realClock).now()
  const eventually = (check: () => void): Promise<void> =>
    vi.waitFor(
      async () => {
        if (kind === 'SQLite') await clock.advance(100)
        check()
      },
      { timeout: 60_000, interval: 20 },
    )

  it('wake a run at once, and once, in another process', async () => {
    const other = await open(NO_POLL_SECONDS)
    const calls: string[] = []
    await other.wakeups.work(async (runId) => void calls.push(runId))
    await start(storage, 'a')
    await eventually(() => expect(calls).toEqual(['a']))
    await start(storage, 'b')
    await eventually(() => expect(calls).toEqual(['a', 'b']))
  })

  it('wake runs that were due before the first worker, and later ones, not before their time', async () => {
    const calls: string[] = []
    await start(storage, 'now')
    await start(storage, 'soon', [{ runId: 'soon', at: now() + 1_500 }])
    await start(storage, 'far', [{ runId: 'far', at: now() + 3_600_000 }])
    await storage.wakeups.work(async (runId) => void calls.push(runId))
    await eventually(() => expect(calls).toEqual(['now']))
    await eventually(() => expect(calls).toEqual(['now', 'soon']))
  })

  it('do not wake for an append that was refused', async () => {
    await start(storage, 'a', [])
    await storage.store.append([{ runId: 'a', afterSeq: 9, events: [note('x')], wakes: [{ runId: 'a' }] }])
    await start(storage, 'b')
    const calls: string[] = []
    await storage.wakeups.work(async (runId) => void calls.push(runId))
    await eventually(() => expect(calls).toEqual(['b']))
  })

  it('merge wakes during work into one more activation, never two in parallel', async () => {
    // Workers of SQLite ask for the lease of a run that another one has in hand.
    const other = kind === 'SQLite' ? storage : await open()
    const { calls, handle, end } = handler()
    await storage.wakeups.work(handle)
    if (other !== storage) await other.wakeups.work(handle)
    await start(storage, 'a')
    await eventually(() => expect(calls).toHaveLength(1))
    for (let i = 0; i < 5; i++) await wake(i % 2 ? storage : other, 'a')
    await start(other, 'b') // proof that the queue has been asked since
    await eventually(() => expect(calls).toEqual(['a', 'b']))
    end()
    await eventually(() => expect(calls).toEqual(['a', 'b', 'a']))
    end()
    end()
    await start(other, 'c')
    await eventually(() => expect(calls).toEqual(['a', 'b', 'a', 'c']))
    end()
  })

  it('stop: wait for active calls, start no new ones, and leave the rest to others', async () => {
    const { calls, handle, end } = handler()
    await storage.wakeups.work(handle)
    await start(storage, 'a')
    await eventually(() => expect(calls).toEqual(['a']))
    let stopped = false
    const stopping = storage.wakeups.stop().then(() => (stopped = true))
    await start(storage, 'b')
    if (kind === 'SQLite') await clock.advance(5_000)
    const other = await open()
    const others: string[] = []
    await other.wakeups.work(async (runId) => void others.push(runId))
    await eventually(() => expect(others).toContain('b'))
    expect([calls, stopped]).toEqual([['a'], false])
    end()
    await stopping
  })
})

describe('SQLite wake-ups', () => {
  let world: StorageWorld
  let storage: Storage
  let clock: ManualClock

  beforeEach(async () => {
    clock = new ManualClock()
    world = await createStorageWorld('SQLite', postgresUrl)
    storage = await world.open(clock)
  })
  afterEach(() => world.close())

  it('wakes another run than the one appended to', async () => {
    const { calls, handle, end } = handler()
    await storage.wakeups.work(handle)
    await start(storage, 'parent', [])
    await start(storage, 'child', [{ runId: 'parent' }])
    await settled()
    expect(calls).toEqual(['parent'])
    end()
  })

  it('wakes at each of several times, and not before', async () => {
    const calls: [string, number][] = []
    const t0 = clock.now()
    await storage.wakeups.work(async (runId) => void calls.push([runId, clock.now() - t0]))
    await start(storage, 'a', [
      { runId: 'a', at: t0 + 120_000 },
      { runId: 'a', at: t0 + 5_000 },
      { runId: 'b', at: t0 + 2 * 3_600_000 },
    ])
    await clock.advance(4_999)
    expect(calls).toEqual([])
    await clock.advance(115_001)
    expect(calls).toEqual([
      ['a', 5_000],
      ['a', 120_000],
    ])
    await clock.advance(2 * 3_600_000)
    expect(calls.at(-1)).toEqual(['b', 2 * 3_600_000])
    expect(calls).toHaveLength(3)
  })

  it('retries a failed activation with growing delay, and reports each failure', async () => {
    const times: number[] = []
    const t0 = clock.now()
    await storage.wakeups.work(async () => {
      times.push(clock.now() - t0)
      if (times.length < 4) throw new Error(`boom ${times.length}`)
    })
    await start(storage, 'a')
    await settled()
    for (let i = 0; i < 10; i++) await wake(storage, 'a')
    await clock.advance(600_000)
    expect(times).toEqual([0, 500, 1_500, 3_500])
    expect(world.errors.map((error) => error.message)).toEqual(['boom 1', 'boom 2', 'boom 3'])
  })

  it('keeps to its limit of parallel runs', async () => {
    const { calls, handle, end, open } = handler()
    await storage.wakeups.work(handle)
    for (let i = 0; i < 25; i++) await start(storage, `r${i}`)
    await settled()
    expect(calls).toHaveLength(20)
    end()
    await settled()
    expect(calls).toHaveLength(21)
    while (open.length > 0) {
      end()
      await settled()
    }
    expect(new Set(calls).size).toBe(25)
  })

  it('finds due, active and future wakes after a restart', async () => {
    const dying = handler()
    await storage.wakeups.work(dying.handle)
    await start(storage, 'in-hand')
    await start(storage, 'soon', [{ runId: 'soon', at: clock.now() + 60_000 }])
    await settled()

    const after = await world.open(clock)
    const calls: string[] = []
    await after.wakeups.work(async (runId) => void calls.push(runId))
    await settled()
    expect(calls).toEqual(['in-hand'])
    await clock.advance(60_000)
    expect(calls).toEqual(['in-hand', 'soon'])
    while (dying.open.length > 0) dying.end()
  })

  it('drops a run that another process has handled meanwhile', async () => {
    const one = storage
    const two = await world.open(clock)
    const first = handler()
    let refusals = 0
    await one.wakeups.work(first.handle)
    await two.wakeups.work(async () => {
      refusals += 1
      throw new Error('held by another worker')
    })
    await start(one, 'a')
    await clock.advance(700)
    expect([first.calls.length, refusals]).toEqual([1, 1])
    first.end()
    await clock.advance(600_000)
    expect([first.calls.length, refusals]).toEqual([1, 1])
  })
})

describe.skipIf(postgresUrl === '')('PostgreSQL wake-ups (need a local installation)', () => {
  let world: StorageWorld
  let storage: Storage

  beforeEach(async () => {
    world = await createStorageWorld('PostgreSQL', postgresUrl)
    storage = await world.open(realClock)
  })
  afterEach(() => world.close())

  const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 20 })

  it('retries a failed activation after a delay, and reports it', async () => {
    const times: number[] = []
    await storage.wakeups.work(async () => {
      times.push(Date.now())
      if (times.length === 1) throw new Error('boom')
    })
    await start(storage, 'a')
    await eventually(() => expect(times).toHaveLength(2))
    expect(times[1]! - times[0]!).toBeGreaterThan(900)
    expect(world.errors.map((error) => error.message)).toEqual(['boom'])
  })

  it('processes a backlog without delay between runs', async () => {
    const appends = Array.from({ length: 200 }, (_, i) => ({
      runId: `r${i}`,
      afterSeq: 0,
      events: [started()],
      wakes: [{ runId: `r${i}` }],
    }))
    const worker = await world.open(realClock, NO_POLL_SECONDS)
    await worker.store.append(appends)
    const calls = new Set<string>()
    await worker.wakeups.work(async (runId) => void calls.add(runId))
    await eventually(() => expect(calls.size).toBe(200))
  })

  it('does not start an activation before the append that found its wake queued is committed', async () => {
    const client = new pg.Client({ connectionString: world.settings.databaseUrl! })
    await client.connect()
    const waiting = async (): Promise<number> => {
      const { rows } = await client.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows[0]!.n
    }
    await start(storage, 'a')
    // Commits of appends from here on wait for the test.
    await client.query(`
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER hold AFTER UPDATE OF last_seq ON runs DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION hold();
      SELECT pg_advisory_lock(1);`)
    const appending = wake(storage, 'a')
    await vi.waitFor(async () => expect(await waiting()).toBe(1), 10_000)
    const other = await world.open(realClock)
    const seen: number[] = []
    await other.wakeups.work(async (runId) => void seen.push((await other.store.run(runId))!.lastSeq))
    await vi.waitFor(async () => expect((await waiting()) + seen.length).toBe(2), 10_000)
    await client.query('SELECT pg_advisory_unlock(1)')
    await appending
    await eventually(() => expect(seen.at(-1)).toBe(2))
    await client.end()
  })

  it('never loses a wake that arrives while the activation ends', async () => {
    const other = await world.open(realClock)
    let seen = 0
    await storage.wakeups.work(async (runId) => {
      seen = (await storage.store.run(runId))!.lastSeq
    })
    await start(other, 'a')
    for (let i = 0; i < 60; i++) await wake(other, 'a')
    await eventually(() => expect(seen).toBe(61))
  })
})
