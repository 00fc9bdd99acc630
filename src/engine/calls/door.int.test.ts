import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineAgent, type Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { RunEvent } from '../../domain/events.ts'
import { outsideData } from '../../domain/provenance.ts'
import { responseOf } from '../../domain/response.ts'
import { defineTool } from '../../domain/tool.ts'
import { createHttpClient, type HttpClient } from '../../http/client.ts'
import { httpTools } from '../../http/tools.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { z } from 'zod'
import { startApiServer, type ApiServer } from '../../../test/support/api-server.ts'
import { agent, engineFor, eventually, mortal, passing, request, textTool } from '../../../test/support/engine-world.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { Engine } from '../engine.ts'

/** `ctx.http` and `ctx.decline`: the network and the "not mine" of every agent, against a real server on loopback. */

let server: ApiServer
let client: HttpClient
const engines: Engine[] = []
beforeEach(async () => {
  server = await startApiServer()
  client = createHttpClient({ allowHosts: [server.host] })
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
  await client.close()
  await server.close()
})

async function storeOf(clock: ManualClock) {
  return (await createMemoryStorage({ clock, onError: () => undefined })).store
}

async function engineWith(agents: readonly Agent[], clock = new ManualClock(), http: HttpClient | undefined = client) {
  const store = await storeOf(clock)
  const engine = engineFor(agents, { store, clock, ...(http === undefined ? {} : { http: httpTools(http) }) })
  engines.push(engine)
  return { engine, clock, store }
}

async function run(agents: readonly Agent[], question = 'What?', http?: HttpClient) {
  const { engine, clock } = await engineWith(agents, undefined, http)
  const runId = await engine.start(
    request(
      agents.map(({ name }) => name),
      { question, interactive: false },
    ),
  )
  const state = await passing(clock, engine.outcome(runId))
  return { state, events: await engine.events(runId) }
}

function callsOf(events: readonly RunEvent[]) {
  return events.flatMap((event) => (event.type === 'call.finished' && event.kind === 'tool' ? [event] : []))
}

const reading = (path: string, more: Partial<Agent> = {}): Agent =>
  agent(
    'reader',
    async (_task, ctx) => {
      const { status, text } = await ctx.http({ url: `${server.url}${path}` })
      return { answer: `${status} ${text.slice(0, 20)}` }
    },
    more,
  )

/** Reads a mail, after which outgoing words are checked. */
const rows = agent('rows', async (_task, ctx) => {
  const read = textTool('read_rows', 'read', async () => 'Lisbon', { provenance: outsideData('shop'), reach: 'inside' })
  return { answer: await ctx.call(read, '') }
})

