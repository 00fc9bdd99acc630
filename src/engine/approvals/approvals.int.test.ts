import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineRole, type Agent } from '../../domain/actor.ts'
import type { TuttiError } from '../../domain/errors.ts'
import type { Task } from '../../domain/plan.ts'
import { BY_USER, outsideData, ownData, type Provenance } from '../../domain/provenance.ts'
import type { Strategy } from '../../domain/strategy.ts'
import { defineTool } from '../../domain/tool.ts'
import {
  agent,
  openWorld,
  pendingApprovals,
  task,
  tellingComposer,
  textTool,
  types,
  type WorldSettings,
} from '../../../test/support/engine-world.ts'
import { eventually, gate } from '../../../test/support/waiting.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { ALLOWED, answering, holding, Outbox } from '../../../test/support/test-agents.ts'
import { storeWith } from '../../../test/support/watched-store.ts'
import { settled } from '../../testing/manual-clock.ts'

describeStores('an approval', (store) => {
  function open(agents: readonly Agent[] = [], settings: WorldSettings = {}) {
    const outbox = new Outbox()
    return { ...openWorld(store(), [outbox.agent('mailer'), ...agents], settings), outbox, sent: outbox.sent }
  }

  it('is requested with the exact payload while the run is out of memory, and releases the call once given', async () => {
    const sent: string[] = []
    const tool = defineTool({
      name: 'mail.send',
      description: 'sends',
      effect: 'irreversible',
      provenance: BY_USER,
      secretFields: ['password'],
      input: z.object({ to: z.string(), password: z.string() }),
      run: async ({ to }) => `sent to ${sent[sent.push(to) - 1]}`,
    })
    const mailer = agent('mailer', async (_task, ctx) => {
      return { answer: await ctx.call(tool, { to: 'bob', password: 'secret' }) }
    })
    const { engine, clock, start, asked, rest, decide, end } = openWorld(store(), [mailer])
    const runId = await start(['mailer'])
    expect(await asked(runId)).toMatchObject({
      key: 'mailer',
      tool: 'mail.send',
      payload: { to: 'bob', password: '***' },
      reason: 'This call cannot be undone.',
      expiresAt: clock.now() + 120_000,
    })
    expect(sent).toEqual([])
    await rest(runId)
    await clock.advance(60_000)
    await decide(runId)
    const state = await end(runId)
    expect(state.answer?.text).toBe('mailer=succeeded:sent to bob')
    expect(sent).toEqual(['bob'])
    const resumed = (await engine.events(runId)).filter(({ type }) => type === 'run.resumed')
    expect(resumed, 'by the process that left it to wait').toEqual([expect.objectContaining({ after: 'wait' })])
    expect(state.activeMs, 'waiting for people is no time of the run').toBeLessThan(1_000)
    expect(await store().approvals({ runId })).toMatchObject([{ status: 'approved', decidedBy: 'ann' }])
    expect(JSON.stringify(await engine.as('local').events(runId))).not.toContain('secret')
  })

  it('counts once; a late decision is refused with the reason', async () => {
    const { engine, start, asked, end, next } = open()
    const other = next().engine
    const runId = await start(['mailer'])
    const { approvalId } = await asked(runId)
    const attempts = await Promise.allSettled([
      engine.decide(approvalId, 'approved', 'ann'),
      engine.decide(approvalId, 'denied', 'bob'),
      other.decide(approvalId, 'denied', 'eve'),
    ])
    const refusals = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []))
    expect(refusals.map((refusal: TuttiError) => refusal.code)).toEqual(['ApprovalNotPending', 'ApprovalNotPending'])
    await end(runId)
    await expect(engine.decide(approvalId, 'denied', 'eve')).rejects.toThrow(/Too late: this approval is/)
    await expect(engine.decide('none', 'denied', 'eve')).rejects.toMatchObject({
      code: 'ApprovalNotPending',
      message: 'There is no approval none.',
    })
    expect(types(await engine.events(runId)).filter((type) => type === 'approval.decided')).toHaveLength(1)
  })

  it('expires by the clock; the job fails and the others continue', async () => {
    const { engine, sent, start, asked, end } = open([answering('b')], { approvals: { timeoutMs: 5_000 } })
    const runId = await start(['mailer', 'b'])
    const { approvalId } = await asked(runId)
    expect((await end(runId, 1_000)).answer?.text).toBe('mailer=failed:ApprovalTimedOut b=succeeded:b')
    expect(await store().approvals({ runId })).toMatchObject([{ status: 'timed_out', decidedBy: 'clock' }])
    expect(sent).toEqual([])
    await expect(engine.decide(approvalId, 'approved', 'ann')).rejects.toThrow('Too late: this approval is timed out.')
  })

  it('that is given after its deadline counts as timed out, although no timer has fired', async () => {
    const { engine, clock, sent, start, rest, next } = open([], { approvals: { timeoutMs: 5_000 } })
    const runId = await start(['mailer'])
    await rest(runId)
    await engine.close()
    await clock.advance(5_000)
    const later = next()
    await expect(later.decide(runId)).rejects.toThrow('timed out')
    expect((await later.end(runId)).answer?.text).toBe('mailer=failed:ApprovalTimedOut')
    expect(sent).toEqual([])
  })

  it('is decided in another engine, whether the run is in memory or not', async () => {
    const hold = gate()
    const { engine, sent, start, rest, pass, end, next } = open([holding('busy', hold.promise)])
    const second = next()
    const inMemory = await start(['mailer', 'busy'], { strategy: 'graph' })
    await second.decide(inMemory)
    await pass(eventually(async () => (await engine.state(inMemory)).jobs.get('mailer')?.status === 'succeeded'))
    hold.open()
    await end(inMemory)
    expect(types(await engine.events(inMemory))).not.toContain('run.resumed')

    const onDisk = await start(['mailer'])
    await rest(onDisk)
    await second.decide(onDisk)
    expect((await end(onDisk)).status).toBe('finished')
    expect(sent).toEqual(['bob', 'bob'])
  })

  it('that is given while the run leaves memory is not lost', async () => {
    const outbox = new Outbox()
    const [leaving, decided] = [gate(), gate()]
    const slow = storeWith(store(), {
      async release(...args) {
        leaving.open()
        await decided.promise
        await store().release(...args)
      },
    })
    const { clock, start } = openWorld(slow, [outbox.agent()])
    const second = openWorld(store(), [outbox.agent()], { clock })
    const runId = await start(['sender'])
    await eventually(leaving.isOpen)
    await second.decide(runId)
    await settled()
    decided.open()
    // The clock does not advance, so no timer can replace a lost wake-up.
    await eventually(async () => (await store().run(runId))?.status === 'finished')
    expect(outbox.sent).toEqual(['bob'])
  })

  it('survives the death of its worker: the run still waits for the remaining time', async () => {
    const { sent, start, asked, crash, next } = open()
    const runId = await start(['mailer'])
    const approval = await asked(runId)
    await crash()
    const second = next()
    expect(await second.engine.recover()).toContain(runId)
    await second.rest(runId)
    expect(await store().approvals({ runId })).toEqual([approval])
    const third = next()
    await third.decide(runId)
    expect((await third.end(runId)).status).toBe('finished')
    expect(sent).toEqual(['bob'])
  })

  it('suspends the time limits of the attempt and the run', async () => {
    const outbox = new Outbox()
    const [begun, hold] = [gate(), gate()]
    const busy = agent('busy', async () => {
      begun.open()
      await hold.promise
      return {}
    })
    const agents = [outbox.agent('mailer', 'bob', { timeoutMs: 1_000 }), busy]
    const { clock, start, asked, decide, rest, end } = openWorld(store(), agents, { maxParallel: 1 })
    const runId = await start(['mailer', 'busy'], { strategy: 'graph' })
    await asked(runId)
    await begun.promise // the one slot is free: the mailer waits
    await clock.advance(50_000)
    await decide(runId)
    hold.open()
    expect((await end(runId)).jobs.get('mailer')?.status).toBe('succeeded')

    const limited = await start(['mailer'], { budget: { maxTimeMs: 10_000 } })
    await rest(limited)
    await clock.advance(60_000)
    await decide(limited)
    expect((await end(limited)).exhausted).toBeUndefined()
  })

  it.each(['is cancelled', 'has failed', 'ends without the call'])(
    'expires when its run %s, and can no longer be given',
    async (how) => {
      const outbox = new Outbox()
      const look = textTool('look', 'read', (runId: string) =>
        eventually(async () => (await store().approvals({ runId })).length > 0),
      )
      const impatient = agent('impatient', async (_task, ctx) => {
        void ctx.call(outbox.tool, 'eve')
        await ctx.call(look, ctx.runId)
        return { answer: 'did not wait' }
      })
      const failing: Strategy = {
        name: 'failing',
        next: ({ jobs }) =>
          jobs.get('impatient')?.result !== undefined
            ? { finish: 'failed', error: { type: 'Internal', message: 'over' } }
            : ['mailer', 'impatient'].map((key) => ({ key, actor: key, input: task(key) })),
      }
      const { engine, start, rest, end } = open([impatient], how === 'has failed' ? { strategies: [failing] } : {})
      const runId = await (how === 'has failed'
        ? start([], { strategy: 'failing' })
        : start([how === 'is cancelled' ? 'mailer' : 'impatient']))
      if (how === 'is cancelled') {
        await rest(runId)
        await engine.cancel(runId, 'ann')
      }
      const { status } = await end(runId)
      expect(status).toBe({ 'is cancelled': 'cancelled', 'has failed': 'failed' }[how] ?? 'finished')
      const approvals = await store().approvals({ runId })
      expect(new Set(approvals.map((one) => `${one.status} ${one.decidedBy}`))).toEqual(new Set(['expired engine']))
      const late = engine.decide(approvals[0]!.approvalId, 'approved', 'ann')
      await expect(late).rejects.toThrow('this approval is expired')
      expect(outbox.sent).toEqual([])
    },
  )

  it('is requested separately for each call, also for equal ones', async () => {
    const outbox = new Outbox()
    const twice = agent('twice', async (_task, ctx) => {
      const outcomes = await Promise.allSettled(['bob', 'bob', 'ann'].map((to) => ctx.call(outbox.tool, to)))
      return { answer: outcomes.map((outcome) => outcome.status).join() }
    })
    const { engine, start, end } = openWorld(store(), [twice])
    const runId = await start(['twice'])
    const pending = await pendingApprovals(store(), runId, 3)
    expect(new Set(pending.map((approval) => approval.path)).size).toBe(3)
    for (const [i, approval] of pending.entries()) {
      await engine.decide(approval.approvalId, i === 1 ? 'denied' : 'approved', 'ann')
    }
    const { answer } = (await end(runId)).jobs.get('twice')!.result!
    expect(answer?.split(',').sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(outbox.sent).toHaveLength(2)
  })
})

