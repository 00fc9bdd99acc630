import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import type { RunStore } from '../domain/store.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { engineFor, eventually, passing, request, memoryStore } from '../../test/support/engine-world.ts'
import { loopAgent, notingTool, ScriptedModels, type Script } from '../../test/support/tool-loops.ts'
import type { RunEvent } from '../domain/events.ts'
import { approvalView } from '../domain/run-view.ts'
import { outsideData } from '../domain/provenance.ts'

let store: RunStore
const clock = new ManualClock()
beforeAll(async () => void (store = await memoryStore(clock)))

type Asked = Extract<RunEvent, { type: 'approval.requested' }>

function world(script: Script) {
  const done: string[] = []
  const models = new ScriptedModels(script)
  const tools = [
    notingTool('send', 'irreversible', done),
    notingTool('post', 'irreversible', done),
    notingTool('save', 'write', done),
    notingTool('look', 'read', done),
  ]
  const engine = engineFor([loopAgent('a', tools)], { store, clock, models })
  return { done, models, engine, start: (more = {}) => engine.start(request(['a'], more)) }
}

async function askedOf(engine: Engine, runId: string): Promise<Asked[]> {
  return (await engine.events(runId)).filter((event): event is Asked => event.type === 'approval.requested')
}

/** Resolves once so many approvals were requested in all. */
function asked(engine: Engine, runId: string, count: number): Promise<Asked[]> {
  return eventually(async () => {
    const all = await askedOf(engine, runId)
    return all.length >= count && all
  })
}

const send = (to: string) => ['send', { to }] as const
const twoMails: Script = [{ calls: [send('Ann'), send('Bob')] }, 'done']

describe('approvals of a turn', () => {
  test('are requested in parallel, and the calls are made in the order of the model', async () => {
    const { engine, done, models, start } = world(twoMails)
    const runId = await start()
    const [first, second] = await asked(engine, runId, 2)
    expect([first!.payload, second!.payload]).toEqual([{ to: 'Ann' }, { to: 'Bob' }])
    await engine.decide(second!.approvalId, 'approved', 'local')
    await clock.advance(1_000)
    expect(done).toEqual([])
    await engine.decide(first!.approvalId, 'approved', 'local')
    const state = await passing(clock, engine.outcome(runId))
    expect(done).toEqual(['send {"to":"Ann"}', 'send {"to":"Bob"}'])
    expect(models.results(1)).toEqual(['send done', 'send done'])
    expect(state.jobs.get('a')?.result).toMatchObject({ status: 'succeeded', answer: 'done' })
  })

  test('after a denial the rest of the turn is not executed, also where it was approved', async () => {
    const { engine, done, models, start } = world([{ calls: [send('Ann'), send('Bob'), ['save']] }, 'told'])
    const runId = await start()
    const [first, second] = await asked(engine, runId, 2)
    await engine.decide(second!.approvalId, 'approved', 'local')
    await engine.decide(first!.approvalId, 'denied', 'local', 'not Ann')
    const state = await passing(clock, engine.outcome(runId))
    expect(done).toEqual([])
    expect(models.results(1)).toEqual([
      'Error ApprovalDenied: not executed. The user denied it and said: not Ann.',
      expect.stringContaining('Not executed'),
      expect.stringContaining('Not executed'),
    ])
    expect(state.jobs.get('a')?.result).toMatchObject({
      status: 'failed',
      answer: 'told',
      error: { type: 'ApprovalDenied' },
      partial: { reason: 'denied_by_user', tools: ['send'] },
    })
  })

  test('that wait after a denied one are closed, because their calls are not made', async () => {
    const { engine, done, start } = world([{ calls: [send('Ann'), send('Bob')] }, { calls: [send('Bob')] }, 'done'])
    const runId = await start()
    const [first, second] = await asked(engine, runId, 2)
    await eventually(async () => (await store.run(runId))?.status === 'waiting')
    await engine.decide(first!.approvalId, 'denied', 'local')
    // The model requests the second call anew, and the user is asked about it anew.
    const [, , third] = await asked(engine, runId, 3)
    const decide = engine.decide(second!.approvalId, 'approved', 'local')
    await expect(decide).rejects.toMatchObject({ code: 'ApprovalNotPending' })
    await engine.decide(third!.approvalId, 'approved', 'local')
    await passing(clock, engine.outcome(runId))
    expect(done).toEqual(['send {"to":"Bob"}'])
  })
})

