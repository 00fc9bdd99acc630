import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { agent, eventually, openWorld, request, task, textTool } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import type { Agent } from '../../domain/actor.ts'
import type { ApprovalDetails } from '../../domain/approvals.ts'
import { BY_USER, outsideData, type Provenance } from '../../domain/provenance.ts'
import type { RequestInput } from '../../domain/request.ts'
import type { ApprovalRecord } from '../../domain/store.ts'
import { defineTool, type Effect } from '../../domain/tool.ts'

const MAIL = outsideData('a mail')

describeStores('an approval', (store) => {
  const sent: unknown[] = []
  afterEach(() => void sent.splice(0))

  const reading = (provenance: Provenance) => textTool('read', 'read', async () => '', { provenance, reach: 'inside' })
  const sending = (effect: Effect) =>
    defineTool({
      name: 'send',
      description: '',
      effect,
      input: z.object({ to: z.string(), text: z.string(), pin: z.string().optional() }),
      secretFields: ['pin'],
      provenance: BY_USER,
      destination: ({ to }) => to,
      reach: ({ to, text }) => ({ to, parts: [text] }),
      run: async (input) => void sent.push(input),
    })

  /** Sends its mails one after the other, to the names before the colons. */
  const sender = (mails: readonly string[], effect: Effect, seen?: Provenance): Agent =>
    agent('sender', async (_task, ctx) => {
      if (seen !== undefined) await ctx.call(reading(seen), 'x')
      for (const mail of mails) {
        const [to, text] = mail.split(':') as [string, string]
        await ctx.call(sending(effect), { to, text, pin: 'hunter2' })
      }
      return { answer: 'sent' }
    })

  async function run(sends: Agent, decisions: readonly ApprovalDetails[], more: Partial<RequestInput> = {}) {
    const { engine, end } = openWorld(store(), [sends])
    const asking = request([task('sender')], { question: 'Send it', ...more })
    const runId = await engine.start(asking, { owner: 'ann' })
    const asked: ApprovalRecord[] = []
    for (;;) {
      const next = await eventually(async () => {
        const [pending] = await store().approvals({ runId, status: 'pending' })
        return pending ?? ((await store().run(runId))?.status === 'finished' ? 'over' : undefined)
      })
      if (next === 'over') break
      asked.push(next)
      await engine.decide(next.approvalId, 'approved', 'ann', undefined, decisions[asked.length - 1])
    }
    await end(runId)
    return { asked, engine, events: await engine.events(runId) }
  }

  it('of an irreversible call for the run covers only calls to the same destination', async () => {
    const { asked } = await run(sender(['bob:1', 'bob:2', 'eve:3'], 'irreversible'), [{ scope: 'run' }])
    expect(asked).toMatchObject([{ destination: 'bob', scopes: ['once', 'run', 'always'] }, { destination: 'eve' }])
    expect(sent).toHaveLength(3)
  })

  it('of an irreversible call in a turn with content other than the user’s words covers only that call', async () => {
    const { asked } = await run(sender(['ann:1'], 'irreversible'), [{ scope: 'always' }])
    expect(asked).toHaveLength(1)
    const again = await run(sender(['ann:1'], 'irreversible'), [])
    expect(again.asked).toEqual([])
    expect(again.events).toContainEqual(
      expect.objectContaining({ type: 'note', data: expect.objectContaining({ scope: 'always', destination: 'ann' }) }),
    )
    const afterMail = await run(sender(['ann:1', 'ann:2'], 'irreversible', MAIL), [])
    expect(afterMail.asked).toHaveLength(2)
    expect(afterMail.asked[0]?.scopes).toBeUndefined()
  })

  it('of a read covers only its conversation', async () => {
    const conversation = { conversationId: 'c1' }
    const reads = sender(['svc:zarquon', 'svc:velvet'], 'read', MAIL)
    const { asked } = await run(reads, [{ scope: 'conversation' }], conversation)
    expect(asked).toMatchObject([{ scopes: ['conversation', 'once', 'run', 'always'], conversationId: 'c1' }])
    expect((await run(reads, [], conversation)).asked).toEqual([])
    expect((await run(reads, [], { conversationId: 'c2' })).asked).toHaveLength(2)
  })

  it('with a scope is listed, and revoked by its owner only', async () => {
    const { asked, engine } = await run(sender(['dan:1'], 'irreversible'), [{ scope: 'always' }])
    const [{ approvalId }] = asked as [ApprovalRecord]
    const own = engine.as('ann')
    expect(await own.approvals({ isStanding: true, destination: 'dan' })).toMatchObject([
      { approvalId, scope: 'always' },
    ])
    await expect(engine.as('eve').revokeApproval(approvalId, 'eve')).rejects.toMatchObject({ code: 'NotFound' })
    await own.revokeApproval(approvalId, 'ann')
    expect(await own.approvals({ approvalId })).toMatchObject([{ revokedBy: 'ann' }])
    await expect(own.revokeApproval(approvalId, 'ann')).rejects.toMatchObject({ code: 'NotFound' })
    expect((await run(sender(['dan:1'], 'irreversible'), [])).asked).toHaveLength(1)
  })

  it('with an edited payload makes the call with it, and with the secrets of the original', async () => {
    for (const effect of ['irreversible', 'read'] as const) {
      const payload = { to: 'bo', text: 'edited', pin: '***' }
      const { events } = await run(sender(['bo:zarquon'], effect, MAIL), [{ payload }])
      expect(sent.splice(0)).toEqual([{ to: 'bo', text: 'edited', pin: 'hunter2' }])
      const type = effect === 'read' ? 'call.finished' : 'effect.intended'
      const call = events.findLast((event) => event.type === type)
      expect(call).toMatchObject(effect === 'read' ? { input: payload } : { payload })
    }
  })

  it('with an edited payload that the tool refuses is requested again, with the reason', async () => {
    const decisions = [{ payload: { to: 'bo' } }, {}, { payload: { to: 'bo', text: 'right' } }]
    const { asked } = await run(sender(['bo:zarquon'], 'irreversible'), decisions)
    expect(asked.map(({ reason }) => reason.includes('cannot be made'))).toEqual([false, true, true])
    expect(asked[1]).toMatchObject({ payload: { to: 'bo' } })
    expect(sent).toEqual([{ to: 'bo', text: 'right' }])
  })

  it('keeps its edits when the process ends before the call is made', async () => {
    const { start, asked, crash, next } = openWorld(store(), [sender(['kim:zarquon'], 'irreversible')])
    const runId = await start(['sender'])
    const { approvalId } = await asked(runId)
    await crash(60_000)
    const { engine, end } = next()
    const payload = { to: 'kim', text: 'edited' }
    await engine.decide(approvalId, 'approved', 'ann', undefined, { payload })
    await end(runId)
    expect(sent).toEqual([payload])
  })

  it('refuses a scope that it does not offer, and any scope with instructions', async () => {
    const { engine, start, asked, decide, end } = openWorld(store(), [sender(['pat:1'], 'irreversible')])
    const runId = await start(['sender'])
    const { approvalId } = await asked(runId)
    for (const [scope, instructions] of [['conversation'], ['run', 'be short']] as const) {
      const refused = engine.decide(approvalId, 'approved', 'ann', instructions, { scope })
      await expect(refused).rejects.toMatchObject({ code: 'InvalidRequest' })
    }
    await decide(runId, 'denied')
    await end(runId)
  })
})
