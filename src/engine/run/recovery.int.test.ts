import { expect, it } from 'vitest'
import type { RunStore } from '../../domain/store.ts'
import {
  agent,
  engineFor,
  eventually,
  gate,
  mortal,
  passing,
  request,
  startEngine,
  types,
  textTool,
  openWorld,
  untilAtRest,
  storeWith,
  through,
} from '../../../test/support/engine-world.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'

const send = textTool('send', 'irreversible', async (to: string) => `sent to ${to}`)
const sender = agent('sender', async (_task, ctx) => ({ answer: await ctx.call(send, 'bob') }))
const team = agent('team', async (_task, ctx) => {
  const child = await ctx.startRun(request(['quick']))
  return { answer: child.answer?.text ?? '' }
})

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
  async function waitingRuns(count: number, clock: ManualClock): Promise<string[]> {
    const first = engineFor([sender], { store: store(), clock })
    const runIds = await Promise.all(Array.from({ length: count }, () => first.start(request(['sender']))))
    for (const runId of runIds) await untilAtRest(store(), runId)
    await first.close()
    return runIds
  }

  it('runs that only wait are not touched: not read, claimed or written', async () => {
    const clock = new ManualClock()
    const runIds = await waitingRuns(50, clock)
    const before = await Promise.all(runIds.map((runId) => store().read(runId)))
    const { store: counting, calls } = counted(store())
    const engine = startEngine([sender], { store: counting, clock })
    expect(await engine.recover()).toEqual(expect.arrayContaining(runIds))
    await settled()
    expect(calls).toMatchObject({ runs: expect.any(Number), approvals: 1 })
    expect([calls['append'], calls['read'], calls['claim']]).toEqual([undefined, undefined, undefined])
    expect(await Promise.all(runIds.map((runId) => store().read(runId)))).toEqual(before)
  })

  it('a run that this process may not resume is not returned as resumed, and not woken at its deadline', async () => {
    const clock = new ManualClock()
    const [runId] = (await waitingRuns(1, clock)) as [string]
    const before = await store().read(runId)
    const engine = startEngine([sender], { store: store(), clock })
    expect(await engine.recover(async () => false)).toEqual([])
    await clock.advance(200_000)
    await settled()
    expect(await store().read(runId)).toEqual(before)
  })

  it('runs continue when a user decides, and expire in time when nobody does', async () => {
    const clock = new ManualClock()
    const [decided, forgotten] = (await waitingRuns(2, clock)) as [string, string]
    await clock.advance(60_000)
    const engine = startEngine([sender], { store: store(), clock })
    await engine.recover()
    const [approval] = await store().approvals({ runId: decided, status: 'pending' })
    await engine.decide(approval!.approvalId, 'approved', 'ann')
    expect((await passing(clock, engine.outcome(decided))).answer?.text).toBe('sender=succeeded:sent to bob')
    const resumed = (await store().read(decided)).filter(({ type }) => type === 'run.resumed')
    expect(resumed, 'by another process').toEqual([expect.not.objectContaining({ after: 'wait' })])
    expect((await store().run(forgotten))?.status).toBe('waiting')
    const state = await passing(clock, engine.outcome(forgotten), 1_000)
    expect(state.answer?.text).toBe('sender=failed:ApprovalTimedOut')
    expect(types(await store().read(forgotten)).filter((type) => type === 'run.resumed')).toHaveLength(1)
  })

  it('a run whose time limit passed meanwhile continues at once', async () => {
    const clock = new ManualClock()
    const [runId] = (await waitingRuns(1, clock)) as [string]
    await clock.advance(200_000)
    const engine = startEngine([sender], { store: store(), clock })
    await engine.recover()
    const state = await passing(clock, engine.outcome(runId))
    expect(state.answer?.text).toBe('sender=failed:ApprovalTimedOut')
  })

  it.each(['a decision', 'a cancellation'])(
    'a run with new events continues when the process that delivered %s died at once',
    async (what) => {
      const clock = new ManualClock()
      const [runId] = (await waitingRuns(1, clock)) as [string]
      const dying = mortal(store())
      const bringing = storeWith(dying, {
        async append(...args) {
          const outcomes = await dying.append(...args)
          dying.crash()
          return outcomes
        },
      })
      const bringer = engineFor([sender], { store: bringing, clock })
      const [approval] = await store().approvals({ runId, status: 'pending' })
      if (what === 'a decision') void bringer.decide(approval!.approvalId, 'approved', 'ann')
      else void bringer.cancel(runId, 'ann')
      await eventually(async () => (await store().run(runId))?.status === 'running')
      const engine = startEngine([sender], { store: store(), clock })
      expect(await engine.recover()).toContain(runId)
      const { status } = await passing(clock, engine.outcome(runId))
      expect(status).toBe(what === 'a decision' ? 'finished' : 'cancelled')
    },
  )

  it('a run whose child ended continues when that event was lost', async () => {
    const clock = new ManualClock()
    const dying = mortal(store())
    const hold = gate()
    const quick = agent('quick', async () => {
      await hold.promise
      return { answer: 'quick' }
    })
    const losing = storeWith(dying, {
      async append(batch, options) {
        const outcomes = await dying.append(batch, options)
        if (batch.some(({ events }) => events.some((event) => event.type === 'run.finished'))) dying.crash()
        return outcomes
      },
    })
    const first = engineFor([team, quick], { store: losing, clock })
    const runId = await first.start(request(['team']))
    await untilAtRest(store(), runId)
    hold.open()
    const [child] = await store().runs({ parentId: runId })
    await eventually(async () => (await store().run(child!.runId))?.status === 'finished')
    await clock.advance(10_000)
    const engine = startEngine([team, quick], { store: store(), clock })
    await engine.recover()
    expect((await passing(clock, engine.outcome(runId))).answer?.text).toBe('team=succeeded:quick=succeeded:quick')
  })

  it('a run that is resumed and keeps waiting leaves its log and its time limit unchanged', async () => {
    const clock = new ManualClock()
    const { store: counting } = counted(store())
    const dying = mortal(counting)
    const unreleased = storeWith(dying, { release: () => (dying.crash(), new Promise(() => undefined)) })
    const first = engineFor([sender], { store: unreleased, clock })
    const runId = await first.start(request(['sender'], { budget: { maxTimeMs: 5_000 } }))
    await eventually(async () => (await store().run(runId))?.status === 'waiting')
    await settled()
    await clock.advance(20_000)
    const before = await store().read(runId)
    const engine = startEngine([sender], { store: store(), clock })
    expect(await engine.recover()).toContain(runId)
    await untilAtRest(store(), runId)
    expect(await store().read(runId)).toEqual(before)
    const [approval] = await store().approvals({ runId, status: 'pending' })
    await engine.decide(approval!.approvalId, 'approved', 'ann')
    const state = await passing(clock, engine.outcome(runId))
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
      const dying = mortal(store())
      const begun = gate()
      let isSecond = false
      const slow = agent('slow', async () => {
        begun.open()
        if (!isSecond) await new Promise(() => undefined)
        return { answer: 'done' }
      })
      const watching = counted(store())
      const { engine: second, clock } = openWorld(watching.store, [slow])
      await second.work()
      const keeping = counted(dying)
      const first = engineFor([slow], { store: keeping.store, clock })
      const runId = await first.start(request(['slow']))
      await eventually(begun.isOpen)
      const { worker } = (await store().run(runId))!
      const diesAt = clock.now() + age
      await timeUntil(clock, keeping.isBusy, async () => clock.now() >= diesAt)
      expect((await store().run(runId))!.worker, 'a live worker keeps its run').toBe(worker)
      dying.crash()
      isSecond = true
      const ms = await timeUntil(clock, watching.isBusy, async () => (await store().run(runId))!.worker !== worker)
      expect(ms).toBeGreaterThan(1_000)
      expect(ms).toBeLessThanOrEqual(12_000)
      expect((await passing(clock, second.outcome(runId))).answer?.text).toBe('slow=succeeded:done')
    },
  )

  it('is left alone where it may not be taken, and is asked about once', async () => {
    const clock = new ManualClock()
    const quick = agent('quick', async () => ({ answer: 'done' }))
    const holder = engineFor([quick], {
      store: store(),
      clock,
      wakeups: { work: async () => {}, stop: async () => {} },
    })
    const runId = await holder.start(request(['quick']))
    await store().claim(runId, 'elsewhere/1/1/boot/1/abc', clock.now() + 9_000, clock.now())
    const asked: string[] = []
    const { store: counting, isBusy } = counted(store())
    const engine = startEngine([quick], { store: counting, clock })
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
