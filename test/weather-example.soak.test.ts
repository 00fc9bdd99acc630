// Soak test: installs and runs an example.
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApp } from '../src/app/create-app.ts'
import { readSetup } from '../src/app/setup.ts'

/** The example of a custom agent that uses the network, as users copy it, against a real server. */

const ROOT = join(import.meta.dirname, '..')
const EXAMPLE = join(ROOT, 'examples/weather')

let folder: string
let server: Server
let asked: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-weather-'))
  asked = []
  server = createServer(({ url }, response) => {
    asked.push(url!)
    const current_condition = [{ temp_C: '21', weatherDesc: [{ value: 'Sunny' }] }]
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ current_condition }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('WEATHER_SERVER', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await cp(EXAMPLE, folder, { recursive: true })
  // Like after `npm install tutti zod` in that folder.
  await mkdir(join(folder, 'node_modules'))
  await symlink(ROOT, join(folder, 'node_modules/tutti'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

async function answerTo(question: string) {
  const setup = await readSetup({ env: {}, cwd: folder, inMemory: true })
  const app = await createApp({ ...setup, onTrouble: (error) => expect.fail(error.message) })
  try {
    const runId = await app.start({ question })
    await app.runs.outcome(runId)
    return { state: await app.runs.state(runId), response: await app.response(runId) }
  } finally {
    await app.close()
  }
}

it('has at most 25 lines', async () => {
  const lines = (await readFile(join(EXAMPLE, 'agents/weather/agent.mjs'), 'utf8')).trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(25)
})

it('does not reach a server on this machine', async () => {
  const { response } = await answerTo('How is the weather in Lisbon?')
  expect(response.agentResults).toMatchObject([
    { agent: 'weather', status: 'failed', error: { type: 'HttpRequestError' } },
  ])
  expect(asked).toEqual([])
})

it('reaches it when the operator allows it, and its results stay untrusted', async () => {
  await writeFile(join(folder, 'tutti.config.yaml'), 'http: { allowHosts: [127.0.0.1] }\n')
  const { response, state } = await answerTo('How is the weather in Lisbon?')
  expect(response.answer).toContain('Lisbon: Sunny, 21 °C.')
  expect(asked).toEqual(['/Lisbon?format=j1'])
  expect(state.jobs.get('weather')?.result?.provenance.author).toBe('outside')
})

it('declines other questions', async () => {
  const { response } = await answerTo('What weather?')
  expect(response.agentResults).toMatchObject([{ agent: 'weather', error: { type: 'PlanningDeclined' } }])
})
