import { getEventListeners } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { callOptions, localProvider } from '../../test/support/model-calls.ts'
import { startModelServer, type Reply } from '../../test/support/model-server.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import type { AskOptions, Estimate } from '../domain/model.ts'
import { definePrompt } from '../domain/prompt.ts'
import type { Usage } from '../domain/usage.ts'
import type { ModelsConfig, ProviderConfig } from './config.ts'
import { createModels, type Models } from './registry.ts'
import { ManualClock, settled } from '../testing/manual-clock.ts'
import { openForAll } from '../../test/support/opened.ts'

const server = openForAll(() => startModelServer())
beforeEach(() => server.script([]))

/** A clock that also tells how long something waits. */
class HandClock extends ManualClock {
  private readonly waits: number[] = []

  override timer(ms: number, callback: () => void): () => void {
    this.waits.push(ms)
    const cancel = super.timer(ms, callback)
    return () => {
      const at = this.waits.indexOf(ms)
      if (at >= 0) this.waits.splice(at, 1)
      cancel()
    }
  }

  /** Resolves once a timer of exactly this length was set. */
  async waitsFor(ms: number): Promise<void> {
    while (!this.waits.includes(ms)) await settled(1)
    this.waits.splice(this.waits.indexOf(ms), 1)
  }
}
const handClock = () => new HandClock(Date.UTC(2026, 0, 1))

/** A clock whose waits are over at once, for tests in which time does not matter. Time limits never fire. */
function hastyClock(): Clock {
  return {
    now: () => 0,
    timer(ms, callback) {
      if (ms > 5_000) return () => {}
      const handle = setImmediate(callback)
      return () => clearImmediate(handle)
    },
  }
}

const provider = (fields: Partial<ProviderConfig> = {}) =>
  localProvider(server.url, { apiKey: 'very-secret', ...fields })

const modelsWith = (clock: Clock, config: Partial<ModelsConfig> = {}): Models =>
  createModels({ providers: [provider()], ...config }, { clock, random: () => 0 })

interface Recorded {
  readonly options: AskOptions
  readonly shown: [string, number][]
  readonly reserved: Estimate[]
  readonly settled: (Usage | undefined)[]
}

function recordedOptions(fields: Partial<AskOptions> = {}): Recorded {
  const recorded: Omit<Recorded, 'options'> = { shown: [], reserved: [], settled: [] }
  const options = callOptions({
    reserve(estimate) {
      recorded.reserved.push(estimate)
      return (usage) => void recorded.settled.push(usage)
    },
    onText: (text, offset) => void recorded.shown.push([text, offset]),
    ...fields,
  })
  return { ...recorded, options }
}

const cityPrompt = definePrompt({
  name: 'geo.city',
  input: z.object({ question: z.string() }),
  output: z.object({ city: z.string(), inhabitants: z.number().int() }),
  render: (input) => ({ instructions: 'Find the city.', user: input.question }),
  maxOutputTokens: 200,
})
const poemPrompt = definePrompt({
  name: 'poet.write',
  format: 'text',
  input: z.string(),
  output: z.string(),
  render: (topic) => ({ instructions: 'Write.', user: topic }),
})

const PARIS = { city: 'Paris', inhabitants: 2_100_000 }
const askCity = (models: Models, options: AskOptions) => models.ask(cityPrompt, { question: 'Which city?' }, options)

