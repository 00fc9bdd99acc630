import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { glob } from 'tinyglobby'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { expect, test } from 'vitest'
import { systemClock } from '../shared/clock.ts'
import { definePrompt } from '../domain/prompt.ts'
import { z } from 'zod'
import { DEFAULT_TIMEOUTS, maxWaitMs, timeoutsOf } from './config.ts'
import { createModels } from './registry.ts'

/** Background jobs, which are dropped rather than awaited. */
const BESIDE = ['extractor.ts', 'summarizer.ts', 'recorder.ts', 'learner.ts']

test('limits are ordered: silence, one request, one answer, the job that asks', async () => {
  const { firstChunkMs, idleMs, totalMs, answerMs } = DEFAULT_TIMEOUTS
  expect(Math.max(firstChunkMs, idleMs)).toBeLessThan(totalMs)
  expect(totalMs).toBeLessThan(answerMs)

  const files = await glob(['src/{agents,memory,strategies}/**/*.ts', '!**/*.test.ts'], {
    cwd: join(import.meta.dirname, '..', '..'),
    absolute: true,
  })
  const limits = await Promise.all(
    files.map(async (file) => {
      const source = await readFile(file, 'utf8')
      const found = [...source.matchAll(/limits: \{[^}]*timeoutMs: ([\d_]+)|\bDEFAULT_TIMEOUT_MS = ([\d_]+)/g)]
      return found.map(([, a, b]) => ({ file, ms: Number((a ?? b)!.replaceAll('_', '')) }))
    }),
  )
  const jobs = limits.flat()
  expect(jobs.length).toBeGreaterThan(10)
  // The last tenth of a job's time is reserved for the steps after the answer.
  const short = jobs.filter(({ file, ms }) => ms * 0.9 <= answerMs && !BESIDE.some((name) => file.endsWith(name)))
  expect(short).toEqual([])
})

const echo = definePrompt({
  name: 'test.echo',
  format: 'text',
  input: z.string(),
  output: z.string(),
  render: (input) => ({ instructions: '', user: input }),
})

test.each([
  ['its headers', 'late'],
  ['the first chunk', 'early'],
])('an operator’s limit of %s counts, and not the 300 s of Node’s own', async (_what, headers) => {
  const event = { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }
  const server = createHttpServer((_request, response) => {
    response.setHeader('content-type', 'text/event-stream')
    if (headers === 'early') response.flushHeaders()
    setTimeout(() => response.end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`), 3_000)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const before = getGlobalDispatcher()
  const impatient = new Agent({ headersTimeout: 500, bodyTimeout: 500 })
  setGlobalDispatcher(impatient)
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const provider = { name: 'local', kind: 'compatible', source: 'test', baseUrl, defaultModel: 'm' } as const
    const models = createModels({ providers: [provider], timeouts: { firstChunkMs: 20_000 } }, { clock: systemClock })
    const { signal } = new AbortController()
    const answered = await models.ask(echo, 'x', { actor: 'a', models: {}, signal, reserve: () => () => {} })
    expect(answered).toMatchObject({ by: 'model', value: 'Hello', requests: 1 })
  } finally {
    setGlobalDispatcher(before)
    await impatient.close()
    server.close()
  }
})

test.each([
  [{ firstChunkMs: 300_000 }, { firstChunkMs: 300_000, totalMs: 300_000, answerMs: 300_000 }, 2],
  [{ totalMs: 600_000 }, { firstChunkMs: 60_000, totalMs: 600_000, answerMs: 600_000 }, 4],
  [{ firstChunkMs: 400, idleMs: 400, totalMs: 800 }, { firstChunkMs: 400, totalMs: 800, answerMs: 150_000 }, 1],
])('an operator’s limits %j stay ordered, and jobs are stretched by them', (given, wanted, patience) => {
  const timeouts = timeoutsOf(given)
  expect(timeouts).toMatchObject(wanted)
  expect(maxWaitMs(timeouts)).toBe(patience)
})
