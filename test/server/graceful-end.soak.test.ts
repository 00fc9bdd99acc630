// Soak test: stops servers at many moments.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Operations } from '../../src/client/api-types.ts'
import { ASKED, planReply, task } from '../e2e/support.ts'
import { startModelServer, type ModelServer, type Rule } from '../support/model-server.ts'
import { createCliWorld, type CliWorld, type Running } from '../cli/support.ts'

/** `tutti serve`, as its own process, is stopped during much activity. */

let world: CliWorld
/** A model that makes plans, and answers other prompts only after `answers()`. */
let model: ModelServer
let env: Record<string, string>
const PLAN: Rule = { when: ASKED.plan, reply: planReply([task('sql', 'sql', 'How many customers are there?')]) }
const answers = (): void => model.script([PLAN, { reply: { text: 'There are 3 customers.' } }])
beforeAll(async () => {
  world = await createCliWorld()
  model = await startModelServer()
  model.script([PLAN, { reply: { fault: 'stall' } }])
  env = { TUTTI_MODEL_URL: model.url, TUTTI_MODEL: 'compatible:scripted' }
})
afterAll(async () => {
  await model.close()
  await world.close()
})

async function serve(...more: string[]): Promise<{ readonly server: Running; readonly url: string }> {
  const server = world.start(['serve', '--port', '0', '--db', 'sqlite:shop.sqlite', ...more], { env })
  const [, url] = /at (http:\/\/127\.0\.0\.1:\d+)/.exec(await server.saidOut(/at http:\S+/))!
  return { server, url: url! }
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** Reads a run like an `EventSource`. Returns how its stream ended, and the position to resume from. */
function read(url: string): Promise<{ readonly isWhole: boolean; readonly id: string | undefined }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8').on('data', (more: string) => (text += more))
      response.on('close', () =>
        resolve({ isWhole: response.complete, id: [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] }),
      )
      response.on('error', () => undefined)
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** Sends half of a request, then neither sends nor reads. */
async function half(url: string, head: string, body: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(`${head}\r\nhost: ${host}\r\n${body}`)
  socket.pause()
  await new Promise((resolve) => socket.once('ready', resolve))
  return socket
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const QUESTION = 'How many customers are there?'

it(
  'ends all streams so that readers reconnect, loses no run, and waits for no client',
  { timeout: 120_000 },
  async () => {
    const { url, server } = await serve()
    const start = async (more: object = {}): Promise<string> =>
      ((await (await post(`${url}/runs`, { question: QUESTION, ...more })).json()) as { runId: string }).runId
    const runs = [await start({ confirmPlan: true }), await start()]
    const streams = Array.from({ length: 50 }, (_, i) => read(`${url}/runs/${runs[i % 2]}/events`))
    const asked = [1, 2, 3].map(async () => {
      const answer = await post(`${url}/query`, { question: QUESTION })
      return { status: answer.status, runId: /Run (\S+) continues/.exec(await answer.text())?.[1] }
    })
    const form = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${'x'.repeat(3_000_000)}`
    const body = `content-type: multipart/form-data; boundary=x\r\ncontent-length: 9000000\r\n\r\n${form}`
    const stuck = await Promise.all([
      half(url, 'POST /upload HTTP/1.1', body),
      half(url, `GET /runs/${runs[0]}/events HTTP/1.1`, '\r\n'),
      half(url, 'POST /query HTTP/1.1', 'content-type: application/json\r\ncontent-length: 500\r\n\r\n{'),
      half(url, 'GET /runs HTTP/1.1', ''),
    ])
    const listed = async (at: string) =>
      ((await (await fetch(`${at}/runs`)).json()) as { items: { runId: string; status: string }[] }).items
    await until(async () => ((await listed(url)).length === 5 ? true : undefined))
    await until(async () => ((await listed(url)).some(({ status }) => status === 'waiting') ? true : undefined))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const from = Date.now()
    server.child.kill('SIGTERM')
    const { code, signal } = await server.done
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(Date.now() - from).toBeLessThan(15_000)
    for (const one of stuck) one.destroy()
    const told = await Promise.all(asked)
    expect(told.map(({ status }) => status)).toEqual([504, 504, 504])
    const ends = await Promise.all(streams)
    expect(ends.filter(({ isWhole, id }) => !isWhole || id === undefined)).toEqual([])

    answers()
    const again = await serve()
    const over = await until(async () => {
      const all = await listed(again.url)
      return all.filter(({ status }) => status === 'finished').length === 4 ? all : undefined
    })
    expect(over.map(({ runId }) => runId).toSorted()).toEqual([...runs, ...told.map(({ runId }) => runId)].toSorted())
    expect(over.find(({ runId }) => runId === runs[0])).toMatchObject({ status: 'waiting' })
    const rest = await fetch(`${again.url}/runs/${runs[1]}/events`, { headers: { 'last-event-id': ends[1]!.id! } })
    expect(await rest.text()).toContain('event: done')
    again.server.child.kill('SIGTERM')
    expect((await again.server.done).code).toBe(0)
  },
)

it('does not wait for receivers of webhooks', { timeout: 120_000 }, async () => {
  answers()
  let called = 0
  const deaf = createServer(() => void called++)
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(deaf.address() as AddressInfo).port}`
  await writeFile(join(world.folder, 'tutti.config.yaml'), `http: { allowHosts: ['${host}'] }`)
  try {
    const { server, url } = await serve()
    const schedule = { request: { question: QUESTION }, hook: 'bearer', webhook: `http://${host}/` }
    const made = (await (await post(`${url}/schedules`, schedule)).json()) as Operations['POST /schedules']['answer']
    const headers = { authorization: `Bearer ${made.secrets.hook}` }
    await fetch(`${url}/hooks/${made.schedule.scheduleId}`, { method: 'POST', headers })
    await until(async () => (called > 0 ? true : undefined))
    const from = Date.now()
    server.child.kill('SIGTERM')
    expect((await server.done).code).toBe(0)
    expect(Date.now() - from).toBeLessThan(15_000)
  } finally {
    deaf.closeAllConnections()
    deaf.close()
  }
})

it.each(['SIGTERM', 'SIGINT'] as const)('ends at once when %s comes second', async (second) => {
  const begun = join(world.folder, `begun-${second}`)
  const program = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); fs.writeFileSync(${JSON.stringify(begun)}, '')`
  const servers = join(world.folder, 'mcp.json')
  const slowToEnd = { command: process.execPath, args: ['-e', program] }
  await writeFile(servers, JSON.stringify({ mcpServers: { slowToEnd } }))
  const { server } = await serve('--mcp', servers)
  await until(async () => existsSync(begun) || undefined)
  server.child.kill('SIGTERM')
  await server.said('Stopping.')
  server.child.kill(second)
  expect(await server.done).toMatchObject({ code: null, signal: second })
})
