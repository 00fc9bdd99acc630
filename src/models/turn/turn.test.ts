import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../../../test/support/model-server.ts'
import { systemClock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { ModelCallOptions } from '../../domain/model.ts'
import {
  textOfMessage,
  toolCallsOf,
  userMessage,
  type ToolDefinition,
  type TranscriptMessage,
  type TurnRequest,
} from '../../domain/turn.ts'
import type { Usage } from '../../domain/usage.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { ModelsConfig, ProviderConfig } from '../config.ts'
import { createModels } from '../registry.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
beforeEach(() => server.script([]))
afterAll(() => server.close())

const provider = (fields: Partial<ProviderConfig> = {}): ProviderConfig => ({
  name: 'local',
  kind: 'compatible',
  source: 'TUTTI_MODEL_URL',
  baseUrl: server.url,
  defaultModel: 'm1',
  ...fields,
})
const modelsOf = (config: Partial<ModelsConfig> = {}) =>
  createModels({ providers: [provider()], ...config }, { clock: systemClock, random: () => 0 })

const tool = (name: string): ToolDefinition => ({
  name,
  description: `Tool ${name}`,
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
})
const request = (messages: readonly TranscriptMessage[] = [], fields: Partial<TurnRequest> = {}): TurnRequest => ({
  name: 'test.turn',
  head: {
    instructions: 'Answer.',
    tools: [tool('mcp_weather_weather_lookup'), tool('query')],
    messages: [userMessage('Weather?')],
  },
  messages,
  toolChoice: 'auto',
  ...fields,
})
const options = (fields: Partial<ModelCallOptions> = {}): ModelCallOptions => ({
  actor: 'assistant',
  models: {},
  signal: new AbortController().signal,
  reserve: () => () => {},
  ...fields,
})
const weather = { name: 'mcp_weather_weather_lookup', arguments: { city: 'Rivertown' } }

describe('a turn', () => {
  test('returns text and calls in order, with usage, finish reason and model', async () => {
    const settled: (Usage | undefined)[] = []
    server.script([{ reply: { text: 'I look it up.', toolCalls: [weather, { name: 'query', arguments: {} }] } }])
    const turn = await modelsOf().turn!(request(), options({ reserve: () => (usage) => void settled.push(usage) }))
    expect(turn).toMatchObject({ finishReason: 'tool-calls', model: 'local:m1', requests: 1 })
    expect(turn.message).toMatchObject({
      role: 'assistant',
      model: 'local:m1',
      parts: [
        { type: 'text', text: 'I look it up.' },
        { type: 'tool-call', name: weather.name, input: { city: 'Rivertown' } },
        { type: 'tool-call', name: 'query', input: {} },
      ],
    })
    expect(settled).toEqual([turn.usage])
    expect(server.requests[0]!.body).toMatchObject({
      tool_choice: 'auto',
      tools: [{ function: { name: 'mcp_weather_weather_lookup' } }, { function: { name: 'query' } }],
    })
  })

  test('sends results in call order; its messages extend those of the previous turn', async () => {
    server.script([
      { times: 1, reply: { text: 'One moment.', toolCalls: [weather, { name: 'query', arguments: {} }] } },
      { reply: { text: '17 degrees.' } },
    ])
    const models = modelsOf()
    const first = await models.turn!(request(), options())
    const [one, two] = toolCallsOf(first.message)
    const results: TranscriptMessage = {
      role: 'tool',
      parts: [
        { type: 'tool-result', id: one!.id, name: one!.name, text: '17' },
        { type: 'tool-result', id: two!.id, name: two!.name, text: 'no such table', isError: true },
      ],
    }
    const last = await models.turn!(request([first.message, results], { toolChoice: 'none' }), options())
    expect(textOfMessage(last.message)).toBe('17 degrees.')
    const [before, after] = server.requests.map(({ body }) => body['messages'] as unknown[])
    expect(JSON.stringify(after!.slice(0, before!.length))).toBe(JSON.stringify(before))
    expect(after!.slice(before!.length)).toMatchObject([
      { role: 'assistant', content: 'One moment.', tool_calls: [{ id: one!.id }, { id: two!.id }] },
      { role: 'tool', tool_call_id: one!.id, content: '17' },
      { role: 'tool', tool_call_id: two!.id, content: 'no such table' },
    ])
    expect(server.requests[1]!.body).toMatchObject({ tool_choice: 'none' })
    expect(server.requests[1]!.body['tools']).toEqual(server.requests[0]!.body['tools'])
  })

  test('without tools sends neither an empty list nor a tool choice', async () => {
    server.script([{ reply: { text: 'Hello.' } }])
    const bare = request()
    await modelsOf().turn!({ ...bare, head: { ...bare.head, tools: [] }, toolChoice: 'none' }, options())
    expect(server.requests[0]!.body).not.toHaveProperty('tools')
    expect(server.requests[0]!.body).not.toHaveProperty('tool_choice')
  })

  test.each([
    ['a call without a result', []],
    ['a result too few', [{ type: 'tool-result', id: 'a', name: 'query', text: '' }]],
    [
      'results in another order',
      ['b', 'a'].map((id) => ({ type: 'tool-result' as const, id, name: 'query', text: '' })),
    ],
  ] as const)('is refused for %s', async (_name, parts) => {
    const calls: TranscriptMessage = {
      role: 'assistant',
      parts: ['a', 'b'].map((id) => ({ type: 'tool-call', id, name: 'query', input: {} })),
    }
    const results: TranscriptMessage[] = parts.length === 0 ? [] : [{ role: 'tool', parts }]
    await expect(modelsOf().turn!(request([calls, ...results]), options())).rejects.toMatchObject({ code: 'Internal' })
    expect(server.requests).toHaveLength(0)
  })

  test('streams text with offsets, and withdraws that of a failed attempt', async () => {
    server.script([
      { times: 1, reply: { text: 'one two', chunks: ['one ', 'two'], fault: 'truncated' } },
      { reply: { text: 'three', chunks: ['three'] } },
    ])
    const shown: [string, number][] = []
    await modelsOf().turn!(request(), options({ onText: (text, offset) => void shown.push([text, offset]) }))
    expect(shown.at(-1)).toEqual(['three', 0])
  })
})

describe('a turn that fails', () => {
  test('after its retries throws ModelUnavailable with the reason', async () => {
    server.script([{ reply: { status: 400, text: 'bad' } }])
    await expect(modelsOf().turn!(request(), options())).rejects.toMatchObject({
      code: 'ModelUnavailable',
      message: 'No model answered: local refused the request (400): bad.',
    })
  })

  test('goes to the second model', async () => {
    server.script([
      { model: 'm1', reply: { status: 401 } },
      { model: 'm2', reply: { text: 'from the second' } },
    ])
    const models = modelsOf({ seconds: { default: 'local:m2' } })
    const turn = await models.turn!(request(), options())
    expect(turn).toMatchObject({ model: 'local:m2', requests: 2, message: { model: 'local:m2' } })
  })

  test('goes to the second model of the same provider after the first one hung twice', async () => {
    server.script([
      { model: 'm1', reply: { fault: 'stall' } },
      { model: 'm2', reply: { text: 'from the second' } },
    ])
    const clock = new ManualClock()
    const models = createModels({ providers: [provider()], seconds: { assistant: 'local:m2' } }, { clock })
    const turn = models.turn!(request(), options())
    await server.arrived(1)
    await clock.advance(60_000)
    while (server.requests.length < 2) await clock.advance(500)
    await clock.advance(60_000)
    while (server.requests.length < 3) await clock.advance(500)
    expect(await turn).toMatchObject({ model: 'local:m2', requests: 3 })
    expect(server.countOf(0)).toBe(2)
  })

  test('for lack of budget asks no other model and throws BudgetExceeded', async () => {
    const reserve = (): never => {
      throw new TuttiError('BudgetExceeded', 'no calls left')
    }
    const models = modelsOf({ seconds: { default: 'local:m2' } })
    await expect(models.turn!(request(), options({ reserve }))).rejects.toMatchObject({ code: 'BudgetExceeded' })
    expect(server.requests).toHaveLength(0)
  })
})
