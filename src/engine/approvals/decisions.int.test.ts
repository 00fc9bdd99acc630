import { expect, it } from 'vitest'
import { agent, engineFor, request, storeWith } from '../../../test/support/engine-world.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { note } from '../../../test/support/storage.ts'
import { describeStores } from '../../../test/support/stores.ts'
import type { NewEvent } from '../../domain/events.ts'
import { BY_USER } from '../../domain/provenance.ts'

describeStores('decisions for a run', (store) => {
  const at = new Date(0).toISOString()

  /** A long run that waits for two approvals, and a process that only delivers decisions. */
  async function longRun(runId: string) {
    const clock = new ManualClock(0)
    let [reads, rows] = [0, 0]
    const counting = storeWith(store(), {
      async read(...args) {
        reads++
        const events = await store().read(...args)
        rows += events.length
        return events
      },
    })
    const nothing = async (): Promise<void> => undefined
    const wakeups = { work: nothing, stop: nothing }
    const engine = engineFor([agent('a', async () => ({}))], { store: counting, clock, wakeups })
    const asked = (approvalId: string): NewEvent => {
      const about = { key: 'a', path: 'p', tool: 't', payload: null, reason: '', provenance: BY_USER, expiresAt: 1_000 }
      return { type: 'approval.requested', approvalId, at, ...about }
    }
    const start: NewEvent = { type: 'run.started', request: request(['a']), at }
    const job: NewEvent = { type: 'job.started', key: 'a', actor: 'a', attempt: 1, at }
    const notes = Array.from({ length: 3_000 }, (_, i) => note(`n${i}`))
    const events = [start, job, ...notes, asked(`${runId}.1`), asked(`${runId}.2`)]
    await store().append([{ runId, afterSeq: 0, events, status: 'waiting' }])
    return { engine, clock, cost: () => ({ reads, rows }) }
  }

  it('need no read of its log', async () => {
    const { engine, cost } = await longRun('said')
    await engine.decide('said.1', 'approved', 'ann')
    await expect(engine.decide('said.1', 'denied', 'bob')).rejects.toMatchObject({ code: 'ApprovalNotPending' })
    await engine.cancel('said', 'ann')
    expect(cost()).toEqual({ reads: 0, rows: 0 })
    const added = (await store().read('said', 3_004)).map((event) => event.type)
    expect(added).toEqual(['approval.decided', 'run.cancelling'])
    await store().append([
      { runId: 'said', afterSeq: 3_006, events: [{ type: 'run.cancelled', at }], status: 'cancelled' },
    ])
    await expect(engine.decide('said.2', 'approved', 'ann')).rejects.toMatchObject({ code: 'ApprovalNotPending' })
    await expect(engine.cancel('said', 'ann')).rejects.toThrow('Run said is already cancelled.')
    expect(await store().read('said', 3_007)).toEqual([])
  })
})
