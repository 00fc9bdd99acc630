import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  agent,
  eventually,
  givenPlanner,
  passing,
  request,
  startEngine,
  task,
  tellingComposer,
  types,
} from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import type { TuttiError } from '../../domain/errors.ts'
import { BY_USER } from '../../domain/provenance.ts'
import type { Task } from '../../domain/plan.ts'
import { agentResultsOf } from '../../domain/response.ts'
import { fold } from '../../domain/state.ts'
import { graph } from '../../strategies/graph/next.ts'
import type { ApprovalRecord, RunStore } from '../../domain/store.ts'
import { defineTool } from '../../domain/tool.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { Engine } from '../engine.ts'

/** A plan that is changed around the expiry of an approval. */

const TIMEOUT = 120_000
function open(store: RunStore, clock: ManualClock, sent: string[]): Engine {
  const send = defineTool({
    name: 'mail.send',
    description: 'sends',
    effect: 'irreversible',
    provenance: BY_USER,
    input: z.object({ text: z.string() }),
    run: async ({ text }) => `sent ${sent[sent.push(text) - 1]}`,
  })
  const mailer = agent('mailer', async (given, ctx) => ({ answer: await ctx.call(send, { text: given.text! }) }))
  const engine = startEngine([mailer], {
    store,
    clock,
    strategies: [graph],
    roles: [{ ...givenPlanner, name: 'master-planner' }, tellingComposer],
    approvals: { timeoutMs: TIMEOUT },
  })
  return engine
}

const mail = (text: string): Task => task('mail', 'mailer', { text })
const WHENS = ['a moment before', 'a moment before, elsewhere', 'after, with nobody at work until then'] as const

describeStores('a plan changed when an approval is about to run out', (store) => {
  /** An engine that changes the plan at that time, and the approval of the plan before. */
  async function at(when: (typeof WHENS)[number]) {
    const [clock, sent] = [new ManualClock(), [] as string[]]
    const first = open(store(), clock, sent)
    const runId = await first.start(request([mail('old')], { strategy: 'graph' }))
    const [old] = await pending(runId)
    await eventually(async () => (await store().run(runId))?.status === 'waiting')
    if (when !== 'a moment before') await first.close()
    await clock.advance(when.startsWith('after') ? TIMEOUT + 1 : TIMEOUT - 1)
    const engine = when === 'a moment before' ? first : open(store(), clock, sent)
    return { clock, sent, engine, runId, old: old! }
  }

  const pending = (runId: string, but?: string): Promise<readonly ApprovalRecord[]> =>
    eventually(async () => {
      const found = await store().approvals({ runId, status: 'pending' })
      return found.length === 1 && found[0]!.approvalId !== but && found
    })

  it.each(WHENS)('%s: what is changed is asked for anew, with all the time there is', async (when) => {
    const { clock, sent, engine, runId, old } = await at(when)
    await engine.replan(runId, { tasks: [mail('new')] }, 'ann')
    const [asked] = await pending(runId, old.approvalId)
    expect(asked).toMatchObject({ payload: { text: 'new' }, expiresAt: clock.now() + TIMEOUT })
    await expect(engine.decide(old.approvalId, 'approved', 'eve')).rejects.toMatchObject({ code: 'ApprovalNotPending' })
    // The deadline of the earlier approval does not affect this one.
    await clock.advance(1_000)
    expect(sent).toEqual([])
    await engine.decide(asked!.approvalId, 'approved', 'ann')
    const state = await passing(clock, engine.outcome(runId))
    expect(agentResultsOf(state)).toMatchObject([{ task: 'mail', status: 'succeeded', answer: 'sent new' }])
    expect(sent).toEqual(['new'])
    const events = await engine.events(runId)
    expect(fold(events)).toEqual(state)
    expect(types(events).filter((type) => type === 'approval.decided')).toHaveLength(2)
  })

  it.each(WHENS)('%s: an unchanged task keeps its deadline', async (when) => {
    const { clock, sent, engine, runId, old } = await at(when)
    const same = engine.replan(runId, { tasks: [mail('old')] }, 'ann')
    const said = await same.then(
      () => 'taken',
      (thrown: TuttiError) => thrown.code,
    )
    expect(when.startsWith('after') ? ['taken', 'RunConflict'] : ['taken']).toContain(said)
    const state = await passing(clock, engine.outcome(runId), 1_000)
    expect(agentResultsOf(state)).toMatchObject([{ status: 'failed', error: { type: 'ApprovalTimedOut' } }])
    expect(await store().approvals({ runId })).toMatchObject([{ approvalId: old.approvalId, status: 'timed_out' }])
    expect(sent).toEqual([])
  })

  it.each(WHENS.slice(0, 2))('%s: what stays as it is can still be allowed', async (when) => {
    const { clock, sent, engine, runId, old } = await at(when)
    await engine.replan(runId, { tasks: [mail('old')] }, 'ann')
    await engine.decide(old.approvalId, 'approved', 'ann')
    const state = await passing(clock, engine.outcome(runId))
    expect(agentResultsOf(state)).toMatchObject([{ status: 'succeeded', answer: 'sent old' }])
    expect(sent).toEqual(['old'])
  })
})
