import { expect, test } from 'vitest'
import { outsideData } from '../../domain/provenance.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import {
  agent,
  engineFor,
  eventually,
  memoryStore,
  mortal,
  passing,
  request,
  startEngine,
  textTool,
} from '../../../test/support/engine-world.ts'

test('a call that is answered from the journal carries the labels of what its code saw', async () => {
  const teller = agent('teller', async (_task, ctx) => {
    ctx.shared.set('news', 'words of a stranger', outsideData('a page'))
    return { answer: '' }
  })
  const worker = (dies: boolean) =>
    agent('worker', async (_task, ctx) => {
      const look = () => eventually(async () => ctx.shared.get('news'))
      const answer = String(await ctx.call(textTool('glance', 'read', look, { reach: 'inside' }), 'x'))
      return dies ? new Promise(() => undefined) : { answer }
    })
  const clock = new ManualClock()
  const store = await memoryStore(clock)
  const dying = mortal(store)
  const first = engineFor([teller, worker(true)], { store: dying, clock })
  const runId = await first.start(request(['teller', 'worker'], { strategy: 'graph' }))
  await eventually(async () => (await store.read(runId)).some(({ type }) => type === 'call.finished'))
  dying.crash()
  await clock.advance(40_000)
  const second = startEngine([teller, worker(false)], { store, clock })
  await second.resume(runId)
  expect((await passing(clock, second.outcome(runId))).jobs.get('worker')!.result).toMatchObject({
    answer: 'words of a stranger',
    provenance: { author: 'outside', sources: ['a page'] },
  })
})