describe('ctx.http', () => {
  it('reads under the policy; the call is in the log, and the response is untrusted', async () => {
    const { state, events } = await run([reading('/customers')])
    expect(state.answer?.text).toMatch(/^reader=succeeded:200 /)
    expect(callsOf(events)).toMatchObject([
      {
        name: 'http_read',
        input: { method: 'GET' },
        provenance: { author: 'outside', private: true, sources: [`http:${server.host}`] },
      },
    ])
    expect(state.jobs.get('reader')?.result?.provenance.author).toBe('outside')
  })

  it('does not reach this machine unless the operator allows it', async () => {
    const closed = createHttpClient()
    const { state } = await run([reading('/customers')], 'What?', closed)
    await closed.close()
    expect(state.jobs.get('reader')?.result?.error).toMatchObject({ type: 'HttpRequestError' })
    expect(server.requests).toEqual([])
  })

  it('throws a clear error where the engine has no network', async () => {
    const clock = new ManualClock()
    const engine = engineFor([reading('/customers')], { store: await storeOf(clock), clock })
    engines.push(engine)
    const state = await passing(clock, engine.outcome(await engine.start(request(['reader']))))
    expect(state.jobs.get('reader')?.result?.error).toMatchObject({ type: 'ConfigurationError' })
  })

  it('requires approval for anything but a read, and hides credentials', async () => {
    const sender = agent('sender', async (_task, ctx) => {
      const headers = { authorization: 'Bearer tok-123456', 'x-note': 'hello' }
      const { status } = await ctx.http({ method: 'post', url: `${server.url}/orders`, headers, body: '{}' })
      return { answer: String(status) }
    })
    const { engine, clock, store } = await engineWith([sender])
    const runId = await engine.start(request(['sender']))
    const [asked] = await eventually(async () => {
      const open = await store.approvals({ runId })
      return open.length > 0 ? open : undefined
    })
    expect(asked).toMatchObject({
      tool: 'http_change',
      payload: { method: 'POST', url: `${server.url}/orders`, headers: { 'x-note': 'hello' }, secretHeaders: '***' },
    })
    expect(server.requests).toEqual([])
    await engine.decide(asked!.approvalId, 'approved', 'ann')
    await passing(clock, engine.outcome(runId))
    expect(server.requests).toMatchObject([{ method: 'POST', headers: { authorization: 'Bearer tok-123456' } }])
    expect(server.requests[0]!.headers['idempotency-key']).toContain(runId)
    const told = (await engine.events(runId)).map(({ secrets: _secrets, ...event }) => event)
    expect(JSON.stringify(told)).not.toContain('tok-123456')
  })

  it.each([
    ['a method that there is not', { method: 'PSOT' }, /"PSOT" is not one of GET, HEAD/],
    ['an internal address', { method: 'POST', url: 'http://10.0.0.1/orders' }, /not an address of the public internet/],
    ['no address', { method: 'DELETE', url: 'orders/7' }, /is not a complete URL/],
    ['a header that says another method', { method: 'POST', headers: { 'X-HTTP-Method-Override': 'PUT' } }, /./],
  ])('requests no approval for an impossible call: %s', async (_what, call, said) => {
    const sender = agent('sender', async (_task, ctx) => {
      await ctx.http({ url: `${server.url}/orders`, ...call })
      return { answer: 'sent' }
    })
    const { engine, clock } = await engineWith([sender])
    const state = await passing(clock, engine.outcome(await engine.start(request(['sender']))))
    expect([...state.approvals.keys()]).toEqual([])
    expect(state.jobs.get('sender')?.result?.error).toMatchObject({
      type: 'HttpRequestError',
      message: expect.stringMatching(said),
    })
    expect(server.requests).toEqual([])
  })

  it('sends out only the user’s own words, also in an address', async () => {
    const teller = agent('teller', async (task, ctx) => {
      const [found] = task.inputs()
      await ctx.http({ url: `${server.url}/customers?q=${found!.result.answer}` })
      return { answer: 'told' }
    })
    const { state } = await run([rows, teller])
    expect(state.jobs.get('teller')?.result?.error).toMatchObject({ type: 'ApprovalDenied' })
    expect(server.requests).toEqual([])
  })

  it('in an address that the agent declares, only the filled values must be the user’s', async () => {
    const address = `${server.url}/customers?name={name}&page=1`
    const asking = (name: string): Agent =>
      agent(
        'asking',
        async (_task, ctx) => ({ answer: String((await ctx.http({ url: address, params: { name } })).status) }),
        {
          addresses: [address],
        },
      )
    const own = await run([rows, asking('Porto')], 'Which customers are in Porto?')
    expect(own.state.jobs.get('asking')?.result?.answer).toBe('200')
    expect(server.requests).toMatchObject([{ query: { name: 'Porto', page: '1' } }])
    const foreign = await run([rows, asking('Lisbon')], 'Which customers are in Porto?')
    expect(foreign.state.jobs.get('asking')?.result?.error).toMatchObject({ type: 'ApprovalDenied' })
  })

  it('fills placeholders percent-encoded, and refuses missing and extra values', async () => {
    const odd = (url: string, params: Record<string, string>): Agent =>
      agent('odd', async (_task, ctx) => ({
        answer: new URL((await ctx.http({ url: server.url + url, params })).url).search,
      }))
    const { state } = await run([odd('/customers?name={name}', { name: 'a&admin=1/../x' })])
    expect(state.jobs.get('odd')?.result?.answer).toBe('?name=a%26admin%3D1%2F..%2Fx')
    const missing = await run([odd('/{one}', {})])
    expect(missing.state.jobs.get('odd')?.result?.error?.message).toMatch(/no value for the placeholder \{one\}/)
    const stray = await run([odd('/customers', { two: 'x' })])
    expect(stray.state.jobs.get('odd')?.result?.error?.message).toMatch(/"params" has "two"/)
  })

  it('is not made twice: a resumed job gets its response', async () => {
    const clock = new ManualClock()
    const inner = await storeOf(clock)
    const dying = mortal(inner)
    let begun = 0
    const twice = agent('twice', async (_task, ctx) => {
      begun++
      const { status } = await ctx.http({ url: `${server.url}/customers` })
      if (begun === 1) await new Promise(() => undefined)
      return { answer: String(status) }
    })
    const http = httpTools(client)
    const first = engineFor([twice], { store: dying, clock, http })
    const runId = await first.start(request(['twice']))
    await eventually(async () => callsOf(await inner.read(runId)).length > 0)
    // Done by the test, not by the agent: after the advance the dead worker would hold the lease again.
    dying.crash()
    await clock.advance(60_000)
    const second = engineFor([twice], { store: inner, clock, http })
    engines.push(second)
    await second.resume(runId)
    const state = await passing(clock, second.outcome(runId))
    expect(state.answer?.text).toBe('twice=succeeded:200')
    expect([begun, server.requests.length]).toEqual([2, 1])
  })
})

