import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { RunEvent } from '../../src/domain/events.ts'
import { mapLeaves } from '../../src/shared/json.ts'
import { parseRequest } from '../../src/domain/request.ts'
import { mapEventContent } from '../../src/domain/secrets.ts'
import { otlpOf } from '../../src/tracing/otlp.ts'
import { spansOf } from '../../src/tracing/spans.ts'
import { eventually } from '../support/engine-world.ts'
import { giveAnswer, startModelServer, type ModelServer } from '../support/model-server.ts'
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts'
import { expectWhole, openWorld, sumOf } from './world.ts'

let receiver: OtlpReceiver
let models: ModelServer
let app: App | undefined
beforeEach(async () => {
  receiver = await startOtlpReceiver()
  models = await startModelServer([{ reply: { text: 'Hello!' } }])
})
afterEach(async () => {
  await app?.close()
  await Promise.all([receiver.close(), models.close()])
})

const named = (name: string) => receiver.spans.filter((span) => span.name === name)
const rootsOf = (spans: readonly ReceivedSpan[]) => spans.filter(({ parentSpanId }) => parentSpanId === undefined)

async function open(kind: 'otlp' | 'langfuse' = 'otlp'): Promise<App> {
  const receivers = [{ kind, url: `${receiver.url}/v1/traces`, headers: { 'x-team': 'coffee-team-0001' } }]
  return (app = await openWorld(models.url, { tracing: { receivers } }))
}

describe('two runs of a conversation', () => {
  it('are one trace with a root each, right parents, and the tokens of the runs', async () => {
    const { ask, close } = await open()
    const first = await ask({ question: 'Say hello', strategy: 'second-look' })
    const { conversationId } = first.metadata
    const second = await ask({ question: 'Say hello again', strategy: 'second-look', conversationId })
    const other = await ask('Say hello elsewhere')
    await close()

    expectWhole(receiver.spans)
    const runs = [first, second, other].map(({ metadata }) => {
      const spans = receiver.spans.filter(({ attributes }) => attributes['tutti.run.id'] === metadata.runId)
      return { metadata, spans }
    })
    for (const { metadata, spans } of runs) {
      expect(rootsOf(spans)).toMatchObject([{ attributes: { 'tutti.run.status': 'finished' } }])
      expect(metadata.usage.inputTokens).toBeGreaterThan(0)
      expect(sumOf(spans, 'gen_ai.usage.input_tokens')).toBe(metadata.usage.inputTokens)
      expect(sumOf(spans, 'gen_ai.usage.output_tokens')).toBe(metadata.usage.outputTokens)
      expect(sumOf(spans, 'tutti.usage.requests')).toBe(metadata.usage.calls)
      expect(spans.every(({ attributes }) => attributes['gen_ai.conversation.id'] === metadata.conversationId)).toBe(
        true,
      )
    }
    const traces = runs.map(({ spans }) => new Set(spans.map(({ traceId }) => traceId)))
    expect(traces[0]).toEqual(traces[1])
    expect(new Set(traces.flatMap((ids) => [...ids])).size).toBe(2)
    expect(receiver.requests[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'x-team': 'coffee-team-0001',
    })
  })

  it('contain jobs, calls, critic feedback and order, with the names of the conventions', async () => {
    const { ask, close } = await open()
    await ask({ question: 'Say hello', strategy: 'second-look' })
    await close()
    expect(named('invoke_workflow second-look')[0]!.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': 'second-look',
    })
    const [greeter] = named('invoke_agent greeter')
    expect(greeter!.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'tutti.job.status': 'succeeded',
    })
    const ofGreeter = receiver.spans.filter(({ parentSpanId }) => parentSpanId === greeter!.spanId)
    expect(ofGreeter.map(({ name }) => name)).toEqual(['execute_tool look_up', 'execute_tool look_up', 'chat scripted'])
    expect(ofGreeter.at(-1)!.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'compatible',
      'gen_ai.request.model': 'scripted',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.prompt.name': 'test.say',
      'gen_ai.agent.name': 'greeter',
    })
    const reflections = receiver.spans.filter(({ name }) => name.startsWith('reflection '))
    expect(reflections.map(({ attributes }) => attributes)).toMatchObject([
      { 'tutti.reflection.status': 'REJECTED', 'tutti.reflection.by': 'critic', 'tutti.reflection.of': 'greeter' },
      { 'tutti.reflection.status': 'APPROVED', 'tutti.reflection.by': 'critic', 'tutti.reflection.of': 'greeter' },
    ])
    const critics = named('invoke_agent critic').map(({ spanId }) => spanId)
    expect(reflections.map(({ parentSpanId }) => parentSpanId)).toEqual(critics)
    expect(receiver.spans.filter(({ name }) => name.startsWith('transition ')).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'transition start → planner',
        'transition greeter → critic',
        'transition critic → greeter',
        'transition critic → composer',
      ]),
    )
  })

  it('have nested runs in the same trace, below their parent job', async () => {
    const { ask, close } = await open()
    await ask({ question: 'Say hello together', strategy: 'second-look' })
    await close()
    expectWhole(receiver.spans)
    const roots = named('invoke_workflow second-look')
    expect(roots).toHaveLength(3) // two attempts, each with a run of its own or the same one
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1)
    const jobs = new Set(named('invoke_agent greeter').map(({ spanId }) => spanId))
    const parents = roots.flatMap(({ parentSpanId }) => parentSpanId ?? [])
    expect(parents.filter((id) => jobs.has(id))).toHaveLength(2)
  })
})