test('a result names all tools whose calls were refused', async () => {
  const { engine, start } = world([{ calls: [send('Ann')] }, { calls: [['post', {}]] }, 'told'])
  const runId = await start()
  for (const count of [1, 2]) {
    const all = await asked(engine, runId, count)
    await engine.decide(all.at(-1)!.approvalId, 'denied', 'local')
  }
  const { jobs } = await passing(clock, engine.outcome(runId))
  expect(jobs.get('a')?.result?.partial).toEqual({ reason: 'denied_by_user', tools: ['send', 'post'] })
})

describe('a decision', () => {
  test('with instructions makes no call: they are its result, and the revised call is requested', async () => {
    const { engine, done, models, start } = world([{ calls: [send('Ann')] }, { calls: [send('Bob')] }, 'done'])
    const runId = await start()
    const [first] = await asked(engine, runId, 1)
    await engine.decide(first!.approvalId, 'approved', 'local', 'to Bob instead')
    const [, second] = await asked(engine, runId, 2)
    expect(models.results(1)).toEqual([expect.stringContaining('to Bob instead')])
    expect([done, second!.payload]).toEqual([[], { to: 'Bob' }])
    await engine.decide(second!.approvalId, 'approved', 'local')
    const state = await passing(clock, engine.outcome(runId))
    expect(done).toEqual(['send {"to":"Bob"}'])
    expect(state.jobs.get('a')?.result).toMatchObject({ status: 'succeeded', answer: 'done' })
    expect((await engine.events(runId)).filter((event) => event.type === 'job.retrying')).toEqual([])
  })

  test('with edits makes the edited call, and the model sees that call', async () => {
    const { engine, done, models, start } = world([{ calls: [send('Ann')] }, 'done'])
    const runId = await start()
    const [first] = await asked(engine, runId, 1)
    await engine.decide(first!.approvalId, 'approved', 'local', undefined, { payload: { to: 'Eve' } })
    const state = await passing(clock, engine.outcome(runId))
    expect(done).toEqual(['send {"to":"Eve"}'])
    expect(models.results(1)).toEqual([expect.stringContaining('{"to":"Eve"}')])
    expect(state.jobs.get('a')?.result?.data).toEqual({ calls: [{ tool: 'send', input: { to: 'Eve' } }] })
  })

  test('that the model ignores is requested again, and a denied payload is not', async () => {
    const { engine, done, models, start } = world([
      { calls: [send('Ann')] },
      { calls: [send('Ann')] },
      { calls: [send('Ann')] },
      'told',
    ])
    const runId = await start()
    const [first] = await asked(engine, runId, 1)
    await engine.decide(first!.approvalId, 'approved', 'local', 'make it shorter')
    const [, second] = await asked(engine, runId, 2)
    await engine.decide(second!.approvalId, 'denied', 'local')
    await passing(clock, engine.outcome(runId))
    expect(await askedOf(engine, runId)).toHaveLength(2)
    expect(models.results(3)[0]).toMatch(/denied/)
    expect(done).toEqual([])
  })

  test('that times out is a result, and the same payload is not requested again', async () => {
    const { engine, done, models, start } = world([{ calls: [send('Ann')] }, { calls: [send('Ann')] }, 'told'])
    const runId = await start({ approvalTimeoutMs: 60_000 })
    await asked(engine, runId, 1)
    const state = await passing(clock, engine.outcome(runId), 10_000)
    expect(await askedOf(engine, runId)).toHaveLength(1)
    expect(models.results(2)[0]).toMatch(/in time/)
    expect(done).toEqual([])
    expect(state.jobs.get('a')?.result).toMatchObject({
      status: 'failed',
      answer: 'told',
      error: { type: 'ApprovalTimedOut' },
      partial: { reason: 'hitl_timeout' },
    })
  })

  test.each([
    ['nobody to ask', { interactive: false }, 'hitl_skipped_non_streaming'],
    ['a trial run', { shadow: true }, 'trial_run'],
  ])('with %s the call returns the reason', async (_what, more, reason) => {
    const { engine, done, start } = world([{ calls: [send('Ann')] }, 'told'])
    const state = await passing(clock, engine.outcome(await start(more)))
    expect(state.jobs.get('a')?.result).toMatchObject({ status: 'failed', answer: 'told', partial: { reason } })
    expect(done).toEqual([])
  })
})

