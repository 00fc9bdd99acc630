import { afterEach, describe, expect, inject, it } from 'vitest'
import type { Agent } from '../../domain/actor.ts'
import type { TuttiError } from '../../domain/errors.ts'
import type { Storage } from '../../storage/index.ts'
import {
  agent,
  engineFor,
  eventually,
  gate,
  passing,
  request,
  types,
  textTool,
  pendingApproval,
  untilAtRest,
} from '../../../test/support/engine-world.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createStorageWorld, type StorageKind } from '../../../test/support/storage.ts'
import type { Engine } from '../engine.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
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
  const sent: string[] = []
  const send = textTool('send', 'irreversible', async (to: string) => {
    sent.push(to)
    return 'sent'
  })
  const sender = agent('sender', async (_task, ctx) => ({ answer: await ctx.call(send, 'bob') }))
  const team = agent('team', async (_task, ctx) => {
    const child = await ctx.startRun(request(['sender']))
    return { answer: `${child.status}(${child.answer?.text ?? ''})` }
  })

  async function world(agents: readonly Agent[] = [sender, team]) {
    sent.length = 0
    const clock = new ManualClock()
    const storages = await createStorageWorld(kind, inject('postgresUrl'))
    closing.push(() => storages.close())
    const open = (): Promise<Storage> => storages.open(clock)
    const engine = (storage: Storage): Engine => {
      const made = engineFor(agents, { ...storage, clock })
      closing.push(() => made.close())
      return made
    }
    const storage = await open()
    return { clock, open, engine, storage, store: storage.store, errors: storages.errors }
  }

  it('wait for a worker, and are woken by decisions', async () => {
    const { clock, engine, storage, store } = await world()
    const here = engine(storage)
    const runId = await here.start(request(['sender']))
    expect(types(await here.events(runId))).toEqual(['run.started'])
    await here.work()
    const approval = await pendingApproval(store, runId)
    await untilAtRest(store, runId)
    await here.decide(approval.approvalId, 'approved', 'ann')
    const state = await passing(clock, here.outcome(runId), 10)
    expect(state.answer?.text).toBe('sender=succeeded:sent')
    expect(sent).toEqual(['bob'])
  })

  it('with nested runs wait for those, and are woken by their end', async () => {
    const { clock, engine, storage, store } = await world()
    const here = engine(storage)
    await here.work()
    const runId = await here.start(request(['team']))
    const child = await eventually(async () => (await store.runs({ parentId: runId }))[0])
    const approval = await pendingApproval(store, child.runId)
    await untilAtRest(store, child.runId)
    await untilAtRest(store, runId)
    await here.decide(approval.approvalId, 'approved', 'ann')
    const state = await passing(clock, here.outcome(runId), 10)
    expect(state.answer?.text).toBe('team=succeeded:finished(sender=succeeded:sent)')
    expect(sent).toEqual(['bob'])
  })

  it('are cancelled while they wait, together with the runs that they have started', async () => {
    const { clock, engine, storage, store } = await world()
    const here = engine(storage)
    await here.work()
    const runId = await here.start(request(['team']))
    const child = await eventually(async () => (await store.runs({ parentId: runId }))[0])
    await untilAtRest(store, child.runId)
    await untilAtRest(store, runId)
    await here.cancel(runId, 'ann')
    expect((await passing(clock, here.outcome(runId), 10)).status).toBe('cancelled')
    expect((await passing(clock, here.outcome(child.runId), 10)).status).toBe('cancelled')
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
    const { clock, open, engine, storage } = await world([slow])
    const first = engine(storage)
    await first.work()
    const runId = await first.start(request(['slow']))
    await eventually(begun.isOpen)
    isFirst = false
    await first.close()
    const secondStorage = await open()
    const second = engine(secondStorage)
    await second.work()
    await second.recover()
    const state = await passing(clock, second.outcome(runId), 100)
    expect(state.answer?.text).toBe('slow=succeeded:done')
    expect(types(await second.events(runId)).filter((type) => type === 'run.resumed').length).toBeGreaterThan(0)
  })

  const isServerTime = kind === 'PostgreSQL'
  const why = isServerTime ? ' (skipped: pg-boss uses the clock of the server)' : ''
  it.skipIf(isServerTime)(`let approvals run out, by a wake at the time of their end${why}`, async () => {
    const { clock, engine, storage, store, errors } = await world()
    const here = engine(storage)
    await here.work()
    const runId = await here.start(request(['sender']))
    await untilAtRest(store, runId)
    await clock.advance(119_000)
    expect((await store.run(runId))?.status).toBe('waiting')
    const state = await passing(clock, here.outcome(runId), 500)
    expect(state.answer?.text).toBe('sender=failed:ApprovalTimedOut')
    expect(sent).toEqual([])
    expect(errors.map((error: TuttiError) => error.message)).toEqual([])
  })
}