describe('an answer', () => {
  test('of JSON is validated, with usage, model and the number of requests', async () => {
    server.script([
      {
        reply: {
          json: PARIS,
          usage: { prompt_tokens: 70, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 40 } },
        },
      },
    ])
    const models = modelsWith(hastyClock(), { prices: { 'local:m1': { input: 10, cachedInput: 1, output: 100 } } })
    const { options, reserved, settled } = recordedOptions()
    const answered = await askCity(models, options)
    const usage = { inputTokens: 70, outputTokens: 30, cachedInputTokens: 40, costUsd: expect.closeTo(0.00334, 10) }
    expect(answered).toEqual({ value: PARIS, by: 'model', model: 'local:m1', usage, requests: 1 })
    expect(settled).toEqual([usage])
    expect(reserved).toHaveLength(1)
    expect(reserved[0]!.tokens).toBeGreaterThan(200 + 70)
    expect(reserved[0]!.costUsd).toBeGreaterThan(200 * 100e-6)
  })

  test('without reported usage has none, and the reservation is settled as unknown', async () => {
    server.script([{ reply: { json: PARIS, usage: false } }])
    const { options, settled } = recordedOptions()
    const answered = await askCity(modelsWith(hastyClock()), options)
    expect(answered).toEqual({ value: PARIS, by: 'model', model: 'local:m1', requests: 1 })
    expect(settled).toEqual([undefined])
  })

  test('a draft inside a thinking block is not the answer', async () => {
    const text = `<think>Maybe {"city":"Lyon","inhabitants":1}? No.</think>\n${JSON.stringify(PARIS)}`
    server.script([{ reply: { text } }])
    expect(await askCity(modelsWith(hastyClock()), recordedOptions().options)).toMatchObject({
      value: PARIS,
      requests: 1,
    })
    server.script([{ reply: { text: '<think>rain, rain</think>Drops.' } }])
    const { options, shown } = recordedOptions()
    await modelsWith(hastyClock()).ask(poemPrompt, 'rain', options)
    expect(shown.map(([text]) => text).join('')).toBe('Drops.')
  })
})

/** Every fault that a clock is not needed for, and what the reason says if it stays. */
const FAULTS: [string, Reply, RegExp][] = [
  ['429', { status: 429, retryAfter: 1 }, /asks to slow down \(429\)/],
  ['500', { status: 500 }, /in trouble \(500\): /],
  ['503', { status: 503 }, /in trouble \(503\)/],
  ['malformed-body', { fault: 'malformed-body' }, /no complete answer/],
  ['malformed-json', { text: '{"city": "Paris", "oops": ' }, /does not fit: it is not one valid JSON value/],
  ['wrong-schema', { text: '{"town": "Paris"}' }, /does not fit: .*city/],
  ['truncated', { fault: 'truncated' }, /no complete answer/],
  ['no-finish', { fault: 'no-finish' }, /without a finish reason/],
  ['html', { fault: 'html' }, /sent a web page/],
  ['empty', { text: '' }, /empty answer/],
  ['length', { text: '{"city": "Pa', finishReason: 'length' }, /cut off at the limit of (400|8192) output tokens/],
  ['close', { fault: 'close' }, /no complete answer/],
  ['tool call', { toolCalls: [{ name: 'rm', arguments: {} }] }, /called a tool/],
]

const json = { json: PARIS }
const text = { text: 'one two three four' }

describe.each(FAULTS)('fault %s', (_name, reply, reason) => {
  test('of a JSON answer, once: the second request gives the answer', async () => {
    server.script([{ times: 1, reply: { ...json, ...reply } }, { reply: json }])
    const { options, reserved, settled } = recordedOptions()
    const answered = await askCity(modelsWith(hastyClock()), options)
    expect(answered).toMatchObject({ value: PARIS, by: 'model', requests: 2 })
    expect(answered.reason).toBeUndefined()
    expect([reserved.length, settled.length, server.requests.length]).toEqual([2, 2, 2])
  })

  test('of a JSON answer, always: the reason is returned', async () => {
    server.script([{ reply: { ...json, ...reply } }])
    const { options, reserved, settled } = recordedOptions()
    const answered = await askCity(modelsWith(hastyClock()), options)
    expect(answered).toMatchObject({ by: 'fallback', model: 'local:m1' })
    expect(answered.reason).toMatch(reason)
    expect(answered.reason).toMatch(/^local .*\(after [23] requests\)$/)
    expect(answered.requests).toBe(server.requests.length)
    expect([reserved.length, settled.length]).toEqual([answered.requests, answered.requests])
  })
})

