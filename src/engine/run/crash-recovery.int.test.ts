import { expect, it } from 'vitest'
import type { RunStore } from '../../domain/store.ts'
import { agent, eventually, gate, openWorld, types } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { answering, holding, Outbox, team } from '../../../test/support/test-agents.ts'
import { storeWith, through } from '../../../test/support/watched-store.ts'
import { type ManualClock, settled } from '../../testing/manual-clock.ts'

const AGENTS = [new Outbox().agent()]

/** A store that counts its calls by method, and reports whether a call is pending. */
function counted(store: RunStore) {
  const calls: Record<string, number> = {}
  let pending = 0
  const counting = through(store, (call, name) => {
    calls[name] = (calls[name] ?? 0) + 1
    pending++
    return call().finally(() => pending--)
  })
  return { store: counting, calls, isBusy: () => pending > 0 }
}

describeStores('after a restart', (store) => {
  /** Runs that wait for approval, and the clock of the process that left them. */
  async function waitingRuns(count: number) {
    const { engine, clock, start, rest } = openWorld(store(), AGENTS)
    const runIds = await Promise.all(Array.from({ length: count }, () => start(['sender'])))
    for (const runId of runIds) await rest(runId)
    await engine.close()
    return { clock, runIds: runIds as [string, ...string[]] }
  }

  it('runs that only wait are not touched: not read, claimed or written', async () => {
    const { clock, runIds } = await waitingRuns(50)
    const before = await Promise.all(runIds.map((runId) => store().read(runId)))
    const { store: counting, calls } = counted(store())
    const { engine } = openWorld(counting, AGENTS, { clock })
    expect(await engine.recover()).toEqual(expect.arrayContaining(runIds))
    await settled()
    expect(calls).toMatchObject({ runs: expect.any(Number), approvals: 1 })
    expect([calls['append'], calls['read'], calls['claim']]).toEqual([undefined, undefined, undefined])
    expect(await Promise.all(runIds.map((runId) => store().read(runId)))).toEqual(before)
  })

  it('a run that this process may not resume is not returned as resumed, and not woken at its deadline', async () => {
    const { clock, runIds } = await waitingRuns(1)
    const before = await store().read(runIds[0])
    const { engine } = openWorld(store(), AGENTS, { clock })
    expect(await engine.recover(async () => false)).toEqual([])
    await clock.advance(200_000)
    await settled()
    expect(await store().read(runIds[0])).toEqual(before)
  })

  it('runs continue when a user decides, and expire in time when nobody does', async () => {
    const { clock, runIds } = await waitingRuns(2)
    const [decided, forgotten] = runIds as [string, string]
    await clock.advance(60_000)
    const { engine, decide, end } = openWorld(store(), AGENTS, { clock })
    await engine.recover()
    await decide(decided)
    expect((await end(decided)).answer?.text).toBe('sender=succeeded:sent to bob')
    const resumed = (await store().read(decided)).filter(({ type }) => type === 'run.resumed')
    expect(resumed, 'by another process').toEqual([expect.not.objectContaining({ after: 'wait' })])
    expect((await store().run(forgotten))?.status).toBe('waiting')
    expect((await end(forgotten, 1_000)).answer?.text).toBe('sender=failed:ApprovalTimedOut')
    expect(types(await store().read(forgotten)).filter((type) => type === 'run.resumed')).toHaveLength(1)
  })

  it('a run whose time limit passed meanwhile continues at once', async () => {
    const { clock, runIds } = await waitingRuns(1)
    await clock.advance(200_000)
    const { engine, end } = openWorld(store(), AGENTS, { clock })
    await engine.recover()
    expect((await end(runIds[0])).answer?.text).toBe('sender=failed:ApprovalTimedOut')
  })

  it.each([
    ['a decision', 'finished'],
    ['a cancellation', 'cancelled'],
  ])('a run with new events continues when the process that delivered %s died at once', async (what, status) => {
    const { clock, runIds } = await waitingRuns(1)
    const [runId] = runIds
    const bringer = openWorld(
      storeWith(store(), {
        async append(...args) {
          const outcomes = await store().append(...args)
          void bringer.crash(0)
          return outcomes
        },
      }),
      AGENTS,
      { clock },
    )
    void (what === 'a decision' ? bringer.decide(runId) : bringer.engine.cancel(runId, 'ann'))
    await eventually(async () => (await store().run(runId))?.status === 'running')
    const { engine, end } = openWorld(store(), AGENTS, { clock })
    expect(await engine.recover()).toContain(runId)
    expect((await end(runId)).status).toBe(status)
  })

  it('a run whose child ended continues when that event was lost', async () => {
    const hold = gate()
    const agents = [team(['quick']), holding('quick', hold.promise)]
    const losing = storeWith(store(), {
      async append(batch, options) {
        const outcomes = await store().append(batch, options)
        if (batch.some(({ events }) => events.some(({ type }) => type === 'run.finished'))) void first.crash(0)
        return outcomes
      },
    })
    const first = openWorld(losing, agents)
    const runId = await first.start(['team'])
    await first.rest(runId)
    hold.open()
    const [child] = await store().runs({ parentId: runId })
    await eventually(async () => (await store().run(child!.runId))?.status === 'finished')
    await first.clock.advance(10_000)
    const { engine, end } = openWorld(store(), agents, { clock: first.clock })
    await engine.recover()
    expect((await end(runId)).answer?.text).toBe('team=succeeded:finished(quick=succeeded:quick)')
  })

  it('a run that is resumed and keeps waiting leaves its log and its time limit unchanged', async () => {
    const unreleased = storeWith(store(), { release: () => (void first.crash(0), new Promise(() => undefined)) })
    const first = openWorld(unreleased, AGENTS)
    const runId = await first.start(['sender'], { budget: { maxTimeMs: 5_000 } })
    await eventually(async () => (await store().run(runId))?.status === 'waiting')
    await settled()
    await first.clock.advance(20_000)
    const before = await store().read(runId)
    const { engine, rest, decide, end } = openWorld(store(), AGENTS, { clock: first.clock })
    expect(await engine.recover()).toContain(runId)
    await rest(runId)
    expect(await store().read(runId)).toEqual(before)
    await decide(runId)
    const state = await end(runId)
    expect(state.answer?.text).toBe('sender=succeeded:sent to bob')
    expect(state.exhausted).toBeUndefined()
  })
})

