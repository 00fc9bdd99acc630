import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { note, started } from '../../test/support/storage.ts'
import { describeStorages } from '../../test/support/stores.ts'
import type { RunId } from '../domain/events.ts'
import { TuttiError } from '../domain/errors.ts'
import { responseOf } from '../domain/response.ts'
import { createHttpClient } from '../http/client.ts'
import type { Seal } from '../storage/sql/sql-store.ts'
import type { Storage } from '../storage/index.ts'
import { insert, sql, where, type Script, type SqlRunner } from '../storage/sql/query.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { Schedules } from './schedules.ts'
import { ScheduleWork } from './schedule-work.ts'

const OWNER = 'ada'
const HOUR = 3_600_000
const seal: Seal = { close: async (text) => text, open: async (text) => text }

/** A process that dies at its nth use of the database: before it is done, or after, when nobody hears of it. */
class Mortal {
  left: number
  private readonly isDone: boolean

  constructor(left: number, isDone: boolean) {
    this.left = left
    this.isDone = isDone
  }

  async live<T>(use: () => Promise<T>): Promise<T> {
    if (this.left < 0) return new Promise(() => undefined)
    if (this.left-- > 0) return use()
    if (this.isDone) await use()
    return new Promise(() => undefined)
  }

  runner(inner: SqlRunner): SqlRunner {
    return {
      dialect: inner.dialect,
      all: (query) => this.live(() => inner.all(query)) as never,
      of: (owner, query) => this.live(() => inner.of(owner, query)) as never,
      write: <T>(owner: string, script: () => Script<T>) => this.live(() => inner.write(owner, script)),
      emptyLog: () => undefined,
    }
  }
}

