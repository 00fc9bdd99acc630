import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent } from '../../domain/actor.ts'
import type { TuttiError } from '../../domain/errors.ts'
import type { Provenance } from '../../domain/provenance.ts'
import { ownData, BY_USER, outsideData } from '../../domain/provenance.ts'
import { defineTool, type Tool } from '../../domain/tool.ts'
import {
  agent,
  engineFor,
  eventually,
  gate,
  mortal,
  passing,
  request,
  startEngine,
  task,
  types,
  textTool,
  openWorld,
  pendingApprovals,
  untilAtRest,
  storeWith,
} from '../../../test/support/engine-world.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'

interface Mail {
  readonly to: string
  readonly password?: string | undefined
}

class Outbox {
  readonly sent: string[] = []
  readonly tool: Tool<Mail, string> = defineTool({
    name: 'mail.send',
    description: 'sends',
    effect: 'irreversible',
    provenance: BY_USER,
    secretFields: ['password'],
    input: z.object({ to: z.string(), password: z.string().optional() }),
    run: async ({ to }) => {
      this.sent.push(to)
      return `sent to ${to}`
    },
  })

  agent(name = 'mailer', to = 'bob'): Agent {
    return agent(name, async (_task, ctx) => ({ answer: await ctx.call(this.tool, { to, password: 'secret' }) }))
  }
}

