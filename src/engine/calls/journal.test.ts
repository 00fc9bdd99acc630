import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Agent } from '../../domain/actor.ts'
import type { RunEvent } from '../../domain/events.ts'
import { BY_USER, outsideData } from '../../domain/provenance.ts'
import { defineTool } from '../../domain/tool.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { MemoryWakeLog } from '../../storage/wake-log.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import {
  agent,
  engineFor,
  eventually,
  FakeModels,
  mortal,
  passing,
  request,
  say,
} from '../../../test/support/engine-world.ts'

/** A job whose process dies after its first call, and which continues from the log. */
async function resumed(
  work: (...args: Parameters<Agent['run']>) => Promise<string>,
  {
    asOld = (event) => event,
    models = new FakeModels(),
    others = [],
  }: {
    /** An event of the log as an earlier version wrote it. */
    readonly asOld?: (event: RunEvent) => RunEvent
    readonly models?: FakeModels
    /** Agents whose tasks come before. */
    readonly others?: readonly Agent[]
  } = {},
) {
  const clock = new ManualClock()
  const store = new MemoryStore(new MemoryWakeLog(), () => undefined)
  const dying = mortal(store)
  const before = agent('worker', async (given, ctx) => {
    await work(given, ctx)
    return new Promise(() => undefined)
  })
  const first = engineFor([...others, before], { store: dying, clock, models })
  const runId = await first.start(request([...others.map(({ name }) => name), 'worker'], { strategy: 'graph' }))
  await eventually(async () => (await store.read(runId)).some(({ type }) => type === 'call.finished'))
  dying.crash()
  await clock.advance(40_000)
  const old = Object.assign(Object.create(store) as MemoryStore, {
    read: async (...args: Parameters<MemoryStore['read']>) => (await store.read(...args)).map(asOld),
  })
  const after = agent('worker', async (given, ctx) => ({ answer: await work(given, ctx) }))
  const second = engineFor([...others, after], { store: old, clock, models })
  await second.resume(runId)
  const state = await passing(clock, second.outcome(runId))
  await second.close()
  return state.jobs.get('worker')!.result!
}

test('a call that is answered from the journal carries the labels of what its code saw', async () => {
  const teller = agent('teller', async (_task, ctx) => {
    ctx.shared.set('news', 'words of a stranger', outsideData('a page'))
    return { answer: '' }
  })
  const result = await resumed(
    async (_task, ctx) => {
      const glance = defineTool({
        name: 'glance',
        description: '',
        effect: 'read',
        reach: 'inside',
        provenance: BY_USER,
        input: z.string(),
        run: () => eventually(async () => ctx.shared.get('news')),
      })
      return String(await ctx.call(glance, 'x'))
    },
    { others: [teller] },
  )
  expect(result).toMatchObject({
    answer: 'words of a stranger',
    provenance: { author: 'outside', sources: ['a page'] },
  })
})

test('a fallback output in the log of an earlier version does not count as a model’s text', async () => {
  const models = new FakeModels()
  models.ask = async () => ({ by: 'fallback', reason: 'the model is away', requests: 0, refused: 'reject' as never })
  const work: Parameters<typeof resumed>[0] = async (_task, ctx) => {
    const answered = await ctx.ask(say, 'judge')
    return answered.by === 'fallback' ? String(answered.refused) : answered.value
  }
  expect((await resumed(work, { models })).answer).toBe('reject')
  const asOld = (event: RunEvent): RunEvent => {
    if (event.type !== 'call.finished') return event
    const { refused: _refused, ...old } = event
    return { ...old, output: 'approve' }
  }
  expect((await resumed(work, { models, asOld })).answer).toBe('undefined')
})
