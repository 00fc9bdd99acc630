import { HttpAgent } from '@ag-ui/client'
import { createOpenAI } from '@ai-sdk/openai'
import { AbstractChat, DefaultChatTransport, generateText, streamText, type ChatState, type ChatStatus } from 'ai'
import OpenAI, { APIError } from 'openai'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseTeam } from '../../../src/domain/team.ts'
import type { TuttiUIMessage } from '../../../src/server/protocols/ui-message-stream.ts'
import { agent, eventually, gate } from '../../support/engine-world.ts'
import { startModelWorld } from '../../support/http-server.ts'
import { letterSender } from '../../support/letters.ts'
import { oneRole, storyteller } from '../../support/one-role.ts'
import { openForAll } from '../../support/opened.ts'

const sent: string[] = []
const oracle = agent(
  'oracle',
  async () => ({
    answer: 'There are 12 foxes [1].',
    sources: [{ kind: 'web', name: 'Fox census', url: 'https://foxes.example/census' }],
  }),
  { keywords: ['foxes'] },
)

const PIECES = ['Once ', 'upon ', 'a ', 'time ', '🎻 there was a fox.']
const STORY = PIECES.join('')
const hold = gate()
const broken = oneRole('broken', async () => {
  throw new TypeError('The oracle is out.')
})
const slow = oneRole('slow', async (ctx) => {
  await Promise.race([hold.promise, new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))])
  ctx.emit({ type: 'answer.composed', answer: 'At last.', by: 'fallback' })
  return {}
})
const headers = { 'x-test-person': 'ada' }
const world = openForAll(() =>
  startModelWorld(
    [
      // The composer gets the reason why the call was not made.
      { when: /You write the final answer[^]*(approv|hitl)/i, reply: { text: 'It needed an approval.' } },
      { when: ({ isStream }) => isStream, reply: { text: STORY, chunks: PIECES } },
      { reply: { text: '{}' } },
    ],
    { agents: [oracle, letterSender(sent)], strategies: [storyteller, broken, slow] },
  ),
)
beforeEach(() => void (sent.length = 0))

const latest = async () => (await world.app.as('ada').runs.runs({ limit: 1 }))[0]!
const asks = (content: string) => [{ role: 'user' as const, content }]