describe('a decision on a read', () => {
  test('with a wider scope decides the reads of its step that go to the same destination, and no others', async () => {
    const done: string[] = []
    const page = notingTool('page', 'read', done, { provenance: outsideData('page') })
    const reach = (input: unknown) => ({ to: String((input as { at: unknown }).at), parts: input })
    const read = notingTool('read', 'read', done, { reach })
    const reads = ['files', 'files', 'files', 'other'].map((at, n) => ['read', { at, file: `tulip-${n}` }] as const)
    const models = new ScriptedModels([{ calls: [['page']] }, { calls: reads }, 'told'])
    const engine = engineFor([loopAgent('a', [page, read])], { store, clock, models })
    const runId = await engine.start(request(['a']))
    const all = await asked(engine, runId, 4)
    const waiting = () => store.approvals({ runId, status: 'pending' })
    const steps = (await waiting()).map((approval) => approvalView(approval).step)
    expect(new Set(steps)).toEqual(new Set(['a@2']))
    await engine.decide(all[0]!.approvalId, 'approved', 'ann', undefined, { scope: 'run' })
    expect(await waiting()).toMatchObject([{ destination: 'other' }])
    await engine.decide(all[3]!.approvalId, 'denied', 'ann')
    await passing(clock, engine.outcome(runId))
    expect(done).toHaveLength(4)
    const approved = await store.approvals({ runId, status: 'approved' })
    expect(approved.map(({ decidedBy, scope }) => [decidedBy, scope]).toSorted()).toEqual([
      ['ann', undefined],
      ['ann', undefined],
      ['ann', 'run'],
    ])
  })

  test('applies although the destination has received the same words from another call meanwhile', async () => {
    const done: string[] = []
    const page = notingTool('page', 'read', done, { provenance: outsideData('page') })
    const ask = notingTool('ask', 'read', done, { reach: (input) => ({ to: 'the place', parts: input }) })
    const models = new ScriptedModels([
      { calls: [['page']] },
      {
        calls: [
          ['ask', { q: 'tulips' }],
          ['ask', { q: 'tulips', n: 1 }],
        ],
      },
      'told',
    ])
    const engine = engineFor([loopAgent('a', [page, ask])], { store, clock, models })
    const runId = await engine.start(request(['a']))
    const [first, second] = await asked(engine, runId, 2)
    const hasLeftMemory = async () => (await store.run(runId))?.status === 'waiting'
    await eventually(hasLeftMemory)
    await engine.decide(second!.approvalId, 'approved', 'local')
    await eventually(async () => done.length === 2 && (await hasLeftMemory()))
    await engine.decide(first!.approvalId, 'denied', 'local')
    await passing(clock, engine.outcome(runId))
    expect(done).toEqual(['page {}', 'ask {"q":"tulips","n":1}'])
    expect(models.results(2)).toEqual([expect.stringContaining('denied'), 'ask done'])
  })
})