const STREAM_FAULTS = FAULTS.filter(([name]) => name !== 'malformed-json' && name !== 'wrong-schema')

describe.each(STREAM_FAULTS)('fault %s', (_name, reply, reason) => {
  test('of a streamed answer, once: the partial text is replaced by the whole answer', async () => {
    server.script([{ times: 1, reply: { ...text, ...reply } }, { reply: text }])
    const { options, shown } = recordedOptions()
    const answered = await modelsWith(hastyClock()).ask(poemPrompt, 'rain', options)
    expect(answered).toMatchObject({ value: text.text, by: 'model', requests: 2 })
    expect(shownText(shown)).toBe(text.text)
  })

  test('of a streamed answer, always: the partial text is removed', async () => {
    server.script([{ reply: { ...text, ...reply } }])
    const { options, shown } = recordedOptions()
    const answered = await modelsWith(hastyClock()).ask(poemPrompt, 'rain', options)
    expect(answered.by).toBe('fallback')
    expect(answered.reason).toMatch(reason)
    expect(shownText(shown)).toBe('')
  })
})

/** The final text of a reader: each piece is written at its offset and replaces all text after it. */
function shownText(shown: readonly [string, number][]): string {
  return shown.reduce((text, [piece, offset]) => text.slice(0, offset) + piece, '')
}

/** Goes past the wait before the second request, and its limit. */
async function hangAgain(clock: ReturnType<typeof handClock>, limitMs: number): Promise<void> {
  await clock.waitsFor(250)
  await clock.advance(250)
  await clock.waitsFor(limitMs)
  await server.arrived(2)
  await clock.advance(limitMs)
}

describe('time limits', () => {
  const prompts = [
    ['a text', (models: Models, options: AskOptions) => models.ask(poemPrompt, 'rain', options)],
    ['JSON', askCity],
  ] as const

  test.each(prompts)(
    '%s: a silent provider is retried once after the first-chunk limit, then given up',
    async (_, askIt) => {
      const clock = handClock()
      server.script([{ reply: { fault: 'stall' } }])
      const { options, settled } = recordedOptions()
      const asking = askIt(modelsWith(clock), options)
      await server.arrived(1)
      await clock.advance(59_999)
      expect(server.gone).toBe(0)
      await clock.advance(1)
      await server.aborted(1)
      await hangAgain(clock, 60_000)
      const reason = 'local sent nothing for 60 s (after 2 requests)'
      expect(await asking).toMatchObject({ by: 'fallback', reason, requests: 2 })
      expect([clock.pending, settled]).toEqual([0, [undefined, undefined]])
    },
  )

  test.each(prompts)('%s: silence in the middle is noticed by the idle limit', async (_, askIt) => {
    const clock = handClock()
    server.script([{ reply: { text: '{"city": "Paris", "inhabitants": 2}', fault: 'stall-mid-stream' } }])
    const asking = askIt(modelsWith(clock, { timeouts: { idleMs: 700 } }), recordedOptions().options)
    await clock.waitsFor(700)
    await clock.advance(700)
    await hangAgain(clock, 700)
    // The provider generated output but reported no usage: the usage is set, with zero tokens.
    const used = { inputTokens: 0, outputTokens: 0, costUsd: 0 }
    expect(await asking).toMatchObject({
      by: 'fallback',
      reason: 'local fell silent for 0.7 s (after 2 requests)',
      usage: used,
    })
    await server.aborted(2)
    expect(clock.pending).toBe(0)
  })

  test('all requests of one answer end at its limit, whatever their own limits', async () => {
    const clock = handClock()
    server.script([{ times: 1, reply: { status: 503, retryAfter: 40 } }, { reply: { fault: 'stall' } }])
    const { options } = recordedOptions({ withinMs: 50_000 })
    const asking = askCity(modelsWith(clock), options)
    await clock.waitsFor(40_000)
    await clock.advance(40_000)
    await server.arrived(2)
    await clock.waitsFor(10_000)
    await clock.advance(10_000)
    const reason = 'local did not finish in the time that was left for it (after 2 requests)'
    expect(await asking).toMatchObject({ by: 'fallback', reason })
    expect(clock.pending).toBe(0)
  })

  test('a delay that exceeds the remaining time is not started', async () => {
    const clock = handClock()
    server.script([{ reply: { status: 503, retryAfter: 40 } }])
    const answered = await askCity(modelsWith(clock), recordedOptions({ withinMs: 30_000 }).options)
    expect(answered).toMatchObject({ by: 'fallback', requests: 1 })
    expect(answered.reason).toContain('in trouble (503)')
  })
})