describe('the openai package', () => {
  const open = (person = 'ada') =>
    new OpenAI({
      baseURL: `${world.url}/v1`,
      apiKey: 'any',
      maxRetries: 0,
      defaultHeaders: { 'x-test-person': person },
    })

  it('finds the strategies as models', async () => {
    const ids = (await open().models.list()).data.map((model) => model.id)
    expect(ids).toEqual(expect.arrayContaining(['auto', 'pipeline', 'graph', 'supervisor', 'review', 'story']))
    expect(await open().models.retrieve('graph')).toMatchObject({ id: 'graph', object: 'model' })
    await expect(open().models.retrieve('gpt')).rejects.toMatchObject({ status: 404, code: 'NotFound' })
  })

  it('lists the user’s teams as models, and asks them', async () => {
    const team = parseTeam({
      name: 'reckoners',
      purpose: 'Computes.',
      strategy: 'graph',
      supervisor: 'Keep it short.',
      agents: [
        { name: 'finder', purpose: 'Computes.', tools: ['run_python'], task: 'What is 6 * 7?' },
        { name: 'writer', purpose: 'Writes it down.', task: 'Write it down.', after: ['finder'] },
      ],
      checks: [{ question: 'What is 6 * 7?' }],
    })
    await world.app.teams.save('ada', { team, key: 'r', at: 1 })
    await world.app.teams.settle('ada', 'reckoners', 1, 'ready', '')
    expect((await open().models.list()).data.map(({ id }) => id)).toContain('reckoners')
    expect((await open('ben').models.list()).data.map(({ id }) => id)).not.toContain('reckoners')
    const stranger = open('ben').chat.completions.create({ model: 'reckoners', messages: asks('Hello') })
    await expect(stranger).rejects.toMatchObject({ status: 404 })
    const messages = [{ role: 'system' as const, content: 'Be kind.' }, ...asks('What is 6 * 7?')]
    await open().chat.completions.create({ model: 'reckoners', messages })
    const { request } = await world.app.as('ada').runs.state((await latest()).runId)
    expect([request.team?.name, request.strategy, request.systemPrompt]).toEqual([
      'reckoners',
      'graph',
      'Be kind.\n\nKeep it short.',
    ])
  })

  it('completes a chat, whole and streamed, with annotations and usage', async () => {
    const whole = await open().chat.completions.create({
      model: 'pipeline',
      messages: asks('How many foxes are there?'),
    })
    const { message, finish_reason } = whole.choices[0]!
    const [annotation] = message.annotations!
    const { start_index, end_index, ...cited } = annotation!.url_citation
    expect([finish_reason, message.content!.slice(start_index, end_index), cited]).toEqual([
      'stop',
      '[1]',
      { url: 'https://foxes.example/census', title: 'Fox census' },
    ])
    const stream = open().chat.completions.stream({
      model: 'story',
      messages: asks('Tell me a story.'),
      stream_options: { include_usage: true },
    })
    const deltas: string[] = []
    stream.on('content', (delta) => void deltas.push(delta))
    const { choices, usage } = await stream.finalChatCompletion()
    expect([choices[0]!.message.content, choices[0]!.finish_reason, deltas.join('')]).toEqual([STORY, 'stop', STORY])
    expect(deltas.length).toBeGreaterThan(2)
    const { usage: counted } = await world.app.as('ada').runs.state((await latest()).runId)
    expect(usage).toMatchObject({ prompt_tokens: counted.inputTokens, completion_tokens: counted.outputTokens })
    expect(usage!.total_tokens).toBeGreaterThan(0)
  })

  it('passes earlier messages, without a stored conversation', async () => {
    const before = (await world.app.conversations.list('ada')).length
    await open().chat.completions.create({
      model: 'story',
      messages: [
        { role: 'system', content: 'Speak of violins.' },
        ...asks('Who is Reynard?'),
        { role: 'assistant', content: 'A fox of some renown.' },
        ...asks('Tell me a story of him.'),
      ],
    })
    const { runId } = await latest()
    const { recollection, request } = await world.app.as('ada').runs.state(runId)
    expect([request.systemPrompt, recollection?.recent.map(({ text }) => text)]).toEqual([
      'Speak of violins.',
      ['Who is Reynard?', 'A fox of some renown.'],
    ])
    expect(recollection?.provenance?.author).toBe('outside')
    expect((await world.app.conversations.list('ada')).length).toBe(before)
  })

  it('gets errors in its own format', async () => {
    const create = (body: object, person?: string) =>
      open(person).chat.completions.create({ model: 'story', messages: asks('Hello'), ...body } as never)
    const seen = async (body: object, person?: string) => {
      const error = await create(body, person).catch((thrown: unknown) => thrown)
      return error instanceof APIError ? [error.status, error.code] : error
    }
    const image = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.example' } }] }]
    for (const [body, expected, person] of [
      [{ model: 'gpt-5' }, [404, 'NotFound']],
      [{ messages: image }, [400, 'InvalidRequest']],
      [{ messages: [{ role: 'assistant', content: 'Hello' }] }, [400, 'InvalidRequest']],
      [{ tools: [], tool_choice: 'required' }, [400, 'InvalidRequest']],
      [{ response_format: { type: 'json_object' } }, [400, 'InvalidRequest']],
      [{ n: 2 }, [400, 'InvalidRequest']],
      [{ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }, [400, 'InvalidRequest']],
      [{ functions: [], function_call: { name: 'f' } }, [400, 'InvalidRequest']],
      [{}, [403, 'NotAllowed'], 'vera'],
      [{}, [401, 'NotSignedIn'], 'nobody'],
      [{ model: 'broken' }, [500, 'Internal']],
    ] as const)
      expect([body, await seen(body, person)]).toEqual([body, expected])
    // Unknown endpoints use the same format.
    const told = (error: unknown) => (error instanceof APIError ? [error.status, error.code, error.type] : error)
    const other = await Promise.all([
      open().embeddings.create({ model: 'story', input: 'Hello' }).catch(told),
      open().chat.completions.list().catch(told),
    ])
    expect(other).toEqual([
      [404, 'NotFound', 'invalid_request_error'],
      [404, 'NotFound', 'invalid_request_error'],
    ])
    const stream = open().chat.completions.stream({ model: 'broken', messages: asks('Hello') })
    await expect(stream.finalChatCompletion()).rejects.toMatchObject({ code: 'Internal' })
  })

  it('makes no call that needs approval', async () => {
    const { choices } = await open().chat.completions.create({
      model: 'pipeline',
      messages: asks('Let the pigeon fly to ben.'),
    })
    expect(choices[0]!.message.content).toMatch(/approv/i)
    expect(sent).toEqual([])
  })

  it('leaves a run active after a disconnect', async () => {
    const stop = new AbortController()
    const gone = open().chat.completions.create({ model: 'slow', messages: asks('Wait.') }, { signal: stop.signal })
    const before = (await latest()).runId
    const begun = await eventually(async () => (await latest()).runId !== before && latest())
    stop.abort()
    await expect(gone).rejects.toThrow('aborted')
    hold.open()
    expect((await world.app.as('ada').runs.outcome(begun.runId)).answer?.text).toBe('At last.')
  })
})

