import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callOptions as options, localProvider, turnRequest } from '../../../test/support/model-calls.ts'
import { systemClock } from '../../shared/clock.ts'
import { toolCallsOf, userMessage, type AssistantMessage, type TurnRequest } from '../../domain/turn.ts'
import type { ModelsConfig, ProviderConfig } from '../config.ts'
import { createModels } from '../registry.ts'

interface Body {
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly [key: string]: unknown
}

let server: Server
let bodies: { path: string; body: Body }[] = []
let answer: (response: ServerResponse, body: Body, path: string) => void = () => {}
beforeAll(async () => {
  server = createServer((request, response) => {
    let raw = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (raw += chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const body = JSON.parse(raw || '{}') as Body
      bodies.push({ path, body })
      answer(response, body, path)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  bodies = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const provider = (fields: Partial<ProviderConfig> = {}) =>
  localProvider(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, fields)
const modelsOf = (config: Partial<ModelsConfig> = {}) =>
  createModels({ providers: [provider()], ...config }, { clock: systemClock, random: () => 0 })
const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const call = (fields: object, args?: string, name?: string) =>
  chunk({ tool_calls: [{ ...fields, function: { name, arguments: args } }] })
const DONE = '[DONE]'
const sse = (...events: unknown[]) => events.map((e) => `data: ${e === DONE ? DONE : JSON.stringify(e)}\n\n`).join('')
const ask = async (reply: string, type = 'text/event-stream', fields: Partial<TurnRequest> = {}) => {
  answer = (response) => response.writeHead(200, { 'content-type': type }).end(reply)
  const shown: [string, number][] = []
  const turn = await modelsOf().turn!(
    turnRequest([], fields),
    options({ onText: (text, at) => void shown.push([text, at]) }),
  )
  return { ...turn, shown: shown.reduce((text, [piece, at]) => text.slice(0, at) + piece, '') }
}
const essence = ({ parts }: AssistantMessage) =>
  parts.map((part) =>
    part.type === 'tool-call' ? [part.name, part.invalid === undefined ? part.input : 'invalid'] : part,
  )

const weather = (city: string) => ['mcp_weather_weather_lookup', { city }]
const text = (value: string) => ({ type: 'text', text: value })
const reasoning = (value: string) => ({ type: 'reasoning', text: value })
const stop = chunk({}, 'stop')
const calls = chunk({}, 'tool_calls')
const W = 'mcp_weather_weather_lookup'

describe('a stream of chat completions', () => {
  test.each<[string, unknown[], unknown[]]>([
    [
      'with index and id once',
      [call({ index: 0, id: 'a' }, '', W), call({ index: 0 }, '{"ci'), call({ index: 0 }, 'ty":"A"}'), calls],
      [weather('A')],
    ],
    ['without index', [call({ id: 'a' }, '', W), call({}, '{"city"'), call({}, ':"A"}'), calls], [weather('A')]],
    [
      'with the id in every delta',
      [call({ index: 0, id: 'a' }, '{"city"', W), call({ index: 0, id: 'a' }, ':"A"}'), calls],
      [weather('A')],
    ],
    ['without an id', [call({ index: 0 }, '{"city":"A"}', W), calls], [weather('A')]],
    [
      'with one index for two calls',
      [call({ index: 0, id: 'a' }, '{"city":"A"}', W), call({ index: 0, id: 'b' }, '{"city":"B"}', W), calls],
      [weather('A'), weather('B')],
    ],
    [
      'with two calls in one chunk',
      [
        chunk({
          tool_calls: ['A', 'B'].map((city, index) => ({
            index,
            id: city,
            function: { name: W, arguments: JSON.stringify({ city }) },
          })),
        }),
        calls,
      ],
      [weather('A'), weather('B')],
    ],
    [
      'with two calls of one id',
      [call({ index: 0, id: 'a' }, '{"city":"A"}', W), call({ index: 1, id: 'a' }, '{"city":"B"}', W), calls],
      [weather('A'), weather('B')],
    ],
    ['with empty arguments', [call({ index: 0, id: 'a' }, '', 'query'), calls], [['query', {}]]],
    [
      'with arguments as an object',
      [chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: W, arguments: { city: 'A' } } }] }), calls],
      [weather('A')],
    ],
    ['with arguments that are no JSON', [call({ index: 0, id: 'a' }, 'city=A', W), calls], [[W, 'invalid']]],
    [
      'with a call beside text, finished with stop',
      [chunk({ content: 'One moment.' }), call({ index: 0, id: 'a' }, '{"city":"A"}', W), stop],
      [text('One moment.'), weather('A')],
    ],
    [
      'without a finish reason',
      [call({ index: 0, id: 'a' }, '', W), call({ index: 0 }, '{"city":"A"}'), { choices: [], usage: null }],
      [weather('A')],
    ],
    ['with a shortened name', [call({ index: 0, id: 'a' }, '{"city":"A"}', 'weather_lookup'), calls], [weather('A')]],
    [
      'with a name in a namespace',
      [call({ index: 0, id: 'a' }, '{"city":"A"}', 'functions.weather_lookup'), calls],
      [weather('A')],
    ],
    ['with an unknown name', [call({ index: 0, id: 'a' }, '{}', 'delete_all'), calls], [['delete_all', {}]]],
  ])('%s returns the calls', async (_name, events, expected) => {
    const turn = await ask(sse(...events, DONE))
    expect(essence(turn.message)).toEqual(expected)
    expect(turn.finishReason).toBe('tool-calls')
    const ids = toolCallsOf(turn.message).map(({ id }) => id)
    expect(new Set(ids.filter((id) => id !== '')).size).toBe(ids.length)
    expect(turn.requests).toBe(1)
  })

  test.each<[string, string, string?]>([
    ['without a finish reason', sse(chunk({ content: 'Hello.' }), DONE)],
    ['without indices', sse({ choices: [{ delta: { content: 'Hello.' } }] }, DONE)],
    [
      'with chunks of usage alone',
      sse(chunk({ content: 'Hello.' }), stop, { usage: { prompt_tokens: 9, completion_tokens: 9 } }, DONE),
    ],
    [
      'with empty choices and no usage',
      sse({ choices: [], usage: null }, chunk({ content: 'Hello.' }), { ...stop, usage: null }, DONE),
    ],
    ['with content in parts', sse(chunk({ content: [{ type: 'text', text: 'Hel' }, 'lo.'] }), stop, DONE)],
    [
      'with CRLF and comments',
      `: ping\r\n\r\n${sse(chunk({ content: 'Hello.' }), stop, DONE).replaceAll('\n', '\r\n')}`,
    ],
    [
      'that is plain JSON',
      JSON.stringify(
        { choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }] },
        null,
        2,
      ),
      'application/json',
    ],
  ])('%s returns the text', async (_name, reply, type) => {
    const turn = await ask(reply, type)
    expect(turn).toMatchObject({ finishReason: 'stop', requests: 1, shown: 'Hello.' })
    expect(essence(turn.message)).toEqual([text('Hello.')])
  })

  test('of plain JSON returns its calls, too', async () => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', function: { name: 'query', arguments: '{"n":1}' } }],
    }
    const turn = await ask(
      JSON.stringify({
        choices: [{ message, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 3, completion_tokens: 4 },
      }),
      'application/json',
    )
    expect(essence(turn.message)).toEqual([['query', { n: 1 }]])
    expect(turn.usage).toMatchObject({ inputTokens: 3, outputTokens: 4 })
  })

  test('that ends without [DONE] and finish reason is incomplete and requested again', async () => {
    let count = 0
    answer = (response) => {
      const events = count++ === 0 ? [chunk({ content: 'Hel' })] : [chunk({ content: 'Hello.' }), stop]
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sse(...events))
    }
    const turn = await modelsOf().turn!(turnRequest(), options())
    expect(turn.requests).toBe(2)
    expect(essence(turn.message)).toEqual([text('Hello.')])
  })

  test.each([
    ['cut in its arguments', '{"city":"Riv'],
    ['cut before its arguments', ''],
  ])('whose last call is %s by the limit marks it as invalid', async (_name, args) => {
    const turn = await ask(
      sse(
        call({ index: 0, id: 'a' }, '{"city":"A"}', W),
        call({ index: 1, id: 'b' }, args, W),
        chunk({}, 'length'),
        DONE,
      ),
    )
    expect(turn.finishReason).toBe('length')
    expect(essence(turn.message)).toEqual([weather('A'), [W, 'invalid']])
  })

  test.each<[string, string[], unknown[]]>([
    ['in a field of its own', [], [reasoning('Hm.'), text('Hello.')]],
    ['in a block', ['<thi', 'nk>Hm.</think>', '\n\nHello.'], [reasoning('Hm.'), text('Hello.')]],
    ['before a bare closing tag', ['Hm.\n</th', 'ink>\n\nHello.'], [reasoning('Hm.'), text('Hello.')]],
    ['as a word within the text', ['Write </think> to close.'], [text('Write </think> to close.')]],
  ])('with thoughts %s gives them as reasoning', async (_name, contents, expected) => {
    const events =
      contents.length === 0
        ? [chunk({ reasoning_content: 'Hm.' }), chunk({ content: 'Hello.' })]
        : contents.map((content) => chunk({ content }))
    const turn = await ask(sse(...events, stop, DONE))
    expect(essence(turn.message)).toEqual(expected)
    expect(turn.shown).toBe((expected.at(-1) as { text: string }).text)
  })
})