describe('ctx.decline', () => {
  it('ends the job as declined, with the agent’s partial result', async () => {
    const shy = agent(
      'shy',
      async (_task, ctx) => ctx.decline('That is not mine.', { data: { seen: 3 }, confidence: 0 }),
      {
        limits: { retries: 2 },
      },
    )
    const { state, events } = await run([shy])
    expect(state.jobs.get('shy')?.result).toMatchObject({
      status: 'failed',
      error: { type: 'PlanningDeclined', message: 'That is not mine.' },
      data: { seen: 3 },
      confidence: 0,
    })
    expect(events.some(({ type }) => type === 'job.retrying')).toBe(false)
    expect(responseOf(events).agentResults).toMatchObject([{ agent: 'shy', data: { seen: 3 } }])
  })

  it('an unavailable agent reports the reason without running, unless it can do this task', async () => {
    const work = async () => ({ answer: 'worked' })
    const lacking = agent('lacking', work, { unavailable: 'No shop is set up.' })
    const able = agent('able', work, {
      unavailable: 'No shop is set up.',
      worksAnyway: ({ text }) => text.includes('shop'),
    })
    const { state } = await run([lacking, able], 'Which shop?')
    expect(state.jobs.get('lacking')?.result?.error).toMatchObject({
      type: 'ConfigurationError',
      message: 'No shop is set up.',
    })
    expect(state.jobs.get('able')?.result?.answer).toBe('worked')
  })
})

it.each<[string, unknown, string]>([
  ['a text', 'fine', 'it must be an object, such as { answer }'],
  ['a misspelt field', { anwser: 'fine' }, 'there is no field "anwser"; did you mean "answer"?'],
  ['an answer that is no text', { answer: 7 }, 'answer: must be a text'],
])('a result that is %s fails the job', async (_what, outcome, problem) => {
  const { state } = await run([agent('reader', async () => outcome as object)])
  const error = { type: 'Internal', message: expect.stringContaining(problem) as string }
  expect(state.jobs.get('reader')!.result).toMatchObject({ status: 'failed', error })
})

it('a tool whose provenance function throws counts as untrusted, and does not crash the process', async () => {
  const odd = textTool('odd', 'read', async () => 'words', { provenance: (() => 'trusted') as never, reach: 'inside' })
  const { state } = await run([agent('user', async (_task, ctx) => ({ answer: await ctx.call(odd, '') }))])
  expect(state.jobs.get('user')?.result).toMatchObject({ answer: 'words', provenance: { author: 'outside' } })
})

describe('after untrusted content was read', () => {
  const SECRET = 'DE44-5001-0517'
  const pageOf = (words: string) =>
    defineTool({
      name: 'read_page',
      description: 'reads',
      effect: 'read',
      reach: 'inside',
      input: z.object({}),
      run: async () => words,
    })
  /** Reads untrusted content, then makes the given call to a declared address. */
  const leaking = (call: Parameters<Parameters<Agent['run']>[1]['http']>[0], addresses: readonly string[]): Agent =>
    agent(
      'leaking',
      async (_task, ctx) => {
        await ctx.call(pageOf(SECRET), {})
        return { answer: (await ctx.http(call)).text }
      },
      { addresses },
    )

  it.each([
    ['the value of a header with a secret name', { 'x-api-key': SECRET }],
    ['the name of a header', { [`x-${SECRET}`]: 'What' }],
    ['the value of a header', { 'x-note': SECRET }],
  ])('%s is not sent without approval', async (_what, headers) => {
    const before = server.requests.length
    const { state } = await run([leaking({ url: `${server.url}/a`, headers }, [`${server.url}/a`])])
    expect(state.jobs.get('leaking')?.result?.error?.type).toBe('ApprovalDenied')
    expect(server.requests).toHaveLength(before)
  })

  it('a key of this installation still signs in', async () => {
    const { engine, clock } = await engineWith([], undefined)
    await engine.close()
    const call = {
      url: `${server.url}/a`,
      headers: { authorization: 'Bearer key-of-ours-123', accept: 'application/json' },
    }
    const store = await storeOf(clock)
    const own = engineFor([leaking(call, [`${server.url}/a`])], {
      store,
      clock,
      http: httpTools(client, ['key-of-ours-123']),
    })
    engines.push(own)
    const runId = await own.start(request(['leaking'], { interactive: false }))
    const state = await passing(clock, own.outcome(runId))
    expect(state.jobs.get('leaking')?.result?.status).toBe('succeeded')
  })

  it('the choice among many addresses cannot encode a message', async () => {
    const addresses = Array.from({ length: 10 }, (_, digit) => `${server.url}/city/${digit}`)
    const digits = '4929123456781234492912345678123449291234'
    const spelling = agent(
      'leaking',
      async (_task, ctx) => {
        await ctx.call(pageOf(digits), {})
        for (const digit of digits) await ctx.http({ url: addresses[Number(digit)]! })
        return { answer: 'all told' }
      },
      { addresses },
    )
    const before = server.requests.length
    const { state } = await run([spelling])
    expect(state.jobs.get('leaking')?.result?.error?.type).toBe('ApprovalDenied')
    expect(server.requests.length - before).toBeLessThan(25)
  })
})