describe('a fork', () => {
  it('is exported with its own work, in the trace of the original run', async () => {
    const { ask, runs, response, close } = await open()
    const { metadata } = await ask({ question: 'Say hello', strategy: 'second-look' })
    const forkId = await runs.fork(metadata.runId, 'critic:1')
    await runs.outcome(forkId)
    const { usage } = (await response(forkId)).metadata
    await close()
    expectWhole(receiver.spans)
    const ofFork = receiver.spans.filter(({ attributes }) => attributes['tutti.run.id'] === forkId)
    expect(ofFork.filter(({ name }) => name === 'invoke_agent greeter')).toHaveLength(1)
    expect(sumOf(ofFork, 'gen_ai.usage.input_tokens')).toBe(usage.inputTokens)
    const [root] = rootsOf(ofFork)
    expect(root!.attributes['tutti.run.fork_of']).toBe(metadata.runId)
    for (const { startTimeUnixNano } of ofFork) {
      expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root!.startTimeUnixNano))
    }
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1)
  })
})

describe('critics of the strategy review', () => {
  it('are exported as reflections, each under its own job', async () => {
    models.script([
      { when: 'You are the planner.', reply: { json: { research_steps: [], expert_steps: ['Say hello'] } } },
      { when: 'You are a critic.', reply: { json: { decision: 'approve', feedback: '' } } },
      { when: 'You are the expert.', reply: giveAnswer('Hello!', 'It was asked for.') },
      { reply: { text: 'Hello!' } },
    ])
    const { ask, close } = await open()
    await ask({ question: 'Say hello', strategy: 'review' })
    await close()
    expectWhole(receiver.spans)
    const reflections = receiver.spans.filter(({ name }) => name.startsWith('reflection '))
    const critics = new Map(
      receiver.spans
        .filter(({ name }) => name.startsWith('invoke_agent critic-'))
        .map(({ spanId, attributes }) => [spanId, attributes['gen_ai.agent.name']]),
    )
    expect(critics.size).toBeGreaterThan(0)
    expect(reflections).toHaveLength(critics.size)
    for (const { parentSpanId, attributes } of reflections) {
      expect(critics.get(parentSpanId!)).toBe(attributes['tutti.reflection.by'])
      expect(attributes['tutti.reflection.status']).toMatch(/^(?:APPROVED|REJECTED)$/)
    }
  })
})

describe('Langfuse', () => {
  it('gets session, kinds and tags in its own format', async () => {
    const { ask, close } = await open('langfuse')
    const { metadata } = await ask({ question: 'Say hello', strategy: 'second-look' })
    await close()
    const [root] = rootsOf(receiver.spans)
    expect(root!.attributes['langfuse.trace.tags']).toEqual(
      expect.arrayContaining(['agent_name:greeter', 'reflection_status:REJECTED', 'tool_usage:look_up']),
    )
    for (const { attributes } of receiver.spans) expect(attributes['session.id']).toBe(metadata.conversationId)
    expect(named('chat scripted')[0]!.attributes['langfuse.observation.type']).toBe('generation')
    expect(named('execute_tool look_up')[0]!.attributes).toMatchObject({
      'langfuse.observation.type': 'tool',
      'langfuse.observation.metadata.tool_usage': 'look_up',
    })
  })
})

