import { HttpAgent } from '@ag-ui/client'
import { createOpenAI } from '@ai-sdk/openai'
import { AbstractChat, DefaultChatTransport, generateText, streamText, type ChatState, type ChatStatus } from 'ai'
import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineRole } from '../../../src/domain/actor.ts'
import { parseTeam } from '../../../src/domain/team.ts'
import { BY_USER } from '../../../src/domain/provenance.ts'
import type { RegisteredStrategy } from '../../../src/domain/strategy.ts'
import { defineTool } from '../../../src/domain/tool.ts'
import type { TuttiUIMessage } from '../../../src/server/protocols/ui-message-stream.ts'
import { eventually, gate, say } from '../../support/engine-world.ts'
import { startHttpWorld, type HttpWorld } from '../../support/http-server.ts'
import { startModelServer, type ModelServer } from '../../support/model-server.ts'

const about = { capabilities: [], useCases: [] }
const sent: string[] = []
const letter = defineTool({
  name: 'send_letter',
  description: 'Sends a letter.',
  effect: 'irreversible',
  provenance: BY_USER,
  input: z.object({ to: z.string() }),
  run: async ({ to }) => void sent.push(to),
})
const oracle = defineAgent({
  ...about,
  name: 'oracle',
  description: 'Counts foxes.',
  keywords: ['foxes'],
  run: async () => ({
    answer: 'There are 12 foxes [1].',
    sources: [{ kind: 'web', name: 'Fox census', url: 'https://foxes.example/census' }],
  }),
})
const sender = defineAgent({
  ...about,
  name: 'sender',
  description: 'Sends letters.',
  keywords: ['pigeon'],
  async run(_task, ctx) {
    await ctx.call(letter, { to: 'ben' })
    return { answer: 'The letter is on its way.' }
  },
})

/** One role for the whole run. */
function single(name: string, run: Parameters<typeof defineRole>[0]['run']): RegisteredStrategy {
  const next: RegisteredStrategy['strategy']['next'] = ({ jobs }) => {
    const result = jobs.get('tell')?.result
    if (result?.error !== undefined) return { finish: 'failed', error: result.error }
    return result === undefined ? [{ key: 'tell', actor: `${name}-role`, input: undefined }] : { finish: 'answered' }
  }
  return { strategy: { name, next }, roles: [defineRole({ name: `${name}-role`, run })] }
}

const PIECES = ['Once ', 'upon ', 'a ', 'time ', '🎻 there was a fox.']
const STORY = PIECES.join('')
const hold = gate()
const teller = single('story', async (ctx) => {
  const { value = 'no model' } = await ctx.ask(say, 'a story', { streamAnswer: true })
  ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
  return {}
})
const broken = single('broken', async () => {
  throw new TypeError('The oracle is out.')
})
const slow = single('slow', async (ctx) => {
  await Promise.race([hold.promise, new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))])
  ctx.emit({ type: 'answer.composed', answer: 'At last.', by: 'fallback' })
  return {}
})
const held = gate()
const serial = single('serial', async (ctx) => {
  const { value = 'no model' } = await ctx.ask(say, 'a story', { streamAnswer: true })
  await held.promise
  ctx.emit({ type: 'answer.composed', answer: `${value} The end.`, by: 'model' })
  return {}
})

