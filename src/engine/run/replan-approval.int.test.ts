import { expect, it } from 'vitest'
import { agent, eventually, openWorld, task, textTool, types } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { GRAPH } from '../../../test/support/test-agents.ts'
import type { TuttiError } from '../../domain/errors.ts'
import type { Task } from '../../domain/plan.ts'
import { agentResultsOf } from '../../domain/agent-results.ts'
import { fold } from '../../domain/state.ts'

/** A plan that is changed around the expiry of an approval. */

const TIMEOUT = 120_000
const mail = (text: string): Task => task('mail', 'mailer', { text })
const WHENS = ['a moment before', 'a moment before, elsewhere', 'after, with nobody at work until then'] as const

describeStores('a plan changed when an approval is about to run out', (store) => {
  /** An engine that changes the plan at that time, and the approval of the plan before. */
  async function at(when: (typeof WHENS)[number]) {
    const sent: string[] = []
    const send = textTool('send', 'irreversible', async (text) => `sent ${sent[sent.push(text) - 1]}`)
    const mailer = agent('mailer', async (given, ctx) => ({ answer: await ctx.call(send, given.text!) }))
    const first = openWorld(store(), [mailer], { ...GRAPH, approvals: { timeoutMs: TIMEOUT } })
    const runId = await first.start([mail('old')], { strategy: 'graph' })
    const old = await first.asked(runId)
    await eventually(async () => (await store().run(runId))?.status === 'waiting')
    if (when !== 'a moment before') await first.engine.close()
    await first.clock.advance(when.startsWith('after') ? TIMEOUT + 1 : TIMEOUT - 1)
    return { ...(when === 'a moment before' ? first : first.next()), sent, runId, old }
  }

  it.each(WHENS)('%s: what is changed is asked for anew, with all the time there is', async (when) => {
    const { clock, sent, engine, end, runId, old } = await at(when)
    await engine.replan(runId, { tasks: [mail('new')] }, 'ann')
    const asked = await eventually(async () => {
      const [found, ...more] = await store().approvals({ runId, status: 'pending' })
      return more.length === 0 && found?.approvalId !== old.approvalId && found
    })
    expect(asked).toMatchObject({ payload: 'new', expiresAt: clock.now() + TIMEOUT })
    await expect(engine.decide(old.approvalId, 'approved', 'eve')).rejects.toMatchObject({ code: 'ApprovalNotPending' })
    // The deadline of the earlier approval does not affect this one.
    await clock.advance(1_000)
    expect(sent).toEqual([])
    await engine.decide(asked.approvalId, 'approved', 'ann')
    const state = await end(runId)
    expect(agentResultsOf(state)).toMatchObject([{ task: 'mail', status: 'succeeded', answer: 'sent new' }])
    expect(sent).toEqual(['new'])
    const events = await engine.events(runId)
    expect(fold(events)).toEqual(state)
    expect(types(events).filter((type) => type === 'approval.decided')).toHaveLength(2)
  })

  it.each(WHENS)('%s: an unchanged task keeps its deadline', async (when) => {
    const { sent, engine, end, runId, old } = await at(when)
    const same = engine.replan(runId, { tasks: [mail('old')] }, 'ann')
    const said = await same.then(
      () => 'taken',
      (thrown: TuttiError) => thrown.code,
    )
    expect(when.startsWith('after') ? ['taken', 'RunConflict'] : ['taken']).toContain(said)
    const state = await end(runId, 1_000)
    expect(agentResultsOf(state)).toMatchObject([{ status: 'failed', error: { type: 'ApprovalTimedOut' } }])
    expect(await store().approvals({ runId })).toMatchObject([{ approvalId: old.approvalId, status: 'timed_out' }])
    expect(sent).toEqual([])
  })

  it.each(WHENS.slice(0, 2))('%s: what stays as it is can still be allowed', async (when) => {
    const { sent, engine, end, runId, old } = await at(when)
    await engine.replan(runId, { tasks: [mail('old')] }, 'ann')
    await engine.decide(old.approvalId, 'approved', 'ann')
    const state = await end(runId)
    expect(agentResultsOf(state)).toMatchObject([{ status: 'succeeded', answer: 'sent old' }])
    expect(sent).toEqual(['old'])
  })
})