describe('a receiver that never answers', () => {
  it('delays no run, and fails none', async () => {
    receiver.answers = () => undefined
    const troubles: string[] = []
    app = await openWorld(models.url, {
      tracing: { receivers: [{ kind: 'otlp', url: `${receiver.url}/v1/traces` }] },
      onError: ({ message }) => troubles.push(message),
    })
    const first = await app.ask('Say hello')
    await eventually(() => receiver.requests.length > 0)
    const second = await app.ask('Say hello')
    expect([first, second].map(({ metadata }) => metadata.status)).toEqual(['finished', 'finished'])
    expect(receiver.requests).toHaveLength(1)
    const closing = app.close()
    await receiver.close()
    await closing
    const told = receiver.spans.length
    const dropped = troubles.reduce((sum, text) => sum + Number(/^Tracing: (\d+) spans did not/.exec(text)![1]), 0)
    expect(dropped).toBeGreaterThan(told)
  })
})

describe('reading a log', () => {
  it('tolerates any masking: of numbers that happen to be secrets, and of every word', async () => {
    app = await openWorld(models.url, {})
    const { metadata } = await app.ask({ question: 'Say hello together', strategy: 'second-look' })
    const events = await app.runs.events(metadata.runId)
    const before = spansOf({ events, traceId: '0' }, true)
    for (const kinds of [['number'], ['string'], ['number', 'string']]) {
      const hide = (leaf: unknown) => (kinds.includes(typeof leaf) ? '***' : leaf)
      const masked = events.map((event) => mapEventContent(event, (told) => mapLeaves(told, hide)))
      const spans = spansOf({ events: masked, traceId: '0' }, true)
      expect(spans.map(({ endMs }) => endMs)).toEqual(expect.arrayContaining(before.map(({ endMs }) => endMs)))
      const told = JSON.stringify(otlpOf(spansOf({ events: masked, traceId: '0' }, false), {}))
      expect(/NaN|null/.exec(told)?.[0]).toBeUndefined()
      const counts = /"key":"(?:gen_ai\.usage|tutti\.usage|tutti\.job\.attempts)[^"]*","value":\{"stringValue"/
      expect(counts.exec(told)?.[0]).toBeUndefined()
    }
  })

  /** As in a log of another version or program. */
  const foreign = (more: object) => {
    const at = '2026-03-02T09:00:00.000Z'
    const place = { runId: 'r', v: 1, at } as const
    const begun = {
      type: 'run.started',
      seq: 1,
      ...place,
      request: parseRequest({ question: '?' }, new Set()),
    } as const
    const call = {
      type: 'call.finished',
      seq: 2,
      ...place,
      key: 'a',
      path: 'p',
      kind: 'model',
      name: 'n',
      latencyMs: 1,
      ...more,
    }
    return JSON.stringify(otlpOf(spansOf({ events: [begun, call as RunEvent], traceId: '0' }, false), {}))
  }

  it('exports no untrusted text as an error code', () => {
    const told = (type: string) =>
      /"error\.type","value":\{"stringValue":"([^"]*)"/.exec(foreign({ error: { type, message: 'm' } }))?.[1]
    expect([told('HttpError'), told('Bearer of bad news')]).toEqual(['HttpError', '_OTHER'])
  })

  it('exports counts as integers, no amounts of money, and nothing below zero', () => {
    const valueOf = (usage: object, name: string) => {
      const told = foreign({ by: 'model', model: 'openai:x', requests: 1, usage })
      return new RegExp(`"${name}","value":(\\{[^}]*\\})`).exec(told)?.[1]
    }
    const tokens = 'gen_ai.usage.input_tokens'
    const values = [3, 2 ** 53, 1e21, -3].map((inputTokens) => valueOf({ inputTokens }, tokens))
    expect(values).toEqual(['{"intValue":"3"}', '{"doubleValue":9007199254740992}', '{"doubleValue":1e+21}', undefined])
    const sums = [0, 2, 0.5, -1].map((costUsd) => valueOf({ costUsd }, 'tutti.usage.cost_usd'))
    expect(sums).toEqual(['{"doubleValue":0}', '{"doubleValue":2}', '{"doubleValue":0.5}', undefined])
  })

  it('gives at each position the same ids as at the end', async () => {
    app = await openWorld(models.url, {})
    const { metadata } = await app.ask({ question: 'Say hello together', strategy: 'second-look' })
    const events = await app.runs.events(metadata.runId)
    const idsAt = (length: number): string[] =>
      spansOf({ events: events.slice(0, length), traceId: '0' }, false).map(({ spanId }) => spanId)
    const whole = new Set(idsAt(events.length))
    for (let length = 1; length <= events.length; length++) {
      const ids = idsAt(length)
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) expect(whole).toContain(id)
    }
  })
})
