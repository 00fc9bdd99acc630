import { expect, it } from 'vitest'
import { startModelServer } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { createDemoWorld, DEMO_ENV, modelEnv } from './support.ts'
import { typedOn } from './typed.ts'

/** Calls of one step are shown together. */

const world = openForAll(createDemoWorld)
const models = openForAll(() => startModelServer())

const DOWN = '\u001B[B'

/** A model cancels these orders in one turn. */
async function cancel(orders: readonly number[], ...keys: readonly (readonly [prompt: string, keys: string])[]) {
  const toolCalls = orders.map((order) => ({
    name: 'send_to_api',
    arguments: { method: 'POST', path: `/orders/${order}/cancel` },
  }))
  models.script([{ times: 1, reply: { toolCalls } }, { reply: { text: 'That is all.' } }])
  const terminal = { folder: world.folder, env: { ...DEMO_ENV, ...modelEnv(models) } }
  const { err, left } = await typedOn(terminal, ['ask', 'Cancel them', '--no-memory', ...world.api], keys)
  expect(left).toEqual([])
  return { err, states: await Promise.all(orders.map((order) => world.statusOf(order))) }
}

it('one decision allows all of them', async () => {
  const { states } = await cancel([909, 915], ['Allow these 2 calls?', `${DOWN}\r`])
  expect(states).toEqual(['cancelled', 'cancelled'])
})

it('one decision denies all of them, which is one notice', async () => {
  const { err, states } = await cancel([884, 947], ['Allow these 2 calls?', '\r'], ['Why?', 'Ask Ada first.\r'])
  expect(err.match(/Note: .*Ask Ada first\.$/gm)).toHaveLength(1)
  expect(states).toEqual(['open', 'open'])
})

it('each of them can be decided separately', async () => {
  const { states } = await cancel(
    [884, 947],
    ['Allow these 2 calls?', `${DOWN}${DOWN}\r`],
    ['Allow it?', `${DOWN}\r`],
    ['Allow it?', '\r'],
    ['Why?', '\r'],
  )
  expect(states).toEqual(['cancelled', 'open'])
})
