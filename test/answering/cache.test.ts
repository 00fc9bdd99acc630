import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'

/** Prompt caching over the Anthropic API: cache marks in the request, and cache tokens in usage, cost and trace. */

interface Body {
  readonly system: readonly { readonly text: string; readonly cache_control?: unknown }[]
  readonly messages: readonly {
    readonly content: readonly { readonly text: string; readonly cache_control?: unknown }[]
  }[]
}

const asked: Body[] = []
let server: Server
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-cache-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  server = createServer((request, response) => {
    let raw = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (raw += chunk))
    request.on('end', () => {
      const body = JSON.parse(raw) as Body
      asked.push(body)
      const isFirst = asked.length === 1
      // The first call writes the cache, the second reads it.
      const cache = isFirst ? { cache_creation_input_tokens: 2000 } : { cache_read_input_tokens: 1500 }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of eventsOf(isFirst ? QUERY : SENTENCE, cache))
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

const QUERY = {
  block: { type: 'tool_use', id: 'toolu_1', name: 'query', input: {} },
  delta: { type: 'input_json_delta', partial_json: '{"sql":"SELECT count(*) AS customers FROM customers"}' },
  stop_reason: 'tool_use',
}
const SENTENCE = {
  block: { type: 'text', text: '' },
  delta: { type: 'text_delta', text: 'There are 92 customers.' },
  stop_reason: 'end_turn',
}

function eventsOf(
  { block, delta, stop_reason }: typeof QUERY | typeof SENTENCE,
  cache: object,
): readonly { readonly type: string; readonly [field: string]: unknown }[] {
  const usage = { input_tokens: 100, output_tokens: 1, ...cache }
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ]
}

it('cache writes and reads are marked, counted and priced', async () => {
  const { port } = server.address() as AddressInfo
  const app = await openConfiguredApp({
    env: {
      ANTHROPIC_API_KEY: 'a-key',
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}/v1`,
      TUTTI_MODEL: 'anthropic:claude-haiku-4-5',
    },
    cwd: folder,
    inMemory: true,
    databases: [{ url: 'sqlite:demo.sqlite', name: 'demo' }],
  })
  try {
    const { answer, metadata, trace } = await app.ask({
      question: 'How many customers are there?',
      memory: false,
      trace: true,
    })
    expect(answer).toContain('92')
    expect(metadata.usage).toMatchObject({
      calls: 2,
      inputTokens: 3700,
      cachedInputTokens: 1500,
      cacheWriteTokens: 2000,
    })
    // USD per million tokens: 1 for input, 0.1 for cache reads, 1.25 for cache writes, 5 for output.
    expect(metadata.usage.costUsd).toBeCloseTo((200 + 150 + 2500 + 100) / 1e6, 10)
    const told = trace!.flatMap(({ data }) => (data['model'] === undefined ? [] : [data['usage']]))
    expect(told).toMatchObject([{ cacheWriteTokens: 2000 }, { cachedInputTokens: 1500 }])
  } finally {
    await app.close()
  }
  // Instructions and transcript are cached, up to the last message of each turn.
  for (const { system, messages } of asked) {
    expect(system.map(({ cache_control }) => cache_control)).toEqual([{ type: 'ephemeral' }])
    expect(messages.at(-1)!.content.at(-1)).toMatchObject({ cache_control: { type: 'ephemeral' } })
  }
  expect(asked.map(({ messages }) => messages.length)).toEqual([1, 3])
})