describe('the AI SDK', () => {
  it('uses Tutti as a model, with its provider for OpenAI', async () => {
    const provider = createOpenAI({ baseURL: `${world.url}/v1`, apiKey: 'any', headers })
    const { textStream, usage } = streamText({ model: provider.chat('story'), prompt: 'Tell me a story.' })
    let story = ''
    for await (const piece of textStream) story += piece
    expect([story, (await usage).totalTokens! > 0]).toEqual([STORY, true])
    const model = provider.chat('pipeline')
    const { text, sources } = await generateText({ model, prompt: 'How many foxes are there?' })
    expect(text).toContain('12 foxes [1]')
    expect(sources).toMatchObject([{ sourceType: 'url', url: 'https://foxes.example/census' }])
  })

  it('chats by the transport of useChat, in one conversation, with sources and approvals', async () => {
    const chat = new Chat(`${world.url}/query/stream?format=ui`)
    await chat.sendMessage({ text: 'Tell me a story.' })
    await chat.sendMessage({ text: 'How many foxes are there?' }, { body: { strategy: 'pipeline' } })
    const [, told, , counted] = chat.messages
    expect([textOf(told!), textOf(counted!).includes('12 foxes [1]'), chat.error]).toEqual([STORY, true, undefined])
    expect(counted!.parts).toContainEqual(
      expect.objectContaining({ type: 'source-url', sourceId: '1', url: 'https://foxes.example/census' }),
    )
    expect(counted!.metadata).toMatchObject({ status: 'finished', conversationId: chat.id })
    expect(await world.app.conversations.get('ada', chat.id)).toMatchObject({ title: 'Tell me a story.', turns: 2 })

    const sending = chat.sendMessage({ text: 'Let the pigeon fly to ben.' }, { body: { strategy: 'pipeline' } })
    const asked = await eventually(() => chat.lastMessage?.parts.find((part) => part.type === 'data-approval'))
    expect(asked).toMatchObject({ data: { tool: 'send_letter', payload: { to: 'ben' }, status: 'pending' } })
    await world.fetch('/hitl/respond', { json: { request_id: asked.id, decision: 'approved' } })
    await sending
    const decided = chat.lastMessage!.parts.filter((part) => part.type === 'data-approval')
    expect([sent, decided.map(({ data }) => data.status)]).toEqual([['ben'], ['approved']])
  })

  it('gets the error of an invalid request and of a failed run', async () => {
    const chat = new Chat(`${world.url}/query/stream?format=ui`)
    await chat.sendMessage({ text: 'Hello' }, { body: { strategy: 'broken' } })
    expect([chat.status, chat.error?.message]).toEqual(['error', 'The oracle is out.'])
    const other = new Chat(`${world.url}/query/stream?format=ui`)
    await other.sendMessage({ text: 'Hello' }, { body: { interactive: false } })
    expect(other.error?.message).toContain('unknown field')
  })
})

describe('an AG-UI client', () => {
  it('reads a run as messages, steps and state, and its thread is a conversation', async () => {
    const agent = new HttpAgent({ url: `${world.url}/query/stream?format=ag-ui`, headers, threadId: 'thread-1' })
    agent.addMessage({ id: 'q1', role: 'user', content: 'How many foxes are there?' })
    const steps: string[] = []
    const { newMessages } = await agent.runAgent(
      { forwardedProps: { strategy: 'pipeline' } },
      { onStepStartedEvent: ({ event }) => void steps.push(event.stepName) },
    )
    expect(newMessages).toMatchObject([{ role: 'assistant', content: expect.stringContaining('12 foxes [1]') }])
    expect(agent.state).toMatchObject({
      status: 'finished',
      conversationId: 'thread-1',
      citations: { 1: { source: { url: 'https://foxes.example/census' } } },
    })
    expect(steps).toContain('compose:1')
    agent.addMessage({ id: 'q2', role: 'user', content: [{ type: 'text', text: 'Tell me a story.' }] })
    await agent.runAgent({ forwardedProps: { strategy: 'story' } })
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: STORY })
    expect(await world.app.conversations.get('ada', 'thread-1')).toMatchObject({ turns: 2 })
    expect(await world.app.conversations.get('ben', 'thread-1')).toBeUndefined()
  })
})

/** The parts of `useChat` without React. */
class Chat extends AbstractChat<TuttiUIMessage> {
  constructor(api: string, id?: string, person = 'ada') {
    const state: ChatState<TuttiUIMessage> = {
      status: 'ready' as ChatStatus,
      error: undefined,
      messages: [],
      pushMessage: (message) => void (state.messages = [...state.messages, message]),
      popMessage: () => void (state.messages = state.messages.slice(0, -1)),
      replaceMessage: (index, message) => void (state.messages = state.messages.with(index, message)),
      snapshot: (value) => structuredClone(value),
    }
    const transport = new DefaultChatTransport<TuttiUIMessage>({
      api,
      headers: { 'x-test-person': person },
      body: { strategy: 'story' },
    })
    super({ ...(id === undefined ? {} : { id }), state, transport, onError: () => undefined })
  }
}

function textOf({ parts }: TuttiUIMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
