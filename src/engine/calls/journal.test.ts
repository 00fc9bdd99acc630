import { expect, test } from 'vitest'
import { outsideData } from '../../domain/provenance.ts'
import { agent, eventually, memoryEngine, textTool, types } from '../../../test/support/engine-world.ts'

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
  const { store, start, crash, next } = await memoryEngine([teller, worker(true)])
  const runId = await start(['teller', 'worker'], { strategy: 'graph' })
  await eventually(async () => types(await store.read(runId)).includes('call.finished'))
  await crash()
  expect((await next([teller, worker(false)]).resume(runId)).jobs.get('worker')!.result).toMatchObject({
    answer: 'words of a stranger',
    provenance: { author: 'outside', sources: ['a page'] },
  })
})