describeStores('a run whose worker died', (store) => {
  /** Advances the clock in small steps, but not while a call of the store is pending. Returns the elapsed milliseconds. */
  async function timeUntil(clock: ManualClock, isBusy: () => boolean, look: () => Promise<boolean>): Promise<number> {
    const from = clock.now()
    for (;;) {
      do await settled()
      while (isBusy())
      if (await look()) return clock.now() - from
      await clock.advance(50)
    }
  }

  it.each([0, 250, 1_050, 2_950, 3_050, 6_500])(
    'is in other hands within 12 s, on a machine of which nothing is known (%i ms after its start)',
    async (age) => {
      const begun = gate()
      let isSecond = false
      const slow = agent('slow', async () => {
        begun.open()
        if (!isSecond) await new Promise(() => undefined)
        return { answer: 'done' }
      })
      const watching = counted(store())
      const { engine: second, clock, end } = openWorld(watching.store, [slow])
      await second.work()
      const keeping = counted(store())
      const first = openWorld(keeping.store, [slow], { clock })
      const runId = await first.start(['slow'])
      await eventually(begun.isOpen)
      const { worker } = (await store().run(runId))!
      const diesAt = clock.now() + age
      await timeUntil(clock, keeping.isBusy, async () => clock.now() >= diesAt)
      expect((await store().run(runId))!.worker, 'a live worker keeps its run').toBe(worker)
      await first.crash(0)
      isSecond = true
      const ms = await timeUntil(clock, watching.isBusy, async () => (await store().run(runId))!.worker !== worker)
      expect(ms).toBeGreaterThan(1_000)
      expect(ms).toBeLessThanOrEqual(12_000)
      expect((await end(runId)).answer?.text).toBe('slow=succeeded:done')
    },
  )

  it('is left alone where it may not be taken, and is asked about once', async () => {
    const quick = answering('quick')
    const idle = { work: async () => {}, stop: async () => {} }
    const { clock, start } = openWorld(store(), [quick], { wakeups: idle })
    const runId = await start(['quick'])
    await store().claim(runId, 'elsewhere/1/1/boot/1/abc', clock.now() + 9_000, clock.now())
    const asked: string[] = []
    const { store: counting, isBusy } = counted(store())
    const { engine } = openWorld(counting, [quick], { clock })
    await engine.work(async (run) => {
      asked.push(run.runId)
      return false
    })
    const until = clock.now() + 30_000
    await timeUntil(clock, isBusy, async () => clock.now() >= until)
    expect(asked.filter((one) => one === runId)).toEqual([runId])
    expect((await store().run(runId))!.worker).toBe('elsewhere/1/1/boot/1/abc')
  })
})
