import { afterEach, describe, expect, inject, it } from 'vitest'
import type { Agent } from '../../domain/actor.ts'
import { agent, eventually, gate, openWorld, types } from '../../../test/support/engine-world.ts'
import { createStorageWorld, type StorageKind, type StorageWorld } from '../../../test/support/storage.ts'
import { Outbox, team } from '../../../test/support/test-agents.ts'
import { ManualClock } from '../../testing/manual-clock.ts'

const storages: StorageWorld[] = []
afterEach(async () => {
  for (const storage of storages.splice(0)) await storage.close()
})

describe('runs from the queue of SQLite', () => {
  queueTests('SQLite')
})

const isMissing = inject('postgresUrl') === ''
describe.skipIf(isMissing)(
  `runs from the queue of PostgreSQL${isMissing ? ' (not installed on this machine)' : ''}`,
  () => {
    queueTests('PostgreSQL')
  },
)

function queueTests(kind: StorageKind): void {
  async function world(more: readonly Agent[] = []) {
    const outbox = new Outbox()
    const clock = new ManualClock()
    const storage = await createStorageWorld(kind, inject('postgresUrl'))
    storages.push(storage)
    const open = async () => {
      const { store, wakeups } = await storage.open(clock)
      return openWorld(store, [outbox.agent(), team(['sender']), ...more], { clock, wakeups })
    }
    return { ...(await open()), open, sent: outbox.sent, errors: storage.errors }
  }

  it('wait for a worker, and are woken by decisions', async () => {
    const { engine, start, rest, decide, end, sent } = await world()
    const runId = await start(['sender'])
    expect(types(await engine.events(runId))).toEqual(['run.started'])
    await engine.work()
    await rest(runId)
    await decide(runId)
    expect((await end(runId, 10)).answer?.text).toBe('sender=succeeded:sent to bob')
    expect(sent).toEqual(['bob'])
  })

  async function waitingTeam() {
    const here = await world()
    await here.engine.work()
    const runId = await here.start(['team'])
    const child = await eventually(async () => (await here.store.runs({ parentId: runId }))[0])
    await here.rest(child.runId)
    await here.rest(runId)
    return { ...here, runId, childId: child.runId }
  }

  it('with nested runs wait for those, and are woken by their end', async () => {
    const { runId, childId, decide, end, sent } = await waitingTeam()
    await decide(childId)
    expect((await end(runId, 10)).answer?.text).toBe('team=succeeded:finished(sender=succeeded:sent to bob)')
    expect(sent).toEqual(['bob'])
  })

  it('are cancelled while they wait, together with the runs that they have started', async () => {
    const { engine, runId, childId, end, sent } = await waitingTeam()
    await engine.cancel(runId, 'ann')
    for (const id of [runId, childId]) expect((await end(id, 10)).status).toBe('cancelled')
    expect(sent).toEqual([])
  })

  it('continue on another worker when theirs shuts down', async () => {
    const begun = gate()
    let isFirst = true
    const slow = agent('slow', async () => {
      begun.open()
      if (isFirst) await new Promise(() => undefined)
      return { answer: 'done' }
    })
    const { engine: first, start, open } = await world([slow])
    await first.work()
    const runId = await start(['slow'])
    await eventually(begun.isOpen)
    isFirst = false
    await first.close()
    const { engine: second, end } = await open()
    await second.work()
    await second.recover()
    expect((await end(runId, 100)).answer?.text).toBe('slow=succeeded:done')
    expect(types(await second.events(runId))).toContain('run.resumed')
  })

  const isServerTime = kind === 'PostgreSQL'
  const why = isServerTime ? ' (skipped: pg-boss uses the clock of the server)' : ''
  it.skipIf(isServerTime)(`let approvals run out, by a wake at the time of their end${why}`, async () => {
    const { engine, store, clock, start, rest, end, sent, errors } = await world()
    await engine.work()
    const runId = await start(['sender'])
    await rest(runId)
    await clock.advance(119_000)
    expect((await store.run(runId))?.status).toBe('waiting')
    expect((await end(runId, 500)).answer?.text).toBe('sender=failed:ApprovalTimedOut')
    expect(sent).toEqual([])
    expect(errors).toEqual([])
  })
}