describe('calls written as text', () => {
  const json = (key: string) => `{"name":"weather_lookup","${key}":{"city":"A"}}`
  test.each<[string, string, unknown[]]>([
    [
      '<tool_call>',
      `<tool_call>\n${json('arguments')}\n</tool_call>\n<tool_call>{"name":"query","arguments":{}}</tool_call>`,
      [weather('A'), ['query', {}]],
    ],
    ['<tool_call> without its end', `<tool_call>${json('arguments')}`, [weather('A')]],
    ['[TOOL_CALLS] with a list', `[TOOL_CALLS][${json('arguments')}]`, [weather('A')]],
    ['[TOOL_CALLS] with a name', `[TOOL_CALLS]weather_lookup[ARGS]{"city":"A"}`, [weather('A')]],
    ['<|python_tag|>', `<|python_tag|>${json('parameters')}<|eom_id|>`, [weather('A')]],
    ['a JSON object', json('arguments'), [weather('A')]],
    ['a fenced JSON object', `\`\`\`json\n${json('arguments')}\n\`\`\``, [weather('A')]],
    ['a JSON object with other keys', '{"tool":"weather_lookup","args":{"city":"A"}}', [weather('A')]],
    [
      'thoughts before it',
      `<think>Hm.</think><tool_call>${json('arguments')}</tool_call>`,
      [reasoning('Hm.'), weather('A')],
    ],
    [
      '<tool_call> after a sentence',
      `Let me check.\n<tool_call>${json('arguments')}</tool_call> One moment.`,
      [text('Let me check.'), weather('A')],
    ],
    [
      'a fenced JSON object after a sentence',
      `Let me check.\n\`\`\`json\n${json('arguments')}\n\`\`\``,
      [text('Let me check.'), weather('A')],
    ],
    ['<function=…> with JSON', `<function=weather_lookup>{"city":"A"}</function>`, [weather('A')]],
    [
      '<function=…> with parameters',
      '<tool_call>\n<function=weather_lookup>\n<parameter=city>\nA\n</parameter>\n</function>\n</tool_call>',
      [weather('A')],
    ],
    ['[TOOL_CALLS] after a sentence', `I look. [TOOL_CALLS][${json('arguments')}]`, [text('I look.'), weather('A')]],
    [
      '<|python_tag|> after a sentence',
      `I look.\n<|python_tag|>${json('parameters')}`,
      [text('I look.'), weather('A')],
    ],
  ])('as %s are calls, and their text is removed', async (_name, content, expected) => {
    const turn = await ask(sse(chunk({ content }), stop, DONE))
    expect(essence(turn.message)).toEqual(expected)
    const note = (expected as { type?: string; text?: string }[]).find(({ type }) => type === 'text')
    expect(turn).toMatchObject({ finishReason: 'tool-calls', shown: note?.text ?? '' })
  })

  test.each<[string, string, Partial<TurnRequest>]>([
    ['beside other text', `I call it: ${json('arguments')}`, {}],
    ['fenced, before a sentence', `\`\`\`json\n${json('arguments')}\n\`\`\`\nSo it is called.`, {}],
    ['of an unknown tool', '{"name":"Ada","arguments":{}}', {}],
    ['without arguments', '{"name":"query"}', {}],
    ['with other fields', '{"name":"query","arguments":{},"age":7}', {}],
    ['in the last turn', json('arguments'), { toolChoice: 'none' }],
    [
      'where no tools were offered',
      json('arguments'),
      { head: { instructions: '', tools: [], messages: [userMessage('x')] } },
    ],
  ])('%s are text', async (_name, content, fields) => {
    const turn = await ask(sse(chunk({ content }), stop, DONE), 'text/event-stream', fields)
    expect(essence(turn.message)).toEqual([text(content)])
    expect(turn.finishReason).toBe('stop')
  })
})

