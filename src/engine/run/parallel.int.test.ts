import { expect, it } from 'vitest'
import {
  agent,
  eventually,
  gate,
  givenPlanner,
  passing,
  request,
  task,
  tellingComposer,
  textTool,
  openWorld,
} from '../../../test/support/engine-world.ts'
import { graph } from '../../strategies/graph/next.ts'
import { settled } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'

const MANY = 20

describeStores('waiting jobs take no slot', (store) => {
  it(`${MANY} jobs that wait for approval, eight slots: the other jobs finish meanwhile`, async () => {
    let atWork = 0
    let most = 0
    const send = textTool('send', 'irreversible', async (text: string) => {
      most = Math.max(most, ++atWork)
      await settled(2)
      atWork--
      return text
    })
    const sender = agent('sender', async (given, ctx) => ({ answer: await ctx.call(send, given.id) }))
    const reader = agent('reader', async (given) => ({ answer: given.id }))
    const { engine, clock } = openWorld(store(), [sender, reader], { approvals: { timeoutMs: 1e9 } })
    const waiting = Array.from({ length: MANY }, (_, i) => task(`send${i}`, 'sender'))
    const free = Array.from({ length: MANY }, (_, i) => task(`read${i}`, 'reader'))
    const runId = await engine.start(request([...waiting, ...free], { strategy: 'graph' }))
    await eventually(async () => (await store().run(runId))?.status === 'waiting')
    const { jobs } = await engine.state(runId)
    expect(free.map(({ id }) => jobs.get(id)?.status)).toEqual(free.map(() => 'succeeded'))

    const pending = await store().approvals({ runId, status: 'pending' })
    expect(pending).toHaveLength(MANY)
    await Promise.all(pending.map(({ approvalId }) => engine.decide(approvalId, 'approved', 'ann')))
    const state = await passing(clock, engine.outcome(runId))
    expect(waiting.map(({ id }) => state.jobs.get(id)?.status)).toEqual(waiting.map(() => 'succeeded'))
    expect(most, 'resumed jobs need a slot again').toBeLessThanOrEqual(8)
  })

  it('resumed jobs run before new ones, within the number of slots', async () => {
    const order: string[] = []
    let atWork = 0
    let most = 0
    const sent = new Set<string>()
    const hold = gate()
    const work = async (name: string, until: Promise<unknown>): Promise<void> => {
      most = Math.max(most, ++atWork)
      order.push(name)
      await until
      atWork--
    }
    const send = textTool('send', 'irreversible', async (text: string) => {
      sent.add(text)
      // Each waits for the other, so the order of the disk writes does not matter.
      await work(
        text,
        eventually(() => sent.size === 2),
      )
      return text
    })
    const sender = agent('sender', async (given, ctx) => ({ answer: await ctx.call(send, given.id) }))
    const busy = agent('busy', async (given) => {
      await work(given.id, hold.promise)
      return {}
    })
    const quick = agent('quick', async (given) => {
      await work(given.id, settled(2))
      return {}
    })
    const { engine, clock } = openWorld(store(), [sender, busy, quick], { maxParallel: 2 })
    const plan = [
      task('s1', 'sender'),
      task('s2', 'sender'),
      task('b1', 'busy'),
      task('b2', 'busy'),
      task('q', 'quick'),
    ]
    const runId = await engine.start(request(plan, { strategy: 'graph' }))
    const pending = await eventually(async () => {
      const found = await store().approvals({ runId, status: 'pending' })
      return found.length === 2 && atWork === 2 && found
    })
    await Promise.all(pending.map(({ approvalId }) => engine.decide(approvalId, 'approved', 'ann')))
    await settled()
    expect(order).toHaveLength(2)
    hold.open()
    await passing(clock, engine.outcome(runId))
    expect(order.slice(0, 2).sort()).toEqual(['b1', 'b2'])
    expect(order.slice(2, 4).sort()).toEqual(['s1', 's2'])
    expect(order.at(-1)).toBe('q')
    expect(most).toBe(2)
  })

  it('more jobs than a strategy returns at once run when there are slots for all of them', async () => {
    const hold = gate()
    let atWork = 0
    const busy = agent('busy', async () => {
      atWork++
      await hold.promise
      return {}
    })
    const { engine, clock } = openWorld(store(), [busy], {
      maxParallel: 90,
      strategies: [graph],
      roles: [{ ...givenPlanner, name: 'master-planner' }, tellingComposer],
    })
    const plan = Array.from({ length: 100 }, (_, i) => task(`t${i}`, 'busy'))
    const runId = await engine.start(request(plan, { strategy: 'graph' }))
    await eventually(() => atWork === 90)
    await settled()
    expect(atWork).toBe(90)
    hold.open()
    await passing(clock, engine.outcome(runId))
    expect(atWork).toBe(100)
  })

  it('nor does a job in its retry delay', async () => {
    const shaky = agent(
      'shaky',
      async (_task, ctx) => {
        if (ctx.attempt === 1) throw new Error('for now')
        return { answer: 'second try' }
      },
      { limits: { retries: 1 } },
    )
    const steady = agent('steady', async () => ({ answer: 'done' }))
    const { engine, clock } = openWorld(store(), [shaky, steady], { maxParallel: 1, random: () => 1 })
    const runId = await engine.start(request([task('shaky'), task('steady')], { strategy: 'graph' }))
    // The clock does not advance, so the first job stays in its delay.
    await eventually(async () => (await engine.state(runId)).jobs.get('steady')?.status === 'succeeded')
    expect((await engine.state(runId)).jobs.get('shaky')?.status).toBe('running')
    const state = await passing(clock, engine.outcome(runId))
    expect(state.answer?.text).toContain('shaky=succeeded:second try')
  })
})