let models: ModelServer
let world: HttpWorld
const headers = { 'x-test-person': 'ada' }
beforeAll(async () => {
  models = await startModelServer([
    // The composer gets the reason why the call was not made.
    { when: /You write the final answer[^]*(approv|hitl)/i, reply: { text: 'It needed an approval.' } },
    { when: ({ isStream }) => isStream, reply: { text: STORY, chunks: PIECES } },
    { reply: { text: '{}' } },
  ])
  world = await startHttpWorld({
    agents: [oracle, sender],
    strategies: [teller, broken, slow, serial],
    models: { providers: [{ kind: 'compatible', baseUrl: models.url, defaultModel: 'scripted' }] },
  })
})
afterAll(async () => {
  await world.close()
  await models.close()
})
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
    await expect(open('ben').responses.create({ model: 'reckoners', input: 'Hello' })).rejects.toMatchObject({
      status: 404,
    })
    const messages = [{ role: 'system' as const, content: 'Be kind.' }, ...asks('What is 6 * 7?')]
    await open().chat.completions.create({ model: 'reckoners', messages })
    const { request } = await world.app.as('ada').runs.state((await latest()).runId)
    expect([request.team?.name, request.strategy, request.systemPrompt]).toEqual([
      'reckoners',
      'graph',
      'Be kind.\n\nKeep it short.',
    ])
    const { id, model } = await open().responses.create({ model: 'reckoners', input: 'What is 6 * 7?' })
    expect([model, (await open().responses.retrieve(id)).model]).toEqual(['reckoners', 'reckoners'])
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
      const error = await create(body, person).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      return error instanceof APIError ? [error.status, error.code] : error
    }
    const image = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.example' } }] }]
    expect({
      model: await seen({ model: 'gpt-5' }),
      image: await seen({ messages: image }),
      last: await seen({ messages: [{ role: 'assistant', content: 'Hello' }] }),
      forced: await seen({ tools: [], tool_choice: 'required' }),
      json: await seen({ response_format: { type: 'json_object' } }),
      several: await seen({ n: 2 }),
      sound: await seen({ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }),
      forcedAsBefore: await seen({ functions: [], function_call: { name: 'f' } }),
      viewer: await seen({}, 'vera'),
      nobody: await seen({}, 'nobody'),
      broken: await seen({ model: 'broken' }),
    }).toEqual({
      model: [404, 'NotFound'],
      image: [400, 'InvalidRequest'],
      last: [400, 'InvalidRequest'],
      forced: [400, 'InvalidRequest'],
      json: [400, 'InvalidRequest'],
      several: [400, 'InvalidRequest'],
      sound: [400, 'InvalidRequest'],
      forcedAsBefore: [400, 'InvalidRequest'],
      viewer: [403, 'NotAllowed'],
      nobody: [401, 'NotSignedIn'],
      broken: [500, 'Internal'],
    })
    // Unknown endpoints use the same format.
    const told = (error: unknown) => (error instanceof APIError ? [error.status, error.code, error.type] : error)
    const other = await Promise.all([
      open().embeddings.create({ model: 'story', input: 'Hello' }).catch(told),
      open().responses.delete('resp_x').catch(told),
    ])
    expect(other).toEqual([
      [404, 'NotFound', 'invalid_request_error'],
      [405, 'InvalidRequest', 'invalid_request_error'],
    ])
    const stream = open().chat.completions.stream({ model: 'broken', messages: asks('Hello') })
    await expect(stream.finalChatCompletion()).rejects.toMatchObject({ code: 'Internal' })
  })

  it('makes no call that needs approval', async () => {
    const { choices } = await open().chat.completions.create({
      model: 'pipeline',
      messages: asks('Let the pigeon fly.'),
    })
    expect(choices[0]!.message.content).toMatch(/approv/i)
    expect(sent).toEqual([])
  })

  it('makes responses that continue each other, and retrieves them', async () => {
    const first = await open().responses.create({ model: 'story', input: 'Tell me a story.' })
    expect([first.status, first.output_text, first.usage!.total_tokens > 0]).toEqual(['completed', STORY, true])
    const stream = open().responses.stream({ model: 'story', input: 'And then?', previous_response_id: first.id })
    const last = await stream.finalResponse()
    expect([last.output_text, last.conversation?.id]).toEqual([STORY, first.conversation!.id])
    expect((await open().responses.retrieve(last.id)).output_text).toBe(STORY)
    await expect(open().responses.retrieve(last.id, { stream: true })).rejects.toMatchObject({ status: 400 })
    const kept = await world.app.conversations.messages('ada', first.conversation!.id)
    expect(kept.map(({ text }) => text)).toEqual(['Tell me a story.', STORY, 'And then?', STORY])
    await expect(open('ben').responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
    const stranger = open('ben').responses.create({ model: 'story', input: 'Go on.', previous_response_id: first.id })
    await expect(stranger).rejects.toMatchObject({ status: 404 })
    const failed = await open().responses.create({ model: 'broken', input: 'Hello' })
    expect([failed.status, failed.output_text]).toEqual(['failed', ''])
  })

  it('does not find a response with `store: false`', async () => {
    const ask = { model: 'story', input: 'Tell me a story.', store: false }
    const before = await world.app.conversations.list('ada')
    const whole = await open().responses.create(ask)
    const streamed = await open().responses.stream(ask).finalResponse()
    const ofSeveral = {
      ...ask,
      input: [
        { role: 'user' as const, content: 'Hello.' },
        { role: 'user' as const, content: 'A story?' },
      ],
    }
    for (const { id, output_text, output, conversation } of [
      whole,
      streamed,
      await open().responses.create(ofSeveral),
    ]) {
      expect([output_text, conversation]).toEqual([STORY, null])
      const item = { type: 'item_reference' as const, id: output[0]!.id! }
      const next = { model: 'story', input: 'And then?' }
      for (const again of [
        () => open().responses.retrieve(id),
        () => open().responses.cancel(id),
        () => open().responses.create({ ...next, previous_response_id: id }),
        () => open().responses.create({ ...next, input: [item, { role: 'user', content: 'And then?' }] }),
      ])
        await expect(again(), String(again)).rejects.toMatchObject({ status: 404 })
      // Its run is still listed among their runs.
      expect((await world.app.as('ada').response(id.replace('resp_', ''))).answer).toBe(STORY)
    }
    await expect(open().responses.create({ ...ask, background: true })).rejects.toMatchObject({ status: 400 })
    expect(await world.app.conversations.list('ada')).toEqual(before)
  })

  it('leaves a run active after a disconnect, and cancels one on request', async () => {
    const stop = new AbortController()
    const gone = open().chat.completions.create({ model: 'slow', messages: asks('Wait.') }, { signal: stop.signal })
    const before = (await latest()).runId
    const begun = await eventually(async () => (await latest()).runId !== before && latest())
    stop.abort()
    await expect(gone).rejects.toThrow('aborted')
    const waiting = await open().responses.create({ model: 'slow', input: 'Wait, too.', background: true })
    expect(waiting.status).toBe('in_progress')
    await open().responses.cancel(waiting.id)
    await eventually(async () => (await open().responses.retrieve(waiting.id)).status === 'failed')
    hold.open()
    expect((await world.app.as('ada').runs.outcome(begun.runId)).answer?.text).toBe('At last.')
  })
})

