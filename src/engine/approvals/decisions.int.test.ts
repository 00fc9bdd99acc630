import { expect, it } from 'vitest'
import { openWorld, request, types } from '../../../test/support/engine-world.ts'
import { note } from '../../../test/support/storage.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { answering } from '../../../test/support/test-agents.ts'
import { storeWith } from '../../../test/support/watched-store.ts'
import type { NewEvent } from '../../domain/events.ts'
import { BY_USER } from '../../domain/provenance.ts'
import { ManualClock } from '../../testing/manual-clock.ts'

describeStores('decisions for a run', (store) => {
  const at = new Date(0).toISOString()
  const asked = (approvalId: string): NewEvent => {
    const about = { key: 'a', path: 'p', tool: 't', payload: null, reason: '', provenance: BY_USER, expiresAt: 1_000 }
    return { type: 'approval.requested', approvalId, at, ...about }
  }

  it('need no read of its log', async () => {
    const start: NewEvent = { type: 'run.started', request: request(['a']), at }
    const job: NewEvent = { type: 'job.started', key: 'a', actor: 'a', attempt: 1, at }
    const notes = Array.from({ length: 3_000 }, (_, i) => note(`n${i}`))
    const events = [start, job, ...notes, asked('said.1'), asked('said.2')]
    await store().append([{ runId: 'said', afterSeq: 0, events, status: 'waiting' }])

    const unread = storeWith(store(), { read: () => expect.fail('The log was read.') })
    const wakeups = { work: async () => undefined, stop: async () => undefined }
    const { engine } = openWorld(unread, [answering('a')], { clock: new ManualClock(0), wakeups })
    await engine.decide('said.1', 'approved', 'ann')
    await expect(engine.decide('said.1', 'denied', 'bob')).rejects.toMatchObject({ code: 'ApprovalNotPending' })
    await engine.cancel('said', 'ann')
    expect(types(await store().read('said', 3_004))).toEqual(['approval.decided', 'run.cancelling'])
    const over: NewEvent = { type: 'run.cancelled', at }
    await store().append([{ runId: 'said', afterSeq: 3_006, events: [over], status: 'cancelled' }])
    await expect(engine.decide('said.2', 'approved', 'ann')).rejects.toMatchObject({ code: 'ApprovalNotPending' })
    await expect(engine.cancel('said', 'ann')).rejects.toThrow('Run said is already cancelled.')
    expect(await store().read('said', 3_007)).toEqual([])
  })
})