describe('an answer without end', () => {
  const endless: [string, Reply][] = [
    ['in many pieces', { chunks: Array.from({ length: 5_000 }, () => 'word '), text: '' }],
    ['in one piece', { chunks: ['x'.repeat(3_000_000)], text: '' }],
  ]
  test.each(endless)('%s is cut off, and not retried', async (_, reply) => {
    for (const askIt of [
      askCity,
      (models: Models, options: AskOptions) => models.ask({ ...poemPrompt, maxOutputTokens: 200 }, 'x', options),
    ]) {
      server.script([{ reply: { ...reply, fault: 'stall-mid-stream' } }])
      const answered = await askIt(modelsWith(handClock()), recordedOptions().options)
      expect(answered).toMatchObject({ by: 'fallback', requests: 1 })
      expect(answered.reason).toBe('local went far beyond its limit of 200 tokens')
      await server.aborted(1)
    }
  })

  test('of one event is cut off, too', async () => {
    const body = `data: {"choices":[{"delta":{"content":"${'x'.repeat(20_000_000)}`
    const fetch: typeof globalThis.fetch = async () =>
      new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    const models = createModels({ providers: [provider()] }, { clock: hastyClock(), random: () => 0, fetch })
    const answered = await askCity(models, recordedOptions().options)
    expect(answered).toMatchObject({ by: 'fallback', requests: 1 })
    expect(answered.reason).toMatch(/more than 16 MB/)
  })
})

describe('repair', () => {
  test('the repair request shows the model its answer and the error; usage is summed', async () => {
    const wrong = { city: 'Paris', inhabitants: 'many' }
    server.script([{ times: 1, reply: { json: wrong } }, { reply: { json: PARIS } }])
    const clock = handClock()
    const answered = await askCity(modelsWith(clock), recordedOptions().options)
    expect(answered).toMatchObject({ value: PARIS, usage: { inputTokens: 200, outputTokens: 40 }, requests: 2 })
    const [, , shown, complaint] = server.requests[1]!.messages
    expect(shown).toEqual({ role: 'assistant', text: JSON.stringify(wrong) })
    expect(complaint!.role).toBe('user')
    expect(complaint!.text).toContain('inhabitants: Invalid input: expected number, received string')
  })

  test('an answer cut off by the output limit is requested again with twice the limit', async () => {
    server.script([{ times: 1, reply: { text: '{"city": "Pa', finishReason: 'length' } }, { reply: { json: PARIS } }])
    const { options, reserved } = recordedOptions()
    expect(await askCity(modelsWith(hastyClock()), options)).toMatchObject({ value: PARIS, by: 'model' })
    expect(server.requests.map((request) => request.body['max_tokens'])).toEqual([200, 400])
    expect(reserved[1]!.tokens - reserved[0]!.tokens).toBe(200)
  })

  test('incomplete JSON is requested again, and never accepted', async () => {
    server.script([{ reply: { text: '```json\n{"poem": "It rains, and' } }])
    const answered = await modelsWith(hastyClock()).ask(poemPrompt, 'rain', recordedOptions().options)
    expect(answered).toMatchObject({ by: 'fallback', requests: 2 })
    server.script([{ reply: { text: '{"poem": "It {rains"}' } }])
    const whole = await modelsWith(hastyClock()).ask(poemPrompt, 'rain', recordedOptions().options)
    expect(whole).toMatchObject({ value: '{"poem": "It {rains"}', requests: 1 })
  })

  test('a text that does not match its type is requested again', async () => {
    const haiku = definePrompt({ ...poemPrompt, output: z.string().max(10, 'at most 10 characters') })
    server.script([{ times: 1, reply: { text: 'far too many words' } }, { reply: { text: 'rain' } }])
    const { options, shown } = recordedOptions()
    expect(await modelsWith(hastyClock()).ask(haiku, 'x', options)).toMatchObject({ value: 'rain', requests: 2 })
    expect(server.requests[1]!.text).toContain('at most 10 characters')
    expect(shownText(shown)).toBe('rain')
  })

  test('an answer blocked by a content filter is not requested again', async () => {
    server.script([{ reply: { text: '', finishReason: 'content_filter' } }])
    const answered = await askCity(modelsWith(hastyClock()), recordedOptions().options)
    expect(answered).toMatchObject({
      by: 'fallback',
      reason: 'local withheld its answer (content filter)',
      requests: 1,
    })
  })
})

