import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callOptions } from '../../../test/support/model-calls.ts'
import { systemClock } from '../../shared/clock.ts'
import {
  toolCallsOf,
  userMessage,
  type ModelTurn,
  type TranscriptMessage,
  type TurnRequest,
} from '../../domain/turn.ts'
import type { ProviderConfig } from '../config.ts'
import { createModels } from '../registry.ts'

type Fields = Readonly<Record<string, unknown>>

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const head = {
  instructions: 'Answer.',
  tools: [{ name: 'weather', description: 'Weather', inputSchema: schema }],
  messages: [userMessage('Weather in A and B?')],
}
const request = (messages: readonly TranscriptMessage[]): TurnRequest => ({
  name: 'test.turn',
  head,
  messages,
  toolChoice: 'auto',
})
const resultsOf = ({ message }: ModelTurn): TranscriptMessage => ({
  role: 'tool',
  parts: toolCallsOf(message).map(({ id, name }, i) => ({ type: 'tool-result', id, name, text: `${i} degrees` })),
})

const openaiItem = (output_index: number, item: Fields): Fields[] => [
  { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
  { type: 'response.output_item.done', output_index, item },
]
const openaiCall = (at: number, city: string) =>
  openaiItem(at, {
    type: 'function_call',
    id: `fc_${city}`,
    call_id: `call_${city}`,
    name: 'weather',
    arguments: JSON.stringify({ city }),
    status: 'completed',
  })
const openai: Fields[] = [
  { type: 'response.created', response: { id: 'r', created_at: 1, model: 'gpt-5-mini' } },
  ...openaiItem(0, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'SECRET-STATE' }),
  ...openaiCall(1, 'A'),
  ...openaiCall(2, 'B'),
  {
    type: 'response.completed',
    response: { id: 'r', usage: { input_tokens: 5, output_tokens: 7 }, incomplete_details: null },
  },
]

const claudeBlock = (index: number, content_block: Fields, ...deltas: Fields[]): Fields[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const claudeCall = (at: number, city: string) =>
  claudeBlock(
    at,
    { type: 'tool_use', id: `toolu_${city}`, name: 'weather', input: {} },
    { type: 'input_json_delta', partial_json: JSON.stringify({ city }) },
  )
const anthropic: Fields[] = [
  {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [],
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  },
  ...claudeBlock(
    0,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: 'Two cities.' },
    { type: 'signature_delta', signature: 'SECRET-STATE' },
  ),
  ...claudeCall(1, 'A'),
  ...claudeCall(2, 'B'),
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
]

const google: Fields[] = [
  {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { functionCall: { name: 'weather', args: { city: 'A' } }, thoughtSignature: 'SECRET-STATE' },
            { functionCall: { name: 'weather', args: { city: 'B' } } },
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7 },
  },
]

const chatCall = (index: number, city: string, more: Fields = {}) => ({
  choices: [
    {
      index: 0,
      delta: {
        tool_calls: [
          { index, id: `c${city}`, function: { name: 'weather', arguments: JSON.stringify({ city }) }, ...more },
        ],
      },
    },
  ],
})
const chat: Fields[] = [
  { choices: [{ index: 0, delta: { reasoning_content: 'Two cities.' } }] },
  chatCall(0, 'A', { extra_content: { google: { thought_signature: 'SECRET-STATE' } } }),
  chatCall(1, 'B'),
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
]

const PROVIDERS: [ProviderConfig['kind'], string, Fields[], string][] = [
  ['openai', 'gpt-5-mini', openai, 'input'],
  ['azure', 'gpt-5-mini', openai, 'input'],
  ['anthropic', 'claude-sonnet-4-6', anthropic, 'messages'],
  ['google', 'gemini-3.5-flash', google, 'contents'],
  ['compatible', 'm1', chat, 'messages'],
]

/** Models of all providers, which answer by the given events; `bodies` are the requests sent. */
function world() {
  const bodies: Fields[] = []
  const replies = new Map(PROVIDERS.map(([kind, , events]) => [kind, events]))
  const fetch: typeof globalThis.fetch = async (input, init) => {
    bodies.push(JSON.parse(String(init?.body)) as Fields)
    const kind = new URL(String(input)).hostname.split('.')[0] as ProviderConfig['kind']
    const text = replies.get(kind)!.map((event) => `data: ${JSON.stringify(event)}\n\n`)
    return new Response(text.join('').replaceAll('SECRET-STATE', `SECRET-STATE of ${kind}`), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  const providers = PROVIDERS.map(([kind, defaultModel]) => ({
    name: kind,
    kind,
    source: 'test',
    baseUrl: `https://${kind}.test/v1`,
    apiKey: 'k',
    defaultModel,
  }))
  const models = createModels({ providers }, { clock: systemClock, random: () => 0, fetch })
  const turn = (ref: string, messages: readonly TranscriptMessage[]) =>
    models.turn!(request(messages), callOptions({ models: { default: ref } }))
  return { bodies, turn }
}

/** A mark sets the end of the cached prefix, and moves to the last message. */
const withoutMarks = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)))

