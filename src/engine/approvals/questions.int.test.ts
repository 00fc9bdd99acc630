import { expect, it } from 'vitest'
import { agent, eventually, openWorld, textTool } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import type { Agent, ActorContext } from '../../domain/actor.ts'
import { outsideData } from '../../domain/provenance.ts'
import { isQuestion } from '../../domain/approvals.ts'
import type { RunStore } from '../../domain/store.ts'
import type { Engine } from '../engine.ts'

const DAY = 24 * 3_600_000

const page = textTool('read_page', 'read', async () => 'words of a stranger', {
  provenance: outsideData('a page'),
  reach: 'inside',
})

type Act = (ctx: ActorContext) => Promise<string>
const asking = (act: Act): Agent => agent('asks', async (_task, ctx) => ({ answer: await act(ctx) }))
const open = (store: RunStore, act: Act) => openWorld(store, [asking(act)], { approvals: { timeoutMs: 3 * DAY } })
const waiting = (engine: Engine) =>
  eventually(async () => (await engine.as('local').approvals({ status: 'pending' }))[0])

describeStores('a question to the user', (store) => {
  it('waits over a restart, and comes back the next day as the user’s own words', async () => {
    const ask: Act = async (ctx) => `You said: ${await ctx.question('Which year?')}`
    const first = open(store(), ask)
    const runId = await first.start(['asks'])
    const asked = await waiting(first.engine)
    expect([isQuestion(asked), asked.payload, asked.reason]).toEqual([
      true,
      { question: 'Which year?' },
      'The run continues with your answer.',
    ])
    await first.engine.close()
    await first.clock.advance(DAY)
    let times = 0
    const { engine: second, end } = first.next([asking(async (ctx) => (times++, ask(ctx)))])
    await expect(second.as('local').decide(asked.approvalId, 'approved', 'user')).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: 'This is a question: answer it in words, or deny to leave it unanswered.',
    })
    await expect(second.as('eve').decide(asked.approvalId, 'approved', 'eve', '1999')).rejects.toMatchObject({
      code: 'ApprovalNotPending',
    })
    await second.as('local').decide(asked.approvalId, 'approved', 'user', ' The last one. ')
    const state = await end(runId)
    expect(state.jobs.get('asks')?.result).toMatchObject({
      answer: 'You said: The last one.',
      provenance: { author: 'user' },
    })
    // An answer is not an instruction: the job does not restart.
    expect([times, state.jobs.get('asks')?.attempt, state.jobs.get('asks')?.result?.effectiveTask]).toEqual([
      1,
      1,
      undefined,
    ])
  })

  it('names its origin when untrusted content contributed', async () => {
    const { engine, start, end } = open(store(), async (ctx) => ctx.question(await ctx.call(page, '')))
    const runId = await start(['asks'])
    const asked = await waiting(engine)
    expect(asked.reason).toBe(
      'The run continues with your answer. Mind that what it is made from comes in part from outside: a page.',
    )
    await engine.decide(asked.approvalId, 'approved', 'user', 'yes')
    const state = await end(runId)
    expect(state.jobs.get('asks')?.result).toMatchObject({ answer: 'yes', provenance: { author: 'outside' } })
  })

  it.each([
    ['denied', { code: 'ApprovalDenied', message: 'The person left "Who?" unanswered: none of your business.' }],
    ['late', { code: 'ApprovalTimedOut', message: 'Nobody answered "Who?" in time.' }],
  ] as const)('that is %s ends its job with that result', async (how, { code, message }) => {
    const { engine, clock, start, end } = open(store(), async (ctx) => ctx.question('Who?'))
    const runId = await start(['asks'])
    const { approvalId } = await waiting(engine)
    if (how === 'late') await clock.advance(3 * DAY + 1)
    else await engine.decide(approvalId, 'denied', 'user', 'none of your business')
    const state = await end(runId)
    expect(state.jobs.get('asks')?.result?.error).toMatchObject({ type: code, message })
  })

  it('is not asked when no user can answer', async () => {
    const state = await open(store(), async (ctx) => ctx.question('Who?')).run(['asks'], { interactive: false })
    expect(state.approvals.size).toBe(0)
    expect(state.jobs.get('asks')?.result?.error).toMatchObject({
      type: 'ApprovalDenied',
      message:
        '"Who?" was not asked, because nobody can answer during this request. Ask again where a person can answer.',
    })
  })
})