test.each(['eos', 'stop_sequence'])('accepts the server’s own finish reason %s', async (finishReason) => {
  server.script([{ reply: { text: 'whole', finishReason } }])
  const answered = await modelsWith(hastyClock()).ask(poemPrompt, 'rain', recordedOptions().options)
  expect(answered).toMatchObject({ value: 'whole', requests: 1 })
})

describe('the schema', () => {
  test('goes into the prompt when the server is not known to support one', async () => {
    server.script([{ reply: { json: PARIS } }])
    await askCity(modelsWith(hastyClock()), recordedOptions().options)
    expect(server.requests[0]!.body['response_format']).toBeUndefined()
    expect(server.requests[0]!.messages[0]!.text).toContain('"inhabitants":{"type":"integer"}')
  })

  test('is the response format when it is supported, strict when every field is required', async () => {
    server.script([{ reply: { json: PARIS } }])
    const models = modelsWith(hastyClock(), { providers: [provider({ structuredOutputs: true })] })
    await askCity(models, recordedOptions().options)
    expect(server.requests[0]!.body['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'geo_city', strict: true, schema: { required: ['city', 'inhabitants'] } },
    })
    expect(server.requests[0]!.messages[0]!.text).toBe('Find the city.')
    const loose = definePrompt({ ...cityPrompt, output: z.object({ city: z.string().optional() }) })
    await models.ask(loose, { question: 'x' }, recordedOptions().options)
    expect(server.requests[1]!.body['response_format']).toMatchObject({ json_schema: { strict: false } })
  })

  test('of a list always goes into the prompt, because a response format must be an object', async () => {
    server.script([{ reply: { json: ['a', 'b'] } }])
    const list = definePrompt({ ...cityPrompt, output: z.array(z.string()) })
    const models = modelsWith(hastyClock(), { providers: [provider({ kind: 'openai' })] })
    expect(await models.ask(list, { question: 'x' }, recordedOptions().options)).toMatchObject({ value: ['a', 'b'] })
    expect(server.requests[0]!.body['response_format']).toBeUndefined()
    expect(server.requests[0]!.messages[0]!.text).toContain('"items":{"type":"string"}')
  })
})

