import { describe, expect, test } from 'vitest'
import { startModelServer } from '../../test/support/model-server.ts'
import { systemClock } from '../shared/clock.ts'
import { textOfMessage, type ModelTurn } from '../domain/turn.ts'
import { measureContextWindow, type Trial } from './probe.ts'
import { createModels } from './registry.ts'
import { openForAll } from '../../test/support/opened.ts'

const server = openForAll(() => startModelServer())

const modelsOf = (contextWindows: Record<string, number> = {}) => {
  const local = { name: 'local', kind: 'compatible', source: 'test', baseUrl: server.url, defaultModel: 'm1' } as const
  return createModels({ providers: [local], contextWindows }, { clock: systemClock, random: () => 0 })
}
const { signal } = new AbortController()

describe('the probe', () => {
  test('reports the supported features of a model', async () => {
    const weather = (city: string) => ({ name: 'weather', arguments: { city } })
    server.script([
      { when: 'numbers from 1', reply: { text: '1 2 3', chunks: ['1 ', '2 ', '3'] } },
      { when: 'weather', reply: { toolCalls: [weather('Paris'), weather('Rome')] } },
      { when: 'sum', reply: { json: { sum: 42 } } },
    ])
    expect(await modelsOf().probe(signal, false)).toEqual([
      { model: 'local:m1', streaming: true, tools: true, parallelTools: true, structuredOutput: true },
    ])
    expect(server.requests).toHaveLength(3)
  })

  test('reports unsupported features, with reasons', async () => {
    server.script([
      { when: 'numbers from 1', reply: { text: '1 2 3', chunks: ['1 2 3'] } },
      { when: 'weather', reply: { status: 400, text: 'this model cannot use them' } },
      { when: 'sum', reply: { text: 'It is 42.' } },
    ])
    expect(await modelsOf().probe(signal, false)).toEqual([
      {
        model: 'local:m1',
        streaming: false,
        tools: false,
        parallelTools: false,
        structuredOutput: false,
        problem: expect.stringContaining('this model cannot use them'),
      },
    ])
  })
})

/** A server that keeps the last tokens of a prompt, four characters each, and silently drops its beginning. */
const serverWith =
  (window: number): Trial =>
  async ({ head }) => {
    const prompt = textOfMessage(head.messages[0]!.role === 'user' ? head.messages[0]! : { parts: [] })
    const read = prompt.slice(-window * 4)
    const text = /locker is (\d+)/.exec(read)?.[1] ?? 'I do not know.'
    const turn: ModelTurn = {
      message: { role: 'assistant', parts: [{ type: 'text', text }] },
      finishReason: 'stop',
      model: 'local:m1',
      requests: 1,
      usage: { inputTokens: Math.ceil(read.length / 4), outputTokens: 5 },
    }
    return { turn, pieces: 1 }
  }

describe('the measured context window', () => {
  test.each([4_096, 10_000, 32_000])('is close to %d tokens, and never more', async (window) => {
    const measured = await measureContextWindow(serverWith(window))
    expect(measured).toBeLessThanOrEqual(window)
    expect(measured).toBeGreaterThan(window * 0.7)
  })

  test('of a model with a larger window is the longest tried length', async () => {
    expect(await measureContextWindow(serverWith(200_000))).toBe(65_536)
  })

  test('is unknown where the model does not find the marker', async () => {
    expect(await measureContextWindow(serverWith(10))).toBeUndefined()
  })
})

describe('the context window of a model', () => {
  test.each([
    ['openai:gpt-5.4-mini', 272_000],
    ['anthropic:claude-sonnet-4-6', 200_000],
    ['gateway:eu.anthropic.claude-sonnet-4-6', 200_000],
    ['local:constructor', 32_000],
  ])('of %s is %d tokens', (ref, tokens) => {
    expect(modelsOf().contextWindow!(ref)).toBe(tokens)
  })

  test('is the configured one where there is one, else the measured one', async () => {
    server.script([
      {
        when: (request) => request.text.includes('locker') && request.text.length < 80_000,
        reply: ({ text }) => ({ text: /locker is (\d+)/.exec(text)![1]!, usage: false }),
      },
      { reply: { text: 'I do not know.' } },
    ])
    const models = modelsOf()
    const [probe] = await models.probe(signal, true)
    expect(probe!.contextWindow).toBeGreaterThan(2_000)
    expect(models.contextWindow!('local:m1')).toBe(probe!.contextWindow)
    expect(modelsOf({ 'local:m1': 5_000 }).contextWindow!('local:m1')).toBe(5_000)
  })
})
