import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { App } from '../../src/app/user-app.ts'
import { TuttiError } from '../../src/domain/errors.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { agent, eventually, say } from '../support/engine-world.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { startOtlpReceiver, type OtlpReceiver } from '../support/otlp-receiver.ts'
import { openWorld } from './world.ts'

/** One secret for each source of secrets. None is part of another. */
const PLANTED = {
  context: 'planted-Context-0001',
  question: 'plantedQuestion0002',
  shape: 'ghp_planted0123456789planted0003',
  field: 'planted-Field-0004',
  modelKey: 'planted-Model-Key-0005',
  header: 'planted-Header-0006',
  bearer: 'plantedBearer0007',
  process: 'planted-Process-0008',
  langfuse: 'sk-lf-planted-0009',
}
/** Content, not a secret: it is exported only when texts are enabled. */
const CONTENT = 'quarterly-figures'
const all = `${CONTENT}: ${Object.values(PLANTED).join(', then ')}.`

let receiver: OtlpReceiver
let models: ModelServer
let app: App
beforeEach(async () => {
  receiver = await startOtlpReceiver()
  // A provider that repeats its input, as some do with a refused key.
  const refusal = { status: 401, text: `The key ${PLANTED.modelKey} is wrong. ${all}` }
  models = await startModelServer([{ when: 'refuse', reply: refusal }, { reply: { text: all } }])
})
afterEach(async () => {
  await app.close()
  await Promise.all([receiver.close(), models.close()])
})

const input = z.object({ code: z.string(), said: z.string(), headers: z.record(z.string(), z.string()) })
const tool = (name: string, effect: 'read' | 'irreversible', fails = false) =>
  defineTool({
    name,
    description: all,
    input,
    effect,
    ...(effect === 'read' ? { reach: 'inside' as const } : {}),
    secretFields: ['code'],
    async run({ code }) {
      if (fails) throw new TuttiError('ToolError', `It broke with ${code}: ${all}`, { details: { partial: all } })
      return { [all]: all, echoed: code }
    },
  })
// Tool names come from external servers.
const named = tool(`look_up_${PLANTED.shape}`, 'read')
const failing = tool('fail', 'read', true)
const pay = tool('pay', 'irreversible')

const leaky = agent(
  'greeter',
  async (_task, ctx) => {
    const given = { code: PLANTED.field, said: all, headers: { 'X-Api-Key': PLANTED.header } }
    await ctx.call(named, given)
    await ctx.call(failing, given).catch(() => undefined)
    await ctx.ask(say, `refuse ${all}`)
    await ctx.ask(say, all)
    await ctx.call(pay, given)
    ctx.note('MESSAGE', all, { all })
    ctx.shared.set('figures', all)
    throw new TuttiError('ToolError', `For good: ${all}`)
  },
  { description: all, capabilities: ['greetings'], useCases: ['Say hello'], keywords: ['hello'] },
)

it.each([
  [false, 'without texts'],
  [true, 'with texts'],
])('no secret is exported (%s: %s), and only names and numbers unless texts are enabled', async (content) => {
  const troubles: string[] = []
  const signIn = Buffer.from(`pk-lf-1:${PLANTED.langfuse}`).toString('base64')
  app = await openWorld(models.url, {
    agents: [leaky],
    strategies: [],
    models: {
      providers: [
        {
          kind: 'compatible',
          baseUrl: models.url,
          apiKey: PLANTED.modelKey,
          defaultModel: `scripted-${PLANTED.shape}`,
        },
      ],
    },
    secrets: [PLANTED.process],
    tracing: {
      content,
      receivers: [
        { kind: 'otlp', url: `${receiver.url}/v1/traces`, headers: { authorization: `Bearer ${PLANTED.bearer}` } },
        { kind: 'langfuse', url: `${receiver.url}/l/v1/traces`, headers: { authorization: `Basic ${signIn}` } },
      ],
    },
    onError: ({ message }) => troubles.push(message),
  })
  const runId = await app.start({
    strategy: 'pipeline',
    preferAgents: ['greeter'],
    question: `Say hello to postgres://ann:${PLANTED.question}@db.example/shop and ${CONTENT}`,
    context: { api_token: PLANTED.context, headers: { Authorization: `Bearer ${PLANTED.header}` } },
    // The caller may choose this id.
    conversationId: undefined,
  })
  const [approval] = await eventually(async () => {
    const waiting = await app.runs.approvals({ status: 'pending' })
    return waiting.length > 0 && waiting
  })
  await app.runs.decide(approval!.approvalId, 'approved', 'ann', undefined)
  await app.runs.outcome(runId)
  await app.close()

  expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/l/v1/traces', '/v1/traces'])
  const known = receiver.requests.map(({ headers }) => headers['authorization'])
  expect(known.sort()).toEqual([`Basic ${signIn}`, `Bearer ${PLANTED.bearer}`])
  for (const told of [...receiver.requests.map(({ body }) => body), troubles.join('\n')]) {
    const inClear = [...Object.values(PLANTED), signIn].filter(
      (secret) => told.includes(secret) || told.includes(Buffer.from(secret).toString('base64')),
    )
    expect(inClear).toEqual([])
  }
  for (const { body: told } of receiver.requests) {
    expect(told.includes(CONTENT)).toBe(content)
    expect(told.includes('Say hello')).toBe(content)
    expect(told).toContain('look_up_***')
  }
  // The exported part of an error: its code, and its message only with texts.
  const broken = receiver.spans.find(({ name }) => name === 'execute_tool fail')!
  expect(broken.attributes['error.type']).toBe('ToolError')
  expect(broken.status.code).toBe(2)
  expect(broken.status.message?.startsWith('It broke with ***') ?? false).toBe(content)
  const names = receiver.spans.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['approval pay', 'execute_tool pay', 'invoke_agent greeter']))
})