describe.each(PROVIDERS)('%s', (kind, model, _events, field) => {
  test('gets its own state back in the next turn, which extends the previous turn', async () => {
    const { bodies, turn } = world()
    const first = await turn(`${kind}:${model}`, [])
    expect(toolCallsOf(first.message).map(({ name, input }) => [name, input])).toEqual([
      ['weather', { city: 'A' }],
      ['weather', { city: 'B' }],
    ])
    expect(first.finishReason).toBe('tool-calls')
    await turn(`${kind}:${model}`, [first.message, resultsOf(first)])
    const [before, after] = bodies.map((body) => withoutMarks(body[field]) as unknown[])
    expect(JSON.stringify(after!.slice(0, before!.length))).toBe(JSON.stringify(before))
    const added = JSON.stringify(after!.slice(before!.length))
    expect(added).toContain('SECRET-STATE')
    expect(added.indexOf('0 degrees')).toBeLessThan(added.indexOf('1 degrees'))
    expect(bodies[1]!['tools']).toEqual(bodies[0]!['tools'])
  })

  test('gets calls and results of all other models, without their state', async () => {
    const { bodies, turn } = world()
    for (const [other, name] of PROVIDERS.filter(([other]) => other !== kind)) {
      const first = await turn(`${other}:${name}`, [])
      await turn(`${kind}:${model}`, [first.message, resultsOf(first)])
      const sent = JSON.stringify(bodies.at(-1))
      expect(sent).not.toContain('SECRET-STATE')
      expect(sent).not.toContain('Two cities.')
      expect(sent).toContain('1 degrees')
      // Mistral accepts ids of nine letters and digits alone.
      for (const { id } of toolCallsOf(first.message)) expect(sent).not.toContain(id)
    }
  })
})

test('for any authors of earlier turns, each prompt extends the previous one and holds only its own model’s state', async () => {
  const provider = fc.constantFrom(...PROVIDERS)
  await fc.assert(
    fc.asyncProperty(provider, fc.array(provider, { minLength: 2, maxLength: 6 }), async (target, authors) => {
      const [kind, model, , field] = target
      const { bodies, turn } = world()
      const messages: TranscriptMessage[] = []
      let before: unknown[] = []
      for (const [author, its] of authors) {
        const reply = await turn(`${author}:${its}`, messages)
        messages.push(reply.message, resultsOf(reply))
        await turn(`${kind}:${model}`, messages)
        const now = withoutMarks(bodies.at(-1)![field]) as unknown[]
        expect(JSON.stringify(now.slice(0, before.length))).toBe(JSON.stringify(before))
        before = now
        const own = authors.slice(0, messages.length / 2).filter(([one]) => one === kind).length
        const found = JSON.stringify(bodies.at(-1)).match(/SECRET-STATE of \w+/g) ?? []
        expect(found).toEqual(Array(own).fill(`SECRET-STATE of ${kind}`))
      }
    }),
    { seed: 26, numRuns: 50 },
  )
})

test('the Responses API stores nothing and returns its reasoning encrypted', async () => {
  const { bodies, turn } = world()
  await turn('openai:gpt-5-mini', [])
  await turn('azure:gpt-5-mini', [])
  for (const body of bodies) {
    expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    expect(body['prompt_cache_key']).toMatch(/^[0-9a-f]{32}$/)
  }
})

test('Anthropic gets cache marks behind the instructions, the head and the last message', async () => {
  const { bodies, turn } = world()
  const first = await turn('anthropic:claude-sonnet-4-6', [])
  await turn('anthropic:claude-sonnet-4-6', [first.message, resultsOf(first)])
  const { system, messages } = bodies[1] as unknown as { system: Fields[]; messages: { content: Fields[] }[] }
  const marked = [system, ...messages.map(({ content }) => content)].map((blocks) =>
    blocks.map((b) => 'cache_control' in b),
  )
  expect(marked).toEqual([[true], [true], [false, false, false], [false, true]])
})

test('state that a provider refuses is omitted from then on', async () => {
  const bodies: string[] = []
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const body = String(init?.body)
    bodies.push(body)
    if (body.includes('SECRET-STATE')) {
      const error = {
        type: 'invalid_request_error',
        message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
      }
      return Response.json({ type: 'error', error }, { status: 400 })
    }
    const text = anthropic.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  }
  const claude = {
    name: 'anthropic',
    kind: 'anthropic',
    source: 'test',
    apiKey: 'k',
    defaultModel: 'claude-x',
  } as const
  const models = createModels({ providers: [claude] }, { clock: systemClock, random: () => 0, fetch })
  const first = await models.turn!(request([]), callOptions())
  const messages = [first.message, resultsOf(first)]
  expect(await models.turn!(request(messages), callOptions())).toMatchObject({
    finishReason: 'tool-calls',
    requests: 2,
  })
  expect(await models.turn!(request(messages), callOptions())).toMatchObject({ requests: 1 })
  expect(bodies.at(-1)).not.toContain('SECRET-STATE')
})
