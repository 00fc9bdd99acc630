// Soak test: installs and runs an example.
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
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
  await symlink(join(ROOT, 'node_modules/zod'), join(folder, 'node_modules/zod'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

async function answerTo(question: string) {
  const setup = await readSetup({ env: {}, cwd: folder, inMemory: true })
  const app = await createApp({ ...setup, onError: (error) => expect.fail(error.message) })
  try {
    const runId = await app.start({ question })
    await app.runs.outcome(runId)
    return { state: await app.runs.state(runId), response: await app.response(runId) }
  } finally {
    await app.close()
  }
}

it('asks the server, and its results stay untrusted', async () => {
  const { response, state } = await answerTo('How is the weather in Lisbon?')
  expect(response.answer).toContain('Lisbon: Sunny, 21 °C.')
  expect(asked).toEqual(['/Lisbon?format=j1'])
  expect(state.jobs.get('weather')?.result?.provenance.author).toBe('outside')
})