describeStorages('due firings', 'one', (world) => {
  let storages: Storage[]
  let receiver: Server
  let url: string
  let begun: RunId[] = []
  let webhookIds: string[] = []
  beforeAll(async () => {
    storages = [await world().open(), await world().open()]
    receiver = createServer((request, response) => {
      webhookIds.push(String(request.headers['webhook-id']))
      request.resume().on('end', () => response.writeHead(204).end())
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  })
  afterAll(() => void receiver.close())

  /** One process; its runs are over as soon as they have begun. */
  function processOf(storage: Storage, clock: ManualClock, mortal = new Mortal(Number.POSITIVE_INFINITY, false)) {
    const { store, conversations } = storage
    const schedules = new Schedules(mortal.runner(storage.sql), clock, seal)
    const http = createHttpClient({ allowHosts: ['127.0.0.1'] })
    const work = new ScheduleWork({
      schedules,
      clock,
      conversations,
      http,
      refusal: async () => undefined,
      start: (owner, { question }, runId) =>
        mortal.live(async () => {
          const at = new Date().toISOString()
          const composed = { type: 'answer.composed', at, answer: '42', by: 'fallback', isAnswered: true } as const
          const over = { type: 'run.finished', at, status: 'finished' } as never
          const isWaiting = owner.startsWith('waits')
          const events = [started(question), note('asked'), ...(isWaiting ? [] : [composed, over])]
          const status = isWaiting ? 'waiting' : 'finished'
          const appended = await store.append([{ runId, afterSeq: 0, events, status }])
          if (appended[0] !== 'appended') throw new TuttiError('RunConflict', 'There is a run of that id already.')
          begun.push(runId)
        }),
      outcome: (_owner, runId) =>
        mortal.live(async () =>
          (await store.run(runId)) === undefined ? 'none' : responseOf(await store.read(runId)),
        ),
      onError: (error) => expect.fail(error.message),
    })
    return { schedules, work }
  }

  /** Until all is done, or nobody is alive who does it. @param stepMs how far the clock goes between two looks */
  async function until(clock: ManualClock, isOver: () => Promise<boolean>, stepMs = 8_000): Promise<boolean> {
    for (let look = 0; look < 2_000; look++) {
      if (await isOver()) return true
      await clock.advance(stepMs)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return false
  }

  const dueOnce = async (clock: ManualClock) => {
    begun = []
    webhookIds = []
    const keeper = processOf(storages[0]!, clock)
    const timing = { at: clock.now() + HOUR }
    const newSchedule = { timing, request: { question: 'How many?' }, webhook: url }
    const { schedule } = await keeper.schedules.add(OWNER, newSchedule)
    await clock.advance(HOUR)
    return {
      keeper,
      isOver: async () => {
        const firings = await keeper.schedules.listFirings(OWNER, schedule.scheduleId)
        return firings.length > 0 && firings.every(({ status }) => status === 'done')
      },
      end: () => keeper.schedules.remove(OWNER, schedule.scheduleId),
    }
  }

  it('run once with many processes', async () => {
    for (let round = 0; round < 10; round++) {
      const clock = new ManualClock()
      const { isOver, end } = await dueOnce(clock)
      const workers = Array.from({ length: 4 }, (_, i) => processOf(storages[i % 2]!, clock).work)
      for (const work of workers) work.begin()
      // Advance slowly: a worker that does not end a step within a minute loses it to another, which sends the message again.
      expect(await until(clock, isOver, 500)).toBe(true)
      await Promise.all(workers.map((work) => work.stop()))
      expect([begun.length, webhookIds.length]).toEqual([1, 1])
      await end()
    }
  })

  it('that wait for a user do not block others', async () => {
    begun = []
    const clock = new ManualClock()
    const { schedules, work } = processOf(storages[0]!, clock)
    const newHook = { timing: { hook: 'bearer' }, request: { question: 'How many?' } } as const
    for (const owner of ['waits-1', 'waits-2', 'waits-3']) {
      const { schedule } = await schedules.add(owner, newHook)
      const first = await schedules.fire(owner, schedule.scheduleId)
      for (let i = 1; i < 100; i++) await schedules.fire(owner, schedule.scheduleId)
      await expect(schedules.fire(owner, schedule.scheduleId)).rejects.toMatchObject({ code: 'LimitReached' })
      // A repeated call with the same key returns the same run.
      expect(await schedules.fire(owner, schedule.scheduleId, first)).toBe(first)
    }
    const { schedule } = await schedules.add(OWNER, { ...newHook, timing: { at: clock.now() + 1_000 } })
    const { schedule: refused } = await schedules.add('waits-1', { ...newHook, timing: { at: clock.now() + 1_000 } })
    await clock.advance(1_000)
    await schedules.fireDue()
    // They take turns before any has begun.
    expect((await schedules.listOpen()).findIndex(({ owner }) => owner === OWNER)).toBeLessThan(4)
    work.begin()
    expect(await until(clock, async () => begun.length === 301)).toBe(true)
    const { schedule: later } = await schedules.add(OWNER, { ...newHook, timing: { at: clock.now() + 1_000 } })
    for (const { scheduleId } of [schedule, later]) {
      const statusOf = async () => (await schedules.listFirings(OWNER, scheduleId))[0]?.status
      expect(await until(clock, async () => (await statusOf()) === 'done')).toBe(true)
    }
    await work.stop()
    expect(await schedules.listFirings('waits-1', refused.scheduleId)).toMatchObject([{ status: 'refused' }])
  })

  it('run when another schedule is unreadable: that one is paused, and its owner notified', async () => {
    const clock = new ManualClock()
    const { schedules } = processOf(storages[0]!, clock)
    const timing = { cron: '* * * * *', zone: 'Europe/Berlin' }
    const add = async () => (await schedules.add(OWNER, { timing, request: { question: 'How many?' } })).schedule
    const [bad, good] = [await add(), await add()]
    const unknownZone = JSON.stringify({ ...timing, zone: 'Europe/Atlantis' })
    await storages[0]!.sql.of(
      OWNER,
      sql`UPDATE schedules SET timing = ${unknownZone}, next_at = ${1} ${where({ owner: OWNER, schedule_id: bad.scheduleId })}`,
    )
    await clock.advance(60_000)
    await schedules.fireDue()
    expect(await schedules.listFirings(OWNER, good.scheduleId)).toMatchObject([{ status: 'due' }])
    expect(await schedules.listFirings(OWNER, bad.scheduleId)).toMatchObject([
      { status: 'refused', note: expect.stringContaining('no time zone "Europe/Atlantis"') },
    ])
    expect(await schedules.get(OWNER, bad.scheduleId)).toMatchObject({ isPaused: true })
    expect((await schedules.get(OWNER, good.scheduleId)).nextAt).toBeGreaterThan(clock.now())
    for (const { scheduleId } of [bad, good]) await schedules.remove(OWNER, scheduleId)
  })

  it('are deleted with their schedule', async () => {
    const clock = new ManualClock()
    const [one, other] = [processOf(storages[0]!, clock), processOf(storages[1]!, clock)]
    const newHook = { timing: { hook: 'bearer' }, request: { question: 'How many?' } } as const
    const left = async () => (await one.schedules.listOpen()).filter(({ owner }) => owner === 'eve')
    for (let round = 0; round < 10; round++) {
      const { scheduleId } = (await one.schedules.add('eve', newHook)).schedule
      const fire = () => other.schedules.fire('eve', scheduleId, undefined, 'words')
      await Promise.allSettled([fire(), one.schedules.remove('eve', scheduleId), fire()])
      await expect(fire()).rejects.toMatchObject({ code: 'NotFound' })
    }
    expect(await left()).toEqual([])
    const row = {
      runId: 'left-behind',
      scheduleId: 'gone',
      owner: 'eve',
      dueAt: 0,
      status: 'due',
      tries: 0,
      tryAt: 0,
    }
    await storages[0]!.sql.all(insert('schedule_runs', row))
    await one.work.advance('left-behind')
    expect(await left()).toEqual([])
    const rows = await storages[0]!.sql.all(sql`SELECT run_id FROM schedule_runs WHERE owner = 'eve'`)
    expect(rows).toEqual([])
  })

  it('run once, wherever a process is killed', async () => {
    let killed = 0
    for (const isDone of [false, true]) {
      for (let uses = 0; ; uses++) {
        const clock = new ManualClock()
        const { isOver, end } = await dueOnce(clock)
        const mortal = new Mortal(uses, isDone)
        const victim = processOf(storages[0]!, clock, mortal)
        victim.work.begin()
        // It dies at some use, or comes to the end before.
        await until(clock, async () => mortal.left < 0 || (await isOver()))
        const isDead = mortal.left < 0
        mortal.left = -1
        const heir = processOf(storages[1]!, clock)
        heir.work.begin()
        expect(await until(clock, isOver), `after ${uses} uses`).toBe(true)
        await heir.work.stop()
        expect(begun, `after ${uses} uses`).toHaveLength(1)
        // A message may come again, under the same id, where nobody heard that it was taken.
        expect(new Set(webhookIds), `after ${uses} uses`).toEqual(new Set(begun))
        await end()
        if (!isDead) break
        killed++
      }
    }
    expect(killed).toBeGreaterThan(20)
  })
})