const web = (provenance: Provenance | undefined) =>
  defineTool({
    name: 'web.read',
    description: 'reads',
    effect: 'read',
    reach: 'inside',
    input: z.string(),
    ...(provenance === undefined ? {} : { provenance }),
    run: async (url: string) => `text of ${url}`,
  })

describeStores('untrusted ancestry of a call', (store) => {
  const outside = outsideData('https://evil.example')
  const reading = (name: string, labels: Provenance | undefined) =>
    agent(name, async (_task, ctx) => ({ answer: await ctx.call(web(labels), 'x') }))
  const middle = agent('middle', async (given) => ({ answer: given.inputs()[0]?.result.answer ?? '' }))
  const readers = [
    reading('reader', outside),
    reading('honest', BY_USER),
    reading('silent', undefined),
    reading('books', ownData('books')),
    middle,
  ]
  const after = (name: string, ...dependsOn: string[]) => task(name, name, { dependsOn })

  it.each<[string, (string | Task)[], 'pipeline' | 'graph', string[], Partial<Provenance>]>([
    [
      'a tool that says nothing of what it returns',
      ['silent', 'mailer'],
      'pipeline',
      ['in part from outside: tool web'],
      {},
    ],
    [
      'the operator’s own data',
      ['books', 'mailer'],
      'pipeline',
      ['comes from your data, not from your words: books'],
      {},
    ],
    ['only the user’s words', ['honest', 'mailer'], 'pipeline', [], {}],
    [
      'a page read by an earlier agent',
      ['reader', 'mailer'],
      'pipeline',
      ['This call cannot be undone, and what it is made from comes in part from outside: https://evil.example.'],
      outside,
    ],
    ['a page read by a dependency', ['reader', after('mailer', 'reader')], 'graph', ['https://evil.example'], outside],
    ['a page read by an unrelated job', ['reader', after('honest', 'reader'), 'mailer'], 'graph', [], {}],
    [
      'a page, by way of an agent that read nothing',
      ['reader', after('middle', 'reader'), after('mailer', 'middle')],
      'graph',
      ['https://evil.example'],
      outside,
    ],
  ])('after %s, the settings are overruled only where needed', async (_what, plan, strategy, reasons, labels) => {
    const outbox = new Outbox()
    const agents = [...readers, outbox.agent('mailer')]
    const { engine, start, end } = openWorld(store(), agents, { approvals: ALLOWED })
    const runId = await start(plan, { strategy })
    await eventually(async () => ['waiting', 'finished'].includes((await store().run(runId))!.status))
    const pending = await store().approvals({ runId, status: 'pending' })
    expect(pending.map((one) => one.reason)).toEqual(reasons.map((one) => expect.stringContaining(one)))
    expect(outbox.sent).toHaveLength(1 - pending.length)
    for (const { approvalId } of pending) await engine.decide(approvalId, 'denied', 'ann')
    const { provenance } = (await end(runId)).jobs.get('mailer')!.result!
    expect(provenance).toMatchObject(labels)
  })

  it('asks when the agent itself has read untrusted content, also in an earlier attempt', async () => {
    const outbox = new Outbox()
    let heard = ''
    const run: Agent['run'] = async (_task, ctx) => {
      if (ctx.attempt > 1) return { answer: await ctx.call(outbox.tool, heard) }
      heard = await ctx.call(web(outside), 'x')
      throw new Error('again')
    }
    const agents = [agent('two', run, { limits: { retries: 1 } })]
    const { start, pass, decide, end } = openWorld(store(), agents, { approvals: ALLOWED })
    const runId = await start(['two'])
    await pass(decide(runId))
    await end(runId)
    expect(outbox.sent).toEqual(['text of x'])
  })

  it('keeps the label when the read comes from the journal, in any attempt', async () => {
    const outbox = new Outbox()
    const hold = gate()
    let isSecond = false
    const run: Agent['run'] = async (_task, ctx) => {
      if (ctx.attempt === 1) {
        await ctx.call(web(outside), 'x')
        throw new Error('again')
      }
      if (!isSecond) {
        hold.open()
        await new Promise(() => undefined)
      }
      return { answer: await ctx.call(outbox.tool, 'bob') }
    }
    const agents = [agent('careful', run, { limits: { retries: 1 } })]
    const { start, pass, crash, next } = openWorld(store(), agents, { approvals: ALLOWED })
    const runId = await start(['careful'])
    await pass(eventually(hold.isOpen))
    await eventually(async () => types(await store().read(runId)).includes('job.retrying'))
    await crash()
    isSecond = true
    const { engine, asked } = next()
    await engine.resume(runId)
    await asked(runId)
    expect(outbox.sent).toEqual([])
    await engine.cancel(runId, 'test')
  })

  it('asks when the plan was made from untrusted content', async () => {
    const outbox = new Outbox()
    const planner = defineRole({
      name: 'planner',
      async run(ctx) {
        await ctx.call(web(outside), 'x')
        const plan = { tasks: [task('mailer')] }
        ctx.emit({ type: 'plan.set', plan, by: 'planner', rationale: '', provenance: BY_USER })
        return {}
      },
    })
    const settings = { approvals: ALLOWED, roles: [planner, tellingComposer] }
    const { engine, start, asked } = openWorld(store(), [outbox.agent('mailer')], settings)
    const runId = await start([])
    await asked(runId)
    expect(outbox.sent).toEqual([])
    await engine.cancel(runId, 'test')
  })

  it.each(['inside', 'evil'])('takes the label from the output when the tool derives it: %s', async (url) => {
    const outbox = new Outbox()
    const house = { author: 'user', private: false, sources: ['house'] } as const
    const mixed = textTool('mixed', 'read', async (of: string) => `text of ${of}`, {
      provenance: (text: string) => (text.includes('evil') ? outside : house),
    })
    const reads = agent('reads', async (_task, ctx) => {
      await ctx.call(mixed, url)
      return { answer: await ctx.call(outbox.tool, url) }
    })
    const { engine, start, end, asked } = openWorld(store(), [reads], { approvals: ALLOWED })
    const runId = await start(['reads'])
    if (url === 'evil') {
      await asked(runId)
      return engine.cancel(runId, 'test')
    }
    expect((await end(runId)).jobs.get('reads')?.result?.provenance).toEqual(house)
    expect(await store().approvals({ runId })).toEqual([])
  })
})
