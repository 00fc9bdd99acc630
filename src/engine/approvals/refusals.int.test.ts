import { describe, expect, it } from 'vitest'
import { responseOf } from '../../domain/response.ts'
import type { Strategy } from '../../domain/strategy.ts'
import { graph } from '../../strategies/graph/next.ts'
import {
  agent,
  engineFor,
  eventually,
  givenPlanner,
  outcomeOf,
  passing,
  request,
  startEngine,
  task,
  tellingComposer,
  textTool,
  openWorld,
  pendingApproval,
} from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'

function sender() {
  const sent: string[] = []
  const tool = textTool('send_email', 'irreversible', async (text: string) => void sent.push(text))
  const mailer = agent('mailer', async (_task, ctx) => {
    await ctx.call(tool, 'to bob')
    return { answer: 'sent' }
  })
  return { sent, tool, mailer }
}

describeStores('a refusal', (store) => {
  it('reports to dependent jobs the denied call, with reason and tools', async () => {
    const { mailer, sent } = sender()
    const after = agent('after', async (given) => ({ answer: JSON.stringify(given.inputs()[0]!.result.partial) }))
    const { engine, clock } = openWorld(store(), [mailer, after])
    const plan = [task('mailer'), task('after', 'after', { dependsOn: ['mailer'] })]
    const runId = await engine.start(request(plan, { strategy: 'graph' }))
    await engine.decide((await pendingApproval(store(), runId)).approvalId, 'denied', 'ann', 'ask me first')
    const state = await passing(clock, engine.outcome(runId))
    const partial = { reason: 'denied_by_user', tools: ['send_email'] }
    expect(state.jobs.get('mailer')?.result).toMatchObject({
      status: 'failed',
      partial,
      error: { type: 'ApprovalDenied', message: 'ann denied sending this mail: ask me first.' },
    })
    expect(JSON.parse(state.jobs.get('after')!.result!.answer!)).toEqual(partial)
    expect(sent).toEqual([])
  })

  it('gives the dependent task of the graph the reason; others continue', async () => {
    const seen: unknown[] = []
    const after = agent('after', async ({ inputs }) => {
      seen.push(...inputs().map(({ result }) => result.partial))
      return {}
    })
    const { mailer } = sender()
    const { engine, clock } = openWorld(store(), [mailer, after, agent('beside', async () => ({ answer: 'here' }))], {
      strategies: [graph],
      roles: [{ ...givenPlanner, name: 'master-planner' }, tellingComposer],
    })
    const plan = [task('mailer'), task('after', 'after', { dependsOn: ['mailer'] }), task('beside')]
    const runId = await engine.start(request(plan, { strategy: 'graph' }))
    await engine.decide((await pendingApproval(store(), runId)).approvalId, 'denied', 'ann')
    const { jobs } = await passing(clock, engine.outcome(runId))
    expect(jobs.get('after')?.result?.status).toBe('succeeded')
    expect(seen).toEqual([expect.objectContaining({ reason: 'denied_by_user' })])
    expect(jobs.get('beside')?.result?.answer).toBe('here')
  })

  it('does not replace the agent’s own partial result', async () => {
    const { tool } = sender()
    const careful = agent('careful', async (_task, ctx) => {
      const draft = { draft: 'Dear Bob' }
      try {
        await ctx.call(tool, 'x')
        return {}
      } catch {
        return { status: 'failed', partial: draft }
      }
    })
    const { engine, clock } = openWorld(store(), [careful])
    const runId = await engine.start(request(['careful']))
    await engine.decide((await pendingApproval(store(), runId)).approvalId, 'denied', 'ann')
    const state = await passing(clock, engine.outcome(runId))
    expect(state.jobs.get('careful')?.result?.partial).toEqual({ draft: 'Dear Bob' })
  })
})

describeStores('a request without a user to ask', (store) => {
  const unwatched = { interactive: false } as const

  it('asks nobody: the call fails at once, the others continue, and the response names the reason', async () => {
    const { mailer, sent } = sender()
    const { engine, clock } = openWorld(store(), [mailer, agent('other', async () => ({ answer: 'done' }))])
    const before = clock.now()
    const runId = await engine.start(request(['mailer', 'other'], unwatched))
    const state = await engine.outcome(runId) // no time passes
    expect(clock.now()).toBe(before)
    expect(state.answer?.text).toBe('mailer=failed:ApprovalDenied other=succeeded:done')
    expect(state.jobs.get('mailer')?.result).toMatchObject({
      partial: { reason: 'hitl_skipped_non_streaming', tools: ['send_email'] },
      error: { details: { reason: 'hitl_skipped_non_streaming' } },
    })
    const { metadata } = responseOf(await engine.events(runId))
    expect(metadata.notes.join()).toContain('Ask again where a person can decide.')
    expect(await store().approvals({ runId })).toEqual([])
    expect(sent).toEqual([])
  })

  it('still makes calls that the settings allow', async () => {
    const { mailer, sent } = sender()
    const { engine, clock } = openWorld(store(), [mailer], { approvals: { allowsWithoutApproval: () => true } })
    expect((await outcomeOf(engine, clock, request(['mailer'], unwatched))).answer?.text).toContain('succeeded')
    expect(sent).toEqual(['to bob'])
  })

  it('passes this setting on to nested runs', async () => {
    const { mailer, sent } = sender()
    const team = agent('team', async (_task, ctx) => {
      const child = await ctx.startRun(request(['mailer']))
      return { answer: child.answer?.text ?? '' }
    })
    const { engine, clock } = openWorld(store(), [mailer, team])
    const state = await outcomeOf(engine, clock, request(['team'], unwatched))
    expect(state.jobs.get('team')?.result?.answer).toBe('mailer=failed:ApprovalDenied')
    expect(sent).toEqual([])
  })
})

describeStores('a pending approval', (store) => {
  it('expires when its run fails; closing the program leaves it pending', async () => {
    const { mailer } = sender()
    const ends = textTool('ends', 'read', (runId: string) =>
      eventually(async () => (await store().approvals({ runId })).length > 0),
    )
    const bomb = agent('bomb', async (_task, ctx) => ({ answer: String(await ctx.call(ends, ctx.runId)) }))
    const failing: Strategy = {
      name: 'pipeline',
      next: ({ jobs }) =>
        jobs.get('bomb')?.result !== undefined
          ? { finish: 'failed', error: { type: 'Internal', message: 'over' } }
          : ['mailer', 'bomb'].map((key) => ({ key, actor: key, input: task(key) })),
    }
    const { engine, clock } = openWorld(store(), [mailer, bomb], { strategies: [failing] })
    const runId = await engine.start(request([]))
    expect((await passing(clock, engine.outcome(runId))).status).toBe('failed')
    expect(await store().approvals({ runId })).toMatchObject([{ status: 'expired', decidedBy: 'engine' }])

    const first = engineFor([mailer], { store: store(), clock })
    const waiting = await first.start(request(['mailer']))
    await pendingApproval(store(), waiting)
    await first.close()
    const second = startEngine([mailer], { store: store(), clock })
    await second.recover()
    expect(await store().approvals({ runId: waiting })).toMatchObject([{ status: 'pending' }])
    await second.decide((await pendingApproval(store(), waiting)).approvalId, 'approved', 'ann')
    expect((await passing(clock, second.outcome(waiting))).answer?.text).toContain('succeeded')
  })
})

describe('the request', () => {
  it('is interactive by default', () => {
    expect(request([]).interactive).toBeUndefined()
    expect(() => request([], { interactive: 'no' as never })).toThrow('interactive')
  })
})
