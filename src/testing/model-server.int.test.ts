import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../../test/support/model-server.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
beforeEach(() => server.script([]))
afterAll(() => server.close())

const post = (content: string, extra: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...extra }),
    ...(signal === undefined ? {} : { signal }),
  })

test('rules are tried in order, each up to its `times`', async () => {
  server.script([
    { when: /weather/i, times: 1, reply: { text: 'first' } },
    { when: 'weather', reply: { text: 'later' } },
    { model: 'other', reply: { text: 'for the other model' } },
  ])
  const ask = async (content: string, extra = {}): Promise<unknown> =>
    ((await (await post(content, extra)).json()) as { choices: [{ message: { content: string } }] }).choices[0].message
      .content
  expect(await ask('the weather')).toBe('first')
  expect(await ask('the weather')).toBe('later')
  expect(await ask('news', { model: 'other' })).toBe('for the other model')
  const unmatched = await post('news')
  expect(unmatched.status).toBe(400)
  expect(await unmatched.text()).toContain('No rule of the scripted model server matches: news')
  expect([server.countOf(0), server.countOf(1), server.countOf(2), server.countOf(-1)]).toEqual([1, 1, 1, 1])
})

test('a stream carries the pieces, a finish reason and usage', async () => {
  server.script([{ reply: { text: 'one two three' } }])
  const events = (await (await post('x', { stream: true })).text()).split('\n\n').filter((event) => event !== '')
  expect(events.at(-1)).toBe('data: [DONE]')
  const parsed = events.slice(0, -1).map((event) => JSON.parse(event.slice(6)))
  expect(parsed.map((event) => event.choices[0]?.delta.content ?? '').join('')).toBe('one two three')
  expect(parsed.at(-2).choices[0].finish_reason).toBe('stop')
  expect(parsed.at(-1).usage).toEqual({ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 })
})

test('errors carry their status and Retry-After', async () => {
  server.script([{ reply: { status: 429, retryAfter: 7, retryAfterMs: 6500, text: 'slow down' } }])
  const response = await post('x')
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('7')
  expect(response.headers.get('retry-after-ms')).toBe('6500')
  expect(await response.json()).toMatchObject({ error: { message: 'slow down' } })
})

test('a truncated answer is cut off; a client abort is recorded, a cut by the script is not', async () => {
  server.script([
    { when: 'cut', reply: { text: 'one two three', fault: 'truncated' } },
    { when: 'silence', reply: { fault: 'stall' } },
  ])
  await expect((await post('cut', { stream: true })).text()).rejects.toThrow('terminated')
  await expect((await post('cut')).text()).rejects.toThrow('terminated')
  const leaving = new AbortController()
  const pending = post('silence', {}, leaving.signal)
  await server.arrived(3)
  leaving.abort()
  await expect(pending).rejects.toThrow('aborted')
  await server.aborted(1)
  expect([server.requests.length, server.gone]).toEqual([3, 1])
})