describe('a declared address', () => {
  it('has no placeholder in its host', () => {
    const about = { name: 'x', description: 'x', capabilities: [], useCases: [], keywords: [] }
    const declared = (address: string) => () => defineAgent({ ...about, addresses: [address], run: async () => ({}) })
    expect(declared('https://{host}/x')).toThrow('a URL with a fixed host')
    expect(declared('https://a.example:{port}/x')).toThrow('a URL with a fixed host')
    expect(declared('https://a.example/{x}?q={y}')).not.toThrow()
  })

  it.each(['..', '.', ''])('is not redirected by %j in its path', async (id) => {
    const climbing = agent('climber', async (_task, ctx) => {
      return { answer: (await ctx.http({ url: `${server.url}/users/{id}/name`, params: { id } })).text }
    })
    const { state } = await run([climbing])
    expect(state.jobs.get('climber')?.result?.error?.message).toContain('cannot fill the placeholder {id}')
  })

  it('keeps its method in spite of headers', async () => {
    const overriding = agent('overriding', async (_task, ctx) => {
      const headers = { 'X-HTTP-Method-Override': 'DELETE' }
      return { answer: (await ctx.http({ url: `${server.url}/orders/7`, headers })).text }
    })
    const { state } = await run([overriding])
    expect(state.jobs.get('overriding')?.result?.error?.type).toBe('HttpRequestError')
  })
})

describe('a tool that was never declared', () => {
  it('does nothing with an unknown effect', async () => {
    let isDone = false
    const wrong = agent('wrong', async (_task, ctx) => {
      const tool = {
        name: 'wipe',
        description: '',
        effect: 'Irreversible',
        input: z.object({}),
        run: async () => (isDone = true),
      }
      return { answer: String(await ctx.call(tool as never, {})) }
    })
    const { state } = await run([wrong])
    expect(state.jobs.get('wrong')?.result?.error?.type).toBe('ConfigurationError')
    expect(isDone).toBe(false)
  })

  it('is checked when its fields come from a class', () => {
    class Delete {
      name = 'delete'
      description = ''
      input = z.object({})
      get effect() {
        return 'destructive'
      }
      async run() {
        return ''
      }
    }
    expect(() => defineTool(new Delete() as never)).toThrow('effect: must be')
  })
})

describe('a repeated change', () => {
  it('does not use the reply of another address', async () => {
    const clock = new ManualClock()
    let attempts = 0
    const paying = agent(
      'paying',
      async (_task, ctx) => {
        attempts += 1
        const path = attempts === 1 ? '/audit-log' : '/pay-invoice'
        const { text } = await ctx.http({ method: 'POST', url: `${server.url}${path}`, body: '{}' })
        if (attempts === 1) throw new TuttiError('ToolError', 'no luck', { retryable: true })
        return { answer: `paid: ${text}` }
      },
      { limits: { retries: 1 } },
    )
    const store = await storeOf(clock)
    const approvals = { allowsWithoutApproval: () => true }
    const engine = engineFor([paying], { store, clock, http: httpTools(client), approvals })
    engines.push(engine)
    const runId = await engine.start(request(['paying'], { interactive: false }))
    const state = await passing(clock, engine.outcome(runId))
    expect(attempts).toBe(2)
    expect(server.requests.map(({ path }) => path)).toEqual(['/audit-log'])
    expect(state.jobs.get('paying')?.result).toMatchObject({ status: 'failed', error: { type: 'ApprovalDenied' } })
  })
})
