import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../../../test/support/model-server.ts'
import { systemClock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { ModelCallOptions } from '../../domain/model.ts'
import { userMessage, type ToolDefinition, type TranscriptMessage, type TurnRequest } from '../../domain/turn.ts'
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