describe('the AI SDK', () => {
  it('uses Tutti as a model, with its provider for OpenAI', async () => {
    const provider = createOpenAI({ baseURL: `${world.url}/v1`, apiKey: 'any', headers })
    for (const model of [provider.chat('story'), provider.responses('story')]) {
      const { textStream, usage } = streamText({ model, prompt: 'Tell me a story.' })
      let text = ''
      for await (const piece of textStream) text += piece
      expect([text, (await usage).totalTokens! > 0]).toEqual([STORY, true])
    }
    for (const model of [provider.chat('pipeline'), provider.responses('pipeline')]) {
      const { text, sources } = await generateText({ model, prompt: 'How many foxes are there?' })
      expect(text).toContain('12 foxes [1]')
      expect(sources).toMatchObject([{ sourceType: 'url', url: 'https://foxes.example/census' }])
    }
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

    const sending = chat.sendMessage({ text: 'Let the pigeon fly.' }, { body: { strategy: 'pipeline' } })
    const asked = await eventually(() => chat.lastMessage?.parts.find((part) => part.type === 'data-approval'))
    expect(asked).toMatchObject({ data: { tool: 'send_letter', payload: { to: 'ben' }, status: 'pending' } })
    await world.fetch('/hitl/respond', { json: { request_id: asked.id, decision: 'approved' } })
    await sending
    const decided = chat.lastMessage!.parts.filter((part) => part.type === 'data-approval')
    expect([sent, decided.map(({ data }) => data.status)]).toEqual([['ben'], ['approved']])
  })

  it('resumes an active answer, from its beginning', async () => {
    const api = `${world.url}/query/stream?format=ui`
    const left = new Chat(api)
    const leaving = left.sendMessage({ text: 'Tell me a story.' }, { body: { strategy: 'serial' } })
    const told = async (chat: Chat) =>
      eventually(() => chat.messages.some((one) => textOf(one).startsWith('Once upon')))
    await told(left)
    await left.stop()
    await leaving
    const [another, stranger] = [new Chat(api, left.id), new Chat(api, left.id, 'ben')]
    const [again, more] = [another.resumeStream(), stranger.resumeStream()]
    await told(another)
    await more
    held.open()
    await again
    expect(another.messages.map(textOf)).toEqual([`${STORY} The end.`])
    expect(another.lastMessage!.metadata).toMatchObject({ status: 'finished', conversationId: left.id })
    // No run is active any longer, and other users never saw one.
    await left.resumeStream()
    expect([left.error, stranger.error, stranger.messages]).toEqual([undefined, undefined, []])
    const none = await world.fetch(`/query/stream/${left.id}/stream?format=ui`)
    expect(none.status).toBe(204)
  })

  it('gets the error of an invalid request and of a failed run', async () => {
    const chat = new Chat(`${world.url}/query/stream?format=ui`)
    await chat.sendMessage({ text: 'Hello' }, { body: { strategy: 'broken' } })
    expect([chat.status, chat.error?.message]).toEqual(['error', 'The oracle is out.'])
    const other = new Chat(`${world.url}/query/stream?format=ui`)
    await other.sendMessage({ text: 'Hello' }, { body: { interactive: false } })
    expect(other.error?.message).toContain('there is no such field')
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
