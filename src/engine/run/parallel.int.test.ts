import { expect, it } from 'vitest'
import { agent, openWorld, pendingApprovals, task, textTool } from '../../../test/support/engine-world.ts'
import { eventually, gate } from '../../../test/support/waiting.ts'
import { settled } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { answering, GRAPH } from '../../../test/support/test-agents.ts'

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
    const agents = [sender, answering('reader')]
    const { engine, start, end } = openWorld(store(), agents, { approvals: { timeoutMs: 1e9 } })
    const waiting = Array.from({ length: MANY }, (_, i) => task(`send${i}`, 'sender'))
    const free = Array.from({ length: MANY }, (_, i) => task(`read${i}`, 'reader'))
    const runId = await start([...waiting, ...free], { strategy: 'graph' })
    await eventually(async () => (await store().run(runId))?.status === 'waiting')
    const { jobs } = await engine.state(runId)
    expect(free.map(({ id }) => jobs.get(id)?.status)).toEqual(free.map(() => 'succeeded'))

    const pending = await pendingApprovals(store(), runId, MANY)
    await Promise.all(pending.map(({ approvalId }) => engine.decide(approvalId, 'approved', 'ann')))
    const state = await end(runId)
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
    const busy = agent('busy', (given) => work(given.id, hold.promise).then(() => ({})))
    const quick = agent('quick', (given) => work(given.id, settled(2)).then(() => ({})))
    const { engine, start, end } = openWorld(store(), [sender, busy, quick], { maxParallel: 2 })
    const plan = [task('s1', 'sender'), task('s2', 'sender'), task('b1', 'busy'), task('b2', 'busy'), 'quick']
    const runId = await start(plan, { strategy: 'graph' })
    const pending = await pendingApprovals(store(), runId, 2)
    await eventually(() => atWork === 2)
    await Promise.all(pending.map(({ approvalId }) => engine.decide(approvalId, 'approved', 'ann')))
    await settled()
    expect(order).toHaveLength(2)
    hold.open()
    await end(runId)
    expect(order.slice(0, 2).sort()).toEqual(['b1', 'b2'])
    expect(order.slice(2, 4).sort()).toEqual(['s1', 's2'])
    expect(order.at(-1)).toBe('quick')
    expect(most).toBe(2)
  })

  it('more jobs than a strategy returns at once run when there are slots for all of them', async () => {
    const hold = gate()
    const begun: string[] = []
    const busy = agent('busy', async ({ id }) => {
      begun.push(id)
      await hold.promise
      return {}
    })
    const { start, end } = openWorld(store(), [busy], { ...GRAPH, maxParallel: 90 })
    const runId = await start(
      Array.from({ length: 100 }, (_, i) => task(`t${i}`, 'busy')),
      { strategy: 'graph' },
    )
    await eventually(() => begun.length === 90)
    await settled()
    expect(begun).toHaveLength(90)
    hold.open()
    await end(runId)
    expect(begun).toHaveLength(100)
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
    const agents = [shaky, answering('steady')]
    const { engine, start, end } = openWorld(store(), agents, { maxParallel: 1, random: () => 1 })
    const runId = await start(['shaky', 'steady'], { strategy: 'graph' })
    // The clock does not advance, so the first job stays in its delay.
    await eventually(async () => (await engine.state(runId)).jobs.get('steady')?.status === 'succeeded')
    expect((await engine.state(runId)).jobs.get('shaky')?.status).toBe('running')
    const state = await end(runId)
    expect(state.answer?.text).toContain('shaky=succeeded:second try')
  })
})