describeStores('an approval', (store) => {
  it('is requested with the exact payload, and releases the call once given', async () => {
    const outbox = new Outbox()
    const { engine, clock } = openWorld(store(), [outbox.agent()])
    const runId = await engine.start(request(['mailer']))
    const [approval] = await pendingApprovals(store(), runId)
    expect(approval).toMatchObject({
      key: 'mailer',
      tool: 'mail.send',
      payload: { to: 'bob', password: '***' },
      reason: 'This call cannot be undone.',
      expiresAt: clock.now() + 120_000,
    })
    expect(outbox.sent).toEqual([])
    await engine.decide(approval!.approvalId, 'approved', 'ann')
    const state = await passing(clock, engine.outcome(runId))
    expect(state.answer?.text).toBe('mailer=succeeded:sent to bob')
    expect(outbox.sent).toEqual(['bob'])
    expect(await store().approvals({ runId })).toMatchObject([{ status: 'approved', decidedBy: 'ann' }])
    expect(JSON.stringify(await engine.as('local').events(runId))).not.toContain('secret')
  })

  it('counts once; a late decision is refused with the reason', async () => {
    const outbox = new Outbox()
    const { engine, clock } = openWorld(store(), [outbox.agent()])
    const other = startEngine([outbox.agent()], { store: store(), clock })
    const runId = await engine.start(request(['mailer']))
    const [approval] = await pendingApprovals(store(), runId)
    const attempts = await Promise.allSettled([
      engine.decide(approval!.approvalId, 'approved', 'ann'),
      engine.decide(approval!.approvalId, 'denied', 'bob'),
      other.decide(approval!.approvalId, 'denied', 'eve'),
    ])
    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
    const refusals = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []))
    expect(refusals.map((refusal: TuttiError) => refusal.code)).toEqual(['ApprovalNotPending', 'ApprovalNotPending'])
    await passing(clock, engine.outcome(runId))
    await expect(engine.decide(approval!.approvalId, 'denied', 'eve')).rejects.toThrow(/Too late: this approval is/)
    await expect(engine.decide('none', 'denied', 'eve')).rejects.toMatchObject({
      code: 'ApprovalNotPending',
      message: 'There is no approval none.',
    })
    const decided = (await engine.events(runId)).filter((event) => event.type === 'approval.decided')
    expect(decided).toHaveLength(1)
  })

  it('expires by the clock; the job fails and the others continue', async () => {
    const outbox = new Outbox()
    const { engine, clock } = openWorld(store(), [outbox.agent(), agent('b', async () => ({ answer: 'b' }))], {
      approvals: { timeoutMs: 5_000 },
    })
    const runId = await engine.start(request(['mailer', 'b']))
    const [approval] = await pendingApprovals(store(), runId)
    const state = await passing(clock, engine.outcome(runId), 1_000)
    expect(state.answer?.text).toBe('mailer=failed:ApprovalTimedOut b=succeeded:b')
    expect(await store().approvals({ runId })).toMatchObject([{ status: 'timed_out', decidedBy: 'clock' }])
    expect(outbox.sent).toEqual([])
    await expect(engine.decide(approval!.approvalId, 'approved', 'ann')).rejects.toThrow(
      'Too late: this approval is timed out.',
    )
  })

  it('that is given after its deadline counts as timed out, although no timer has fired', async () => {
    const outbox = new Outbox()
    const { engine, clock } = openWorld(store(), [outbox.agent()], { approvals: { timeoutMs: 5_000 } })
    const runId = await engine.start(request(['mailer']))
    const [approval] = await pendingApprovals(store(), runId)
    await untilAtRest(store(), runId)
    await engine.close()
    await clock.advance(5_000)
    const later = startEngine([outbox.agent()], { store: store(), clock })
    await expect(later.decide(approval!.approvalId, 'approved', 'ann')).rejects.toThrow('timed out')
    const state = await passing(clock, later.outcome(runId))
    expect(state.answer?.text).toBe('mailer=failed:ApprovalTimedOut')
    expect(outbox.sent).toEqual([])
  })

  it('is decided in another engine, whether the run is in memory or not', async () => {
    const outbox = new Outbox()
    const hold = gate()
    const busy = agent('busy', async () => {
      await hold.promise
      return {}
    })
    const { engine: first, clock } = openWorld(store(), [outbox.agent(), busy])
    const second = startEngine([outbox.agent(), busy], { store: store(), clock })

    const inMemory = await first.start(request([task('mailer'), task('busy')], { strategy: 'graph' }))
    const [here] = await pendingApprovals(store(), inMemory)
    await second.decide(here!.approvalId, 'approved', 'ann')
    await passing(
      clock,
      eventually(async () => (await first.state(inMemory)).jobs.get('mailer')?.status === 'succeeded'),
    )
    hold.open()
    await passing(clock, first.outcome(inMemory))
    expect(types(await first.events(inMemory))).not.toContain('run.resumed')

    const onDisk = await first.start(request(['mailer']))
    const [there] = await pendingApprovals(store(), onDisk)
    await untilAtRest(store(), onDisk)
    await second.decide(there!.approvalId, 'approved', 'ann')
    expect((await passing(clock, first.outcome(onDisk))).status).toBe('finished')
    expect(outbox.sent).toEqual(['bob', 'bob'])
  })

  it('that is given while the run leaves memory is not lost', async () => {
    const outbox = new Outbox()
    const leaving = gate()
    const decided = gate()
    const slow = storeWith(store(), {
      async release(...args) {
        leaving.open()
        await decided.promise
        await store().release(...args)
      },
    })
    const { engine: first, clock } = openWorld(slow, [outbox.agent()])
    const second = startEngine([outbox.agent()], { store: store(), clock })
    const runId = await first.start(request(['mailer']))
    await eventually(leaving.isOpen)
    const [approval] = await pendingApprovals(store(), runId)
    await second.decide(approval!.approvalId, 'approved', 'ann')
    await settled()
    decided.open()
    // The clock does not advance, so no timer can replace a lost wake-up.
    await eventually(async () => (await store().run(runId))?.status === 'finished')
    expect(outbox.sent).toEqual(['bob'])
  })

  it('lets the run leave memory, and reloads it', async () => {
    const outbox = new Outbox()
    let begun = 0
    const { engine, clock } = openWorld(store(), [
      agent('mailer', async (_task, ctx) => {
        begun++
        return { answer: await ctx.call(outbox.tool, { to: 'bob' }) }
      }),
    ])
    const runId = await engine.start(request(['mailer']))
    await untilAtRest(store(), runId)
    const [approval] = await pendingApprovals(store(), runId)
    await clock.advance(60_000)
    await engine.decide(approval!.approvalId, 'approved', 'ann')
    await eventually(async () => (await store().run(runId))?.status !== 'waiting')
    const state = await passing(clock, engine.outcome(runId))
    expect(state.answer?.text).toBe('mailer=succeeded:sent to bob')
    expect(begun).toBe(2)
    const resumed = (await engine.events(runId)).filter(({ type }) => type === 'run.resumed')
    expect(resumed, 'by the process that left it to wait').toEqual([expect.objectContaining({ after: 'wait' })])
    expect(state.activeMs, 'waiting for people is no time of the run').toBeLessThan(1_000)
  })

  it('survives the death of its worker: the run still waits for the remaining time', async () => {
    const clock = new ManualClock()
    const outbox = new Outbox()
    const dying = mortal(store())
    const first = engineFor([outbox.agent()], { store: dying, clock })
    const runId = await first.start(request(['mailer']))
    const [approval] = await pendingApprovals(store(), runId)
    dying.crash()
    await clock.advance(40_000) // its lease is over

    const second = startEngine([outbox.agent()], { store: store(), clock })
    expect(await second.recover()).toContain(runId)
    await untilAtRest(store(), runId)
    expect(await store().approvals({ runId })).toEqual([approval])
    const third = startEngine([outbox.agent()], { store: store(), clock })
    await third.decide(approval!.approvalId, 'approved', 'ann')
    expect((await passing(clock, third.outcome(runId))).status).toBe('finished')
    expect(outbox.sent).toEqual(['bob'])
  })

  it('suspends the time limits of the attempt and the run', async () => {
    const outbox = new Outbox()
    const begun = gate()
    const hold = gate()
    const busy = agent('busy', async () => {
      begun.open()
      await hold.promise
      return {}
    })
    const mailer = { ...outbox.agent(), limits: { timeoutMs: 1_000 } }
    const { engine, clock } = openWorld(store(), [mailer, busy], { maxParallel: 1 })
    const plan = [task('mailer'), task('busy')]
    const runId = await engine.start(request(plan, { strategy: 'graph' }))
    const [approval] = await pendingApprovals(store(), runId)
    await begun.promise // the one slot is free: the mailer waits
    await clock.advance(50_000)
    await engine.decide(approval!.approvalId, 'approved', 'ann')
    hold.open()
    const state = await passing(clock, engine.outcome(runId))
    expect(state.jobs.get('mailer')?.status).toBe('succeeded')

    const limited = await engine.start(request(['mailer'], { budget: { maxTimeMs: 10_000 } }))
    const [second] = await pendingApprovals(store(), limited)
    await untilAtRest(store(), limited)
    await clock.advance(60_000)
    await engine.decide(second!.approvalId, 'approved', 'ann')
    expect((await passing(clock, engine.outcome(limited))).exhausted).toBeUndefined()
  })

  it('expires when its run is cancelled or its job is over, and can no longer be given', async () => {
    const outbox = new Outbox()
    const look = textTool('look', 'read', (runId: string) =>
      eventually(async () => (await store().approvals({ runId })).length > 0),
    )
    const impatient = agent('impatient', async (_task, ctx) => {
      void ctx.call(outbox.tool, { to: 'eve' })
      await ctx.call(look, ctx.runId)
      return { answer: 'did not wait' }
    })
    const { engine, clock } = openWorld(store(), [outbox.agent(), impatient])
    const cancelled = await engine.start(request(['mailer']))
    const [approval] = await pendingApprovals(store(), cancelled)
    await untilAtRest(store(), cancelled)
    await engine.cancel(cancelled, 'ann')
    expect((await passing(clock, engine.outcome(cancelled))).status).toBe('cancelled')
    expect(await store().approvals({ runId: cancelled })).toMatchObject([{ status: 'expired' }])
    await expect(engine.decide(approval!.approvalId, 'approved', 'ann')).rejects.toThrow('this approval is expired')

    const over = await engine.start(request(['impatient']))
    const state = await passing(clock, engine.outcome(over))
    expect(state.answer?.text).toBe('impatient=succeeded:did not wait')
    expect(await store().approvals({ runId: over })).toMatchObject([{ status: 'expired' }])
    expect(outbox.sent).toEqual([])
  })

  it('is requested separately for each call, also for equal ones', async () => {
    const outbox = new Outbox()
    const twice = agent('twice', async (_task, ctx) => {
      const call = () => ctx.call(outbox.tool, { to: 'bob' })
      const outcomes = await Promise.allSettled([call(), call(), ctx.call(outbox.tool, { to: 'ann' })])
      return { answer: outcomes.map((outcome) => outcome.status).join() }
    })
    const { engine, clock } = openWorld(store(), [twice])
    const runId = await engine.start(request(['twice']))
    const pending = await pendingApprovals(store(), runId, 3)
    expect(new Set(pending.map((approval) => approval.path)).size).toBe(3)
    for (const [i, approval] of pending.entries()) {
      await engine.decide(approval.approvalId, i === 1 ? 'denied' : 'approved', 'ann')
    }
    const state = await passing(clock, engine.outcome(runId))
    expect(state.jobs.get('twice')?.result?.answer?.split(',').sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
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
  const allowAll = { allowsWithoutApproval: () => true }
  const outside = outsideData('https://evil.example')
  const reader = agent('reader', async (_task, ctx) => ({ answer: await ctx.call(web(outside), 'x') }))
  const honest = agent('honest', async (_task, ctx) => ({ answer: await ctx.call(web(BY_USER), 'x') }))
  const silent = agent('silent', async (_task, ctx) => ({ answer: await ctx.call(web(undefined), 'x') }))
  const books = agent('books', async (_task, ctx) => ({ answer: await ctx.call(web(ownData('books')), 'x') }))

  /** Runs until it waits or is over. Returns whether an approval was requested. */
  async function isAsked(
    agents: readonly Agent[],
    plan: Parameters<typeof request>[0],
    strategy: 'pipeline' | 'graph',
  ) {
    const outbox = new Outbox()
    const { engine, clock } = openWorld(store(), [...agents, outbox.agent()], { approvals: allowAll })
    const runId = await engine.start(request(plan, { strategy }))
    const record = await eventually(async () => {
      const found = await store().run(runId)
      return (found?.status === 'waiting' || found?.status === 'finished') && found
    })
    const pending = await store().approvals({ runId, status: 'pending' })
    expect(outbox.sent).toHaveLength(record.status === 'finished' ? 1 : 0)
    for (const { approvalId } of pending) await engine.decide(approvalId, 'denied', 'ann')
    const state = await passing(clock, engine.outcome(runId))
    return { asked: pending.length > 0, reason: pending[0]?.reason, state }
  }

  it.each([
    ['says nothing of what it returns', silent, 'comes in part from outside: tool web.read'],
    ['reads the operator’s own data', books, 'comes from your data, not from your words: books'],
  ])('asks after a tool that %s', async (_what, reads, reason) => {
    const { asked, reason: told } = await isAsked([reads], [reads.name, 'mailer'], 'pipeline')
    expect([asked, told]).toEqual([true, expect.stringContaining(reason)])
  })

  it('does not ask about trusted calls that the settings allow', async () => {
    const { asked, state } = await isAsked([honest], ['honest', 'mailer'], 'pipeline')
    expect(asked).toBe(false)
    expect(state.answer?.text).toContain('mailer=succeeded:sent to bob')
  })

  it('asks after an earlier agent in the pipeline has read untrusted content', async () => {
    const { asked, reason, state } = await isAsked([reader], ['reader', 'mailer'], 'pipeline')
    expect(asked).toBe(true)
    expect(reason).toBe(
      'This call cannot be undone, and what it is made from comes in part from outside: https://evil.example.',
    )
    expect(state.jobs.get('mailer')?.result?.provenance).toEqual(outside)
  })

  it('asks when a dependency has read it, and not when only an unrelated job has', async () => {
    const dependent = [task('reader'), task('mailer', 'mailer', { dependsOn: ['reader'] })]
    expect((await isAsked([reader], dependent, 'graph')).asked).toBe(true)
    const apart = [task('reader'), task('honest', 'honest', { dependsOn: ['reader'] }), task('mailer')]
    expect((await isAsked([reader, honest], apart, 'graph')).asked).toBe(false)
  })

  it('passes through agents that read nothing themselves', async () => {
    const middle = agent('middle', async (given) => ({ answer: given.inputs()[0]?.result.answer ?? '' }))
    const plan = [
      task('reader'),
      task('middle', 'middle', { dependsOn: ['reader'] }),
      task('mailer', 'mailer', { dependsOn: ['middle'] }),
    ]
    expect((await isAsked([reader, middle], plan, 'graph')).asked).toBe(true)
  })

  it('asks when the agent itself has read untrusted content, also in an earlier attempt', async () => {
    const outbox = new Outbox()
    let heard = ''
    const twoAttempts = agent(
      'two',
      async (_task, ctx) => {
        if (ctx.attempt === 1) {
          heard = await ctx.call(web(outside), 'x')
          throw new Error('again')
        }
        return { answer: await ctx.call(outbox.tool, { to: heard }) }
      },
      { limits: { retries: 1 } },
    )
    const { engine, clock } = openWorld(store(), [twoAttempts], { approvals: allowAll })
    const runId = await engine.start(request(['two']))
    const [approval] = await passing(clock, pendingApprovals(store(), runId))
    await engine.decide(approval!.approvalId, 'approved', 'ann')
    await passing(clock, engine.outcome(runId))
    expect(outbox.sent).toEqual(['text of x'])
  })

  it('keeps the label when the read comes from the journal, in any attempt', async () => {
    const outbox = new Outbox()
    const clock = new ManualClock()
    const dying = mortal(store())
    const hold = gate()
    let isSecond = false
    const careful = agent(
      'careful',
      async (_task, ctx) => {
        if (ctx.attempt === 1) {
          await ctx.call(web(outside), 'x')
          throw new Error('again')
        }
        if (!isSecond) {
          hold.open()
          await new Promise(() => undefined)
        }
        return { answer: await ctx.call(outbox.tool, { to: 'bob' }) }
      },
      { limits: { retries: 1 } },
    )
    const first = engineFor([careful], { store: dying, clock, approvals: allowAll })
    const runId = await first.start(request(['careful']))
    await passing(clock, eventually(hold.isOpen))
    await eventually(async () => types(await store().read(runId)).includes('job.retrying'))
    dying.crash()
    await clock.advance(40_000)
    isSecond = true
    const second = startEngine([careful], { store: store(), clock, approvals: allowAll })
    await second.resume(runId)
    expect(await pendingApprovals(store(), runId)).toHaveLength(1)
    expect(outbox.sent).toEqual([])
    await second.cancel(runId, 'test')
  })

  it('asks when the plan was made from untrusted content', async () => {
    const { defineRole } = await import('../../domain/actor.ts')
    const { tellingComposer } = await import('../../../test/support/engine-world.ts')
    const outbox = new Outbox()
    const planner = defineRole({
      name: 'planner',
      async run(ctx) {
        await ctx.call(web(outside), 'x')
        const trusted = { author: 'user', private: false, sources: [] } as const
        ctx.emit({
          type: 'plan.set',
          plan: { tasks: [task('mailer')] },
          by: 'planner',
          rationale: '',
          provenance: trusted,
        })
        return {}
      },
    })
    const { engine } = openWorld(store(), [outbox.agent()], { approvals: allowAll, roles: [planner, tellingComposer] })
    const runId = await engine.start(request([]))
    expect(await pendingApprovals(store(), runId)).toHaveLength(1)
    expect(outbox.sent).toEqual([])
    await engine.cancel(runId, 'test')
  })

  it('takes the label from the output when the tool derives it from there', async () => {
    const clock = new ManualClock()
    const outbox = new Outbox()
    const mixed = textTool('mixed', 'read', async (url: string) => `text of ${url}`, {
      provenance: (text: string) =>
        text.includes('evil') ? outside : { author: 'user', private: false, sources: ['house'] },
    })
    const reads = (url: string) =>
      agent('reads', async (_task, ctx) => {
        await ctx.call(mixed, url)
        return { answer: await ctx.call(outbox.tool, { to: url }) }
      })
    const of = async (url: string) => {
      const engine = startEngine([reads(url)], { store: store(), clock, approvals: allowAll })
      const runId = await engine.start(request(['reads']))
      await eventually(async () => ['waiting', 'finished'].includes((await store().run(runId))!.status))
      const asked = (await store().approvals({ runId, status: 'pending' })).length
      if (asked > 0) await engine.cancel(runId, 'test')
      return { asked, provenance: (await passing(clock, engine.outcome(runId))).jobs.get('reads')?.result?.provenance }
    }
    expect(await of('inside')).toEqual({ asked: 0, provenance: { author: 'user', private: false, sources: ['house'] } })
    expect((await of('evil')).asked).toBe(1)
  })
})
