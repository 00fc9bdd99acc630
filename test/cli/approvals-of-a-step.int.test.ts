import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { DEMO_API_KEY, startDemoApi, type DemoApi } from '../../src/demo/api/server.ts'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { saidOn } from './terminal.ts'

/** Calls of one step are shown together. */

let folder: string
let demo: DemoApi
let models: ModelServer
let drawn: string
let onDrawn: () => void
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-step-'))
  const databasePath = join(folder, 'brindlemoor.sqlite')
  await createDemoDatabase(databasePath)
  demo = await startDemoApi({ databasePath, port: 0 })
  models = await startModelServer()
})
afterAll(async () => {
  await Promise.all([demo.close(), models.close()])
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  drawn = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    drawn += String(text)
    onDrawn()
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

const DOWN = '\u001B[B'

/** A model cancels these orders in one turn. Types each key when its prompt is on the screen. */
async function cancel(orders: readonly number[], keys: readonly (readonly [prompt: string, keys: string])[]) {
  const toolCalls = orders.map((order) => ({
    name: 'send_to_api',
    arguments: { method: 'POST', path: `/orders/${order}/cancel` },
  }))
  models.script([{ times: 1, reply: { toolCalls } }, { reply: { text: 'That is all.' } }])
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const left = [...keys]
  let from = 0
  onDrawn = () => {
    const [next] = left
    const at = next === undefined ? -1 : drawn.indexOf(next[0], from)
    if (at < 0) return
    from = drawn.length
    left.shift()
    setImmediate(() => stdin.write(next![1]))
  }
  const env = { TUTTI_API_KEY: DEMO_API_KEY, TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' }
  const { err } = await saidOn({ folder, columns: 100, isTTY: true, keys: stdin, env }, [
    'ask',
    'Cancel them',
    '--no-memory',
    '--api',
    `${demo.url}/openapi.json`,
  ])
  return { err, left }
}

async function statusOf(order: number): Promise<unknown> {
  const response = await fetch(`${demo.url}/orders/${order}`, { headers: { 'x-api-key': DEMO_API_KEY } })
  return ((await response.json()) as Record<string, unknown>)['status']
}

it('one decision allows all of them', async () => {
  const { left } = await cancel([909, 915], [['Allow these 2 calls?', `${DOWN}\r`]])
  expect(left).toEqual([])
  expect([await statusOf(909), await statusOf(915)]).toEqual(['cancelled', 'cancelled'])
})

it('one decision denies all of them, which is one notice', async () => {
  const { err, left } = await cancel(
    [884, 947],
    [
      ['Allow these 2 calls?', '\r'],
      ['Why?', 'Ask Ada first.\r'],
    ],
  )
  expect(left).toEqual([])
  expect(err.match(/Note: .*Ask Ada first\.$/gm)).toHaveLength(1)
  expect([await statusOf(884), await statusOf(947)]).toEqual(['open', 'open'])
})

it('each of them can be decided separately', async () => {
  const { left } = await cancel(
    [884, 947],
    [
      ['Allow these 2 calls?', `${DOWN}${DOWN}\r`],
      ['Allow it?', `${DOWN}\r`],
      ['Allow it?', '\r'],
      ['Why?', '\r'],
    ],
  )
  expect(left).toEqual([])
  expect([await statusOf(884), await statusOf(947)]).toEqual(['cancelled', 'open'])
})
