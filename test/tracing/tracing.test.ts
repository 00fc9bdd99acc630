import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { spansOf } from '../../src/tracing/spans.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
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

  it('tell of jobs, calls, what a critic said, and who came after whom, by the names of the conventions', async () => {
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

  it('have the runs that they start in the same trace, under the job that started them', async () => {
    const { ask, close } = await open()
    await ask({ question: 'Say hello together', strategy: 'second-look' })
    await close()
    expectWhole(receiver.spans)
    const roots = named('invoke_workflow second-look')
    expect(roots).toHaveLength(3) // two attempts, each with a run of its own or the same one
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1)
    const jobs = new Set(named('invoke_agent greeter').map(({ spanId }) => spanId))
    for (const { parentSpanId } of roots) if (parentSpanId !== undefined) expect(jobs).toContain(parentSpanId)
  })
})

describe('Langfuse', () => {
  it('is told session, kinds and tags in its own words', async () => {
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

describe('a run that nobody receives', () => {
  it('is told by export all the same, with texts only when asked, and to its owner alone', async () => {
    app = await openWorld(models.url, {})
    const { metadata } = await app.ask({ question: 'Say hello', strategy: 'second-look' })
    const plain = JSON.stringify(await app.tracing.export(metadata.runId))
    expect(plain).toContain('invoke_workflow second-look')
    expect(plain).not.toContain('hello')
    const whole = JSON.stringify(await app.tracing.export(metadata.runId, { content: true }))
    expect(whole).toContain('Say hello')
    expect(receiver.requests).toEqual([])
    await expect(app.tracing.export('none')).rejects.toMatchObject({ code: 'RunNotFound' })
    const foreign = await app.engine.as('someone else').start((await app.runs.state(metadata.runId)).request)
    await app.engine.outcome(foreign)
    await expect(app.tracing.export(foreign)).rejects.toMatchObject({ code: 'RunNotFound' })
  })
})

describe('the reading of a log', () => {
  it('gives at each of its places the ids that it gives at the end', async () => {
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