describe('unsupported parameters', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  const own: AssistantMessage = {
    role: 'assistant',
    model: 'local:m1',
    parts: [reasoning('Hm.') as never, text('Hi.') as never],
  }
  const error = (param: string | null, message: string) => ({
    error: { message, param, type: 'invalid_request_error' },
  })

  test.each<[string, (body: Body) => boolean, object, (body: Body) => void]>([
    [
      'temperature',
      (body) => 'temperature' in body,
      error('temperature', 'Only the default (1) is supported'),
      (body) => expect(body).not.toHaveProperty('temperature'),
    ],
    [
      'max_tokens',
      (body) => 'max_tokens' in body,
      error('max_tokens', 'max_tokens is not supported, use max_completion_tokens'),
      (body) => expect(body).toMatchObject({ max_completion_tokens: 77 }),
    ],
    [
      'any limit',
      (body) => 'max_tokens' in body || 'max_completion_tokens' in body,
      { detail: [{ loc: ['body', 'max_tokens'], also: 'max_completion_tokens' }] },
      (body) => expect(body).not.toHaveProperty('max_completion_tokens'),
    ],
    [
      'the system role',
      (body) => body.messages.some((message) => message['role'] === 'system'),
      error('messages', 'System role not supported'),
      (body) => expect(JSON.stringify(body.messages[0])).toMatch(/"user".*Answer\..*Weather\?/),
    ],
    [
      'stream',
      (body) => body['stream'] === true,
      error('stream', 'this organization may not stream this model'),
      (body) => expect(body['stream']).not.toBe(true),
    ],
    [
      'stream_options',
      (body) => 'stream_options' in body,
      { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
      (body) => expect(body).not.toHaveProperty('stream_options'),
    ],
    [
      'tool_choice',
      (body) => 'tool_choice' in body,
      error(null, 'tool_choice: unsupported'),
      (body) => expect(body).toMatchObject({ tools: [{}, {}] }),
    ],
    [
      'a JSON schema',
      (body) => 'response_format' in body,
      error('response_format', 'json_schema is not available'),
      (body) => expect(JSON.stringify(body.messages[0])).toContain('additionalProperties'),
    ],
    [
      'reasoning',
      (body) => body.messages.some((message) => 'reasoning_content' in message),
      error(null, "property 'reasoning_content' is unsupported"),
      (body) => expect(body.messages).toHaveLength(4),
    ],
  ])('%s, is omitted and remembered', async (_name, isRefused, refusal, check) => {
    answer = (response, body) => {
      if (isRefused(body))
        return response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
      const whole = { choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] }
      if (body['stream'] !== true)
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole))
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(sse(chunk({ content: 'Hello.' }), stop, DONE))
    }
    const models = modelsOf({ providers: [provider({ structuredOutputs: true })] })
    const settings = { temperature: 0.2, maxOutputTokens: 77, outputSchema: schema }
    const wanted = turnRequest([own, userMessage('And?')], settings)
    const first = await models.turn!(wanted, options())
    expect(essence(first.message)).toEqual([text('Hello.')])
    const count = bodies.length
    expect(count).toBeGreaterThan(1)
    check(bodies.at(-1)!.body)
    await models.turn!(wanted, options())
    expect(bodies).toHaveLength(count + 1)
    check(bodies.at(-1)!.body)
  })

  test('is not remembered when omitting it did not help', async () => {
    answer = (response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify(error(null, 'Too long: reduce the messages or max_tokens')))
    const models = modelsOf()
    await expect(models.turn!(turnRequest(), options())).rejects.toThrow('reduce the messages')
    bodies = []
    await expect(models.turn!(turnRequest(), options())).rejects.toThrow('reduce the messages')
    expect(bodies[0]!.body).toHaveProperty('max_tokens')
  })
})