describe('Retry-After', () => {
  test.each([
    ['seconds', { retryAfter: 7 }, 7_000],
    ['an HTTP date', { retryAfter: 'Thu, 01 Jan 2026 00:00:12 GMT' }, 12_000],
    ['milliseconds, which win over seconds', { retryAfter: 7, retryAfterMs: 6_500 }, 6_500],
    ['none: half a second, less jitter', {}, 250],
  ])('in %s sets the delay', async (_name, reply, waitMs) => {
    const clock = handClock()
    server.script([{ times: 1, reply: { status: 429, ...reply } }, { reply: { json: PARIS } }])
    const asking = askCity(modelsWith(clock), recordedOptions().options)
    await clock.waitsFor(waitMs)
    await clock.advance(waitMs - 1)
    expect(server.requests).toHaveLength(1)
    await clock.advance(1)
    expect(await asking).toMatchObject({ value: PARIS, requests: 2 })
  })

  test('of more than a minute is not waited for, and the reason names it', async () => {
    server.script([{ reply: { status: 429, retryAfter: 61 } }])
    const answered = await askCity(modelsWith(handClock()), recordedOptions().options)
    expect(answered).toMatchObject({ by: 'fallback', requests: 1 })
    expect(answered.reason).toBe('local asks to slow down (429): scripted error 429; it asks to wait 61 s')
  })
})

describe('a refusal', () => {
  test.each([
    [400, /refused the request \(400\): bad/],
    [401, /refused the key of TUTTI_MODEL_URL \(401\): bad/],
    [403, /does not allow this to the key of TUTTI_MODEL_URL \(403\)/],
    [404, /does not know "m1", or its address is wrong \(404\)/],
    [422, /refused the request \(422\)/],
    [301, /redirects elsewhere, which is not followed; check the address \(301\)/],
  ])('of %d is not retried and costs nothing', async (status, reason) => {
    server.script([{ reply: { status, text: 'bad' } }])
    const { options, settled } = recordedOptions()
    const models = modelsWith(handClock())
    const answered = await askCity(models, options)
    expect(answered).toMatchObject({ by: 'fallback', requests: 1 })
    expect(answered.reason).toMatch(reason)
    expect(settled).toEqual([{ inputTokens: 0, outputTokens: 0, costUsd: 0 }])
  })

  test('for lack of credit is not retried, although its status is 429', async () => {
    server.script([{ reply: { status: 429, code: 'insufficient_quota', text: 'You exceeded your quota' } }])
    const answered = await askCity(modelsWith(handClock()), recordedOptions().options)
    expect(answered).toMatchObject({ by: 'fallback', requests: 1 })
    expect(answered.reason).toContain('has no credit left')
  })

  test('does not contain the key, and is one line', async () => {
    server.script([
      { reply: { status: 401, text: 'Incorrect key: very-secret\nsk-proj-abcdefgh <b>see</b> https://x.test' } },
    ])
    const answered = await askCity(modelsWith(handClock()), recordedOptions().options)
    expect(answered.reason).toBe(
      'local refused the key of TUTTI_MODEL_URL (401): Incorrect key: *** *** see https://x.test',
    )
  })

  test('a missing server counts as never reached', async () => {
    const gone = await startModelServer()
    await gone.close()
    const { options, settled } = recordedOptions()
    const answered = await askCity(modelsWith(hastyClock(), { providers: [provider({ baseUrl: gone.url })] }), options)
    expect(answered).toMatchObject({ by: 'fallback', requests: 0 })
    expect(answered.reason).toBe('local cannot be reached (ECONNREFUSED) (after 3 requests)')
    expect(settled).toHaveLength(3)
  })
})

