import { describe, expect, it } from 'vitest'
import { agent, eventually, memoryEngine, openWorld, request } from '../../test/support/engine-world.ts'
import { describeStores } from '../../test/support/stores.ts'
import { Outbox, team } from '../../test/support/test-agents.ts'

const writer = agent('writer', async (_task, ctx) => {
  const { id } = await ctx.artifacts.keep({ name: 'a.txt', mediaType: 'text/plain', bytes: new Uint8Array([1]) })
  return { answer: `kept as ${id}` }
})
const inner = agent('inner', async (_task, ctx) => ({ answer: `for ${ctx.owner}` }))

describeStores('two owners, same words', (store) => {
  const files = (owner: string) => store().artifacts.list(owner)
  const world = () => {
    const agents = [new Outbox().agent(), team(['inner']), inner, writer]
    const { engine } = openWorld(store(), agents)
    return { engine, ann: engine.as('ann'), bob: engine.as('bob') }
  }

  it('shows each owner their own runs and approvals, and nothing of the other', async () => {
    const { ann, bob } = world()
    const hers = await ann.start(request(['sender'], { question: 'Send it' }))
    const his = await bob.start(request(['sender'], { question: 'Send it' }))
    const approvalOf = (of: typeof ann) => eventually(async () => (await of.approvals({ status: 'pending' }))[0])
    const [herApproval, hisApproval] = [await approvalOf(ann), await approvalOf(bob)]
    expect(herApproval).toMatchObject({ runId: hers, owner: 'ann' })
    expect(hisApproval).toMatchObject({ runId: his, owner: 'bob' })
    expect((await ann.runs()).map((run) => [run.runId, run.owner])).toEqual([[hers, 'ann']])
    expect((await bob.runs({ status: ['waiting', 'running'] })).map((run) => run.runId)).toEqual([his])
    expect(await bob.approvals({ runId: hers })).toEqual([])
    expect(await bob.approvals({ approvalId: herApproval.approvalId })).toEqual([])
    expect(await bob.run(hers)).toBeUndefined()
    expect((await ann.run(hers))?.owner).toBe('ann')

    // The same message as for an unknown id.
    const none = (id: string) => ({ code: 'RunNotFound', message: `There is no run ${id}.` })
    for (const id of [hers, 'nobody-has-this']) {
      await expect(bob.events(id)).rejects.toMatchObject(none(id))
      await expect(bob.state(id)).rejects.toMatchObject(none(id))
      await expect(bob.outcome(id)).rejects.toMatchObject(none(id))
      await expect(bob.resume(id)).rejects.toMatchObject(none(id))
      await expect(bob.cancel(id, 'bob')).rejects.toMatchObject(none(id))
      await expect(bob.fork(id, 'plan:1')).rejects.toMatchObject(none(id))
      await expect(bob.stream(id).next()).rejects.toMatchObject(none(id))
    }
    for (const id of [herApproval.approvalId, 'nobody-has-this']) {
      const missing = { code: 'ApprovalNotPending', message: `There is no approval ${id}.` }
      await expect(bob.decide(id, 'approved', 'bob')).rejects.toMatchObject(missing)
    }

    await ann.decide(herApproval.approvalId, 'approved', 'ann')
    expect((await ann.outcome(hers)).answer?.text).toBe('sender=succeeded:sent to bob')
    expect((await bob.approvals({ status: 'pending' })).length).toBe(1)
    await bob.decide(hisApproval.approvalId, 'denied', 'bob')
    expect((await bob.outcome(his)).answer?.text).toBe('sender=failed:ApprovalDenied')
  })

  it('gives nested runs and forks to the same owner', async () => {
    const { ann, bob } = world()
    const runId = await ann.start(request(['team']))
    const state = await ann.outcome(runId)
    const [childId] = state.children.values()
    expect((await ann.state(childId!)).jobs.get('inner')?.result?.answer).toBe('for ann')
    await expect(bob.state(childId!)).rejects.toMatchObject({ code: 'RunNotFound' })
    const forkId = await ann.fork(runId, 'compose:1')
    expect((await ann.outcome(forkId)).owner).toBe('ann')
    expect(await bob.run(forkId)).toBeUndefined()
  })

  it('lets each owner delete finished runs, with nested runs and files that no other run refers to', async () => {
    const { ann, bob } = world()
    const runId = await ann.start(request(['team', 'writer']))
    const [childId] = (await ann.outcome(runId)).children.values()
    const forkId = await ann.fork(runId, 'compose:1')
    await ann.outcome(forkId)
    expect(await files('ann')).toHaveLength(1)
    await expect(bob.delete(runId)).rejects.toMatchObject({ code: 'RunNotFound' })
    await expect(ann.delete(childId!)).rejects.toMatchObject({ code: 'RunConflict' })
    const open = await ann.start(request(['sender']))
    await expect(ann.delete(open)).rejects.toMatchObject({
      code: 'RunConflict',
      message: expect.stringContaining('cancel it before you delete it'),
    })

    await ann.delete(runId)
    for (const gone of [runId, childId!]) await expect(ann.events(gone)).rejects.toMatchObject({ code: 'RunNotFound' })
    expect(await files('ann')).toHaveLength(1) // the fork has it, too
    await ann.delete(forkId)
    expect(await files('ann')).toEqual([])
    expect((await ann.runs()).every((run) => run.runId !== forkId)).toBe(true)
    await ann.cancel(open, 'ann')
    await ann.outcome(open)
    await ann.delete(open)
    expect(await ann.run(open)).toBeUndefined()
  })

  it('gives runs without an owner to the local user', async () => {
    const { engine } = world()
    const runId = await engine.start(request(['inner']))
    expect((await engine.as('local').outcome(runId)).jobs.get('inner')?.result?.answer).toBe('for local')
  })
})

describe('an owner', () => {
  it.each(['', 'a\nb', 'x'.repeat(201)])('is a printable name of some length: %j', async (owner) => {
    const { engine } = await memoryEngine([])
    expect(() => engine.as(owner)).toThrow('An owner is named by 1 to 200 printable characters.')
  })
})