describe('the budget', () => {
  test('used up before the first request: no request is made', async () => {
    const { options } = recordedOptions({
      reserve() {
        throw new TuttiError('BudgetExceeded', 'The run may use 100 tokens; 90 are used.')
      },
    })
    const answered = await askCity(modelsWith(hastyClock()), options)
    expect(answered).toEqual({
      by: 'fallback',
      reason: 'the budget is used up: The run may use 100 tokens; 90 are used.',
      model: 'local:m1',
      requests: 0,
    })
    expect(server.requests).toHaveLength(0)
  })

  test('used up before the retry: the usage is still reported', async () => {
    server.script([{ reply: { json: { town: 'Paris' } } }])
    let calls = 0
    const { options } = recordedOptions({
      reserve() {
        if (++calls === 2) throw new TuttiError('BudgetExceeded', 'no calls left')
        return () => {}
      },
    })
    const answered = await askCity(modelsWith(hastyClock()), options)
    expect(answered).toMatchObject({ by: 'fallback', usage: { inputTokens: 100, outputTokens: 20 }, requests: 1 })
  })

  test('any other error of the engine is passed on', async () => {
    const { options } = recordedOptions({
      reserve() {
        throw new TuttiError('RunLost', 'Another worker has the run.')
      },
    })
    await expect(askCity(modelsWith(hastyClock()), options)).rejects.toThrow('Another worker has the run.')
  })
})

describe('cancelling', () => {
  test('in the middle of a stream rejects at once, closes the connection and settles', async () => {
    server.script([{ reply: { text: 'one two three four', fault: 'stall-mid-stream' } }])
    const cancel = new AbortController()
    const { options, settled, shown } = recordedOptions({ signal: cancel.signal })
    const watching = { ...options, onText: (text: string) => (shown.push([text, 0]), cancel.abort()) }
    const asking = modelsWith(handClock()).ask(poemPrompt, 'rain', watching)
    await expect(asking).rejects.toMatchObject({ code: 'Cancelled' })
    await server.aborted(1)
    expect(settled).toEqual([undefined])
    expect(shown).toHaveLength(1)
  })

  test('while waiting for a retry rejects with the error given as reason', async () => {
    server.script([{ reply: { status: 500 } }])
    const clock = handClock()
    const cancel = new AbortController()
    const { options } = recordedOptions({ signal: cancel.signal })
    const asking = askCity(modelsWith(clock), options)
    await clock.waitsFor(250)
    const reason = new TuttiError('Timeout', 'The job took longer than 60 s.')
    cancel.abort(reason)
    await expect(asking).rejects.toBe(reason)
    expect(clock.pending).toBe(0)
  })
})

describe('a reason', () => {
  test('is returned where no model is configured, without loading the SDK', async () => {
    const models = createModels({ providers: [] }, { clock: handClock() })
    expect(await askCity(models, recordedOptions().options)).toEqual({
      by: 'fallback',
      reason: 'no model is configured',
      requests: 0,
    })
  })
})

test('a cancelled ask does not count against the provider and leaves nothing behind', async () => {
  server.script([{ when: 'Which', times: 6, reply: { fault: 'stall' } }, { reply: { json: PARIS } }])
  const clock = handClock()
  const models = modelsWith(clock)
  for (let i = 1; i <= 6; i++) {
    const cancel = new AbortController()
    const { options, settled } = recordedOptions({ signal: cancel.signal })
    const asking = askCity(models, options)
    await server.arrived(i)
    cancel.abort()
    await expect(asking).rejects.toMatchObject({ code: 'Cancelled' })
    expect(settled).toEqual([undefined])
  }
  const { options } = recordedOptions()
  expect(await askCity(models, options)).toMatchObject({ by: 'model', requests: 1 })
  expect(getEventListeners(options.signal, 'abort')).toEqual([])
  expect(clock.pending).toBe(0)
})

test('an error of the receiver of streamed text does not count as one of the model', async () => {
  server.script([{ reply: { text: 'one two three', fault: 'stall-mid-stream' } }])
  const onText = () => {
    throw new TuttiError('StorageError', 'disk full')
  }
  const { options, settled } = recordedOptions({ onText })
  await expect(modelsWith(handClock()).ask(poemPrompt, 'rain', options)).rejects.toThrow('disk full')
  await server.aborted(1)
  expect(server.requests).toHaveLength(1)
  expect(settled).toEqual([undefined])
})
