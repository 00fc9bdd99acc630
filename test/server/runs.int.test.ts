import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../src/client/api-types.ts'
import { TuttiError } from '../../src/domain/errors.ts'
import type { Task } from '../../src/domain/plan.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import type { Problem } from '../../src/server/problems.ts'
import { agent } from '../support/engine-world.ts'
import { startHttpWorld, startModelWorld } from '../support/http-server.ts'
import { letterSender } from '../support/letters.ts'
import { storyteller } from '../support/one-role.ts'
import { openForAll } from '../support/opened.ts'
import { eventsIn, type SseEvent } from '../support/sse.ts'

const sent: string[] = []
const greeter = agent('greeter', async () => ({ answer: 'Good morning.' }), { keywords: ['greetings'] })

/** Words in pieces of every length, with characters outside the BMP. */
const PIECES = Array.from({ length: 300 }, (_, i) => `${'wörd'.slice(0, 1 + (i % 4))}${i % 7 === 0 ? '🎻' : ''} `)

const world = openForAll(() =>
  startModelWorld([{ when: ({ isStream }) => isStream, reply: { text: PIECES.join(''), chunks: PIECES } }], {
    agents: [letterSender(sent), greeter],
    strategies: [storyteller],
  }),
)

interface Shown {
  readonly run: object
  readonly jobs: readonly { readonly key: string }[]
}
interface Listed extends Partial<Problem & { readonly detail: string }> {
  readonly items: readonly { readonly question: string }[]
}

/** The response at the end of a stream. */
const doneOf = (events: readonly SseEvent[]): RunResponse => events.at(-1)!.data as unknown as RunResponse

async function all(response: Response): Promise<SseEvent[]> {
  const events: SseEvent[] = []
  for await (const event of eventsIn(response)) events.push(event)
  return events
}

const textOf = (events: readonly SseEvent[]): string =>
  events.flatMap(({ event, data }) => (event === 'token' ? String(data['text']) : [])).join('')

describe('POST /query', () => {
  it('answers when the run is over, with its id', async () => {
    const response = await world.fetch('/query', {
      json: { question: 'Say greetings', strategy: 'pipeline', includeData: false },
    })
    const { answer, metadata } = (await response.json()) as RunResponse
    expect([response.status, response.headers.get('x-run-id')]).toEqual([200, metadata.runId])
    expect(answer).toContain('Good morning')
    expect((await world.json<Shown>(`/runs/${metadata.runId}`)).run).toMatchObject({
      question: 'Say greetings',
      status: 'finished',
    })
  })

  it('skips calls that need approval, with the documented codes', async () => {
    const { agentResults } = await world.json<RunResponse>('/query', {
      json: { question: 'Dispatch a pigeon to Kim', strategy: 'pipeline' },
    })
    expect(agentResults[0]!.error).toMatchObject({
      type: 'ApprovalDenied',
      details: { reason: 'hitl_skipped_non_streaming' },
    })
    expect(sent).toEqual([])
  })

  it('refuses an invalid request, with all faults', async () => {
    const invalid = { question: ' ', maxTurns: 0, attached: [], disableAgents: 1 }
    const { code, status, issues } = await world.json('/query', { json: invalid })
    expect([status, code]).toEqual([400, 'InvalidRequest'])
    expect(issues?.map((issue) => issue.split(':')[0]).sort()).toEqual(Object.keys(invalid).sort())
    expect(await world.status('/query', { json: { question: 'Hello', disableAgents: ['nobody'] } })).toBe(400)
    const unknown = { question: 'Hi', models: { default: 'foo:bar' } }
    expect(await world.json('/query', { json: unknown })).toMatchObject({ status: 400, code: 'InvalidRequest' })
  })
})

describe('POST /query/stream', () => {
  it('streams the run, with its text in pieces and the whole response at the end', async () => {
    const response = await world.fetch('/query/stream', { json: { question: 'Say hello', strategy: 'story' } })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events = await all(response)
    const names = events.map(({ event }) => event)
    expect(names[0]).toBe('run.started')
    expect(names).toEqual(expect.arrayContaining(['job.started', 'job.settled', 'token']))
    expect(names.filter((name) => name === 'done')).toHaveLength(1)
    expect(names.at(-1)).toBe('done')
    expect(textOf(events)).toBe(PIECES.join(''))
    expect(doneOf(events).metadata.runId).toBe(response.headers.get('x-run-id'))
  })

  it('asks for approval with the fields of hitl_required, continues after the decision, and refuses a second one', async () => {
    const response = await world.fetch('/query/stream', {
      json: { question: 'Dispatch a pigeon to Kim', strategy: 'pipeline' },
    })
    const seen: SseEvent[] = []
    const late: number[] = []
    for await (const event of eventsIn(response)) {
      seen.push(event)
      if (event.event !== 'hitl_required') continue
      const decision = { request_id: event.data['request_id'], decision: 'approved' }
      expect(await world.status('/hitl/respond', { as: 'ben', json: decision })).toBe(409)
      const [waiting] = (await world.json<{ items: readonly object[] }>('/approvals')).items
      expect(waiting).toMatchObject({
        approvalId: event.data['request_id'],
        tool: 'send_letter',
        payload: { to: 'Kim' },
      })
      for (const _ of [1, 2]) late.push(await world.status('/hitl/respond', { json: decision }))
    }
    const required = seen.find(({ event }) => event === 'hitl_required')
    expect(required!.data).toEqual({
      request_id: expect.any(String),
      agent_id: expect.any(String),
      agent_name: 'sender',
      tool_names: ['send_letter'],
      task_description: 'Dispatch a pigeon to Kim',
      timeout_seconds: 120,
    })
    const { request_id, agent_id } = required!.data
    expect(seen.find(({ event }) => event === 'hitl_approved')?.data).toEqual({ request_id, agent_id })
    expect(late).toEqual([200, 409])
    expect(sent).toEqual(['Kim'])
  })

  it('reports a denial', async () => {
    const response = await world.fetch('/query/stream', {
      json: { question: 'Dispatch a pigeon to Lee', strategy: 'pipeline' },
    })
    const seen: SseEvent[] = []
    for await (const event of eventsIn(response)) {
      seen.push(event)
      const json = { decision: 'denied', instructions: 'Not Lee' }
      if (event.event === 'hitl_required') await world.fetch(`/approvals/${event.data['request_id']}/decide`, { json })
    }
    expect(seen.map(({ event }) => event)).toContain('hitl_denied')
    const { error } = doneOf(seen).agentResults[0]!
    expect(error?.details).toMatchObject({ reason: 'denied_by_user', instructions: 'Not Lee' })
    expect(sent).toEqual(['Kim'])
  })
})

describe('GET /runs/{runId}/events', () => {
  it('has no gap and no repetition, wherever the reader was interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 60 }), { maxLength: 12 }), fc.boolean(), async (cuts, isLive) => {
        const asked = await world.fetch('/query/stream', { json: { question: 'Say hello', strategy: 'story' } })
        const runId = asked.headers.get('x-run-id')!
        const whole = isLive ? undefined : await all(asked)
        if (isLive) await asked.body!.cancel()
        const seen: SseEvent[] = []
        for (const cut of [...cuts, Infinity]) {
          const headers: Record<string, string> = seen.length === 0 ? {} : { 'last-event-id': seen.at(-1)!.id }
          const response = await world.fetch(`/runs/${runId}/events`, { headers })
          if (response.status === 204) break
          let left = cut
          for await (const event of eventsIn(response)) {
            if (left-- <= 0) break
            seen.push(event)
          }
          if (seen.at(-1)?.event === 'done') break
        }
        expect(textOf(seen)).toBe(PIECES.join(''))
        expect(seen.filter(({ event }) => event === 'done')).toHaveLength(1)
        const logged = (events: readonly SseEvent[]) =>
          events.filter(({ event }) => event !== 'token').map(({ id, event }) => `${id} ${event}`)
        const again = await all(await world.fetch(`/runs/${runId}/events`))
        expect(logged(seen)).toEqual(logged(again))
        expect(logged(seen)).toEqual(logged(whole ?? again))
      }),
      { numRuns: 12, seed: 7 },
    )
  })

  it('returns each entry of the log to clients that fold it, live and after any interruption', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 40 }), { maxLength: 8 }), async (cuts) => {
        const { runId } = await world.json<{ runId: string }>('/runs', {
          json: { question: 'Say hello', strategy: 'story' },
        })
        const seqs: number[] = []
        let last = ''
        for (const cut of [...cuts, Infinity]) {
          const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last }
          const response = await world.fetch(`/runs/${runId}/events?format=log`, { headers })
          if (response.status === 204) break
          let left = cut
          for await (const { id, data } of eventsIn(response)) {
            if (left-- <= 0) break
            last = id
            if (data['type'] !== 'live.text') seqs.push(Number(data['seq']))
          }
        }
        const whole = await world.app.as('ada').runs.events(runId)
        expect(seqs).toEqual(whole.map(({ seq }) => seq))
      }),
      { numRuns: 12, seed: 7 },
    )
  })

  it('ends when there is nothing more, and refuses an invalid id', async () => {
    const { metadata } = await world.json<RunResponse>('/query', { json: { question: 'Say hello' } })
    const events = await all(await world.fetch(`/runs/${metadata.runId}/events`))
    const after = (id: string) => world.fetch(`/runs/${metadata.runId}/events`, { headers: { 'last-event-id': id } })
    expect((await after(events.at(-1)!.id)).status).toBe(204)
    expect((await after('abc')).status).toBe(400)
    expect((await after('99999')).status).toBe(204)
  })
})

describe('runs', () => {
  it('are found by words, status and time', async () => {
    for (let n = 0; n < 3; n++) await world.app.as('pia').ask({ question: `Say hello to 100% of Room_${n} Größe` })
    const list = (query: string) => world.json<Listed>(`/runs?${query}`, { as: 'pia' })
    expect((await list('search=ROOM_2+hello')).items).toHaveLength(1)
    expect((await list('search=Room%252')).items).toHaveLength(0)
    expect((await list('search=100%25')).items).toHaveLength(3)
    expect((await list('status=failed')).items).toHaveLength(0)
    expect((await list('until=2020-01-01T00:00:00Z')).items).toHaveLength(0)
    expect((await list('cursor=zzz')).code).toBe('InvalidRequest')
    expect((await list('limit=many')).detail).toMatch(/limit: Invalid input: expected number, received NaN\.?$/)
  })

  it('can be forked, retried, compared and erased', async () => {
    const { metadata } = await world.json<RunResponse>('/query', {
      json: { question: 'Say hello', strategy: 'pipeline' },
    })
    const { jobs } = await world.json<Shown>(`/runs/${metadata.runId}`)
    const fork = await world.fetch(`/runs/${metadata.runId}/fork`, {
      json: { from: jobs[0]!.key, question: 'Say hello twice' },
    })
    const { runId: forkId } = (await fork.json()) as { runId: string }
    await all(await world.fetch(`/runs/${forkId}/events`))
    const compared = await world.json<Schemas['Comparison']>(`/runs/compare?a=${metadata.runId}&b=${forkId}`)
    expect(compared).toMatchObject({ request: ['question'], isSamePlan: true })
    for (const { isSame, differs, a, b } of compared.jobs) {
      expect(differs.length > 0).toBe(!isSame && a !== undefined && b !== undefined)
      expect(differs.includes('answer')).toBe(a !== undefined && b !== undefined && a.answer !== b.answer)
    }
    // The comparison shows the plan itself, not the summary by agent names.
    const plan = await world.json<{ tasks: readonly Task[] }>(`/runs/${metadata.runId}/plan`)
    const tasks = plan.tasks.map(({ id, agent, dependsOn }) => ({ id, agent, dependsOn }))
    expect(compared.jobs.flatMap(({ a, b }) => (a?.plan === undefined ? [] : [a.plan, b?.plan]))).toEqual([
      tasks,
      tasks,
    ])
    const retried = await world.fetch(`/runs/${metadata.runId}/retry`, { method: 'POST' })
    expect(retried.status).toBe(201)
    expect(await world.status(`/runs/${metadata.runId}`, { method: 'DELETE' })).toBe(204)
    expect(await world.status(`/runs/${metadata.runId}`)).toBe(404)
  })

  it('continue when they were stopped and retry when they failed; finished jobs are kept', async () => {
    const done = { bags: 0, ship: 0 }
    const counter = agent('counter', async () => ({ answer: `Bags were counted ${++done.bags} times.` }), {
      keywords: ['bags'],
    })
    const watcher = agent(
      'watcher',
      async (_task, ctx) => {
        if (++done.ship === 1) await new Promise((_, reject) => ctx.signal.addEventListener('abort', reject))
        if (done.ship === 2) throw new TuttiError('HttpError', 'The port does not answer.')
        return { answer: 'The ship is in.' }
      },
      { keywords: ['ship'] },
    )
    const own = await startHttpWorld({ agents: [counter, watcher] })
    try {
      const json = { question: 'Bags, then ship', strategy: 'pipeline', preferAgents: ['counter', 'watcher'] }
      const { runId } = await own.json<{ runId: string }>('/runs', { json })
      const again = (id: string) => own.fetch(`/runs/${id}/retry`, { method: 'POST' })
      await expect.poll(() => done).toEqual({ bags: 1, ship: 1 })
      expect((await again(runId)).status).toBe(409)
      await own.fetch(`/runs/${runId}/cancel`, { method: 'POST' })
      await own.app.as('ada').runs.outcome(runId)
      const goneOn = (await (await again(runId)).json()) as { runId: string }
      await own.app.as('ada').runs.outcome(goneOn.runId)
      expect(done).toEqual({ bags: 1, ship: 2 })
      const { runId: last } = (await (await again(goneOn.runId)).json()) as { runId: string }
      await own.app.as('ada').runs.outcome(last)
      expect(done).toEqual({ bags: 1, ship: 3 })
      const { answer } = (await own.json<Shown & { response: { answer: string } }>(`/runs/${last}`)).response
      expect(answer).toMatch(/counted 1 times.*ship is in/s)
      const { items } = await own.json<{ items: { conversationId: string }[] }>('/conversations')
      const { messages } = await own.json<{ messages: { runId: string }[] }>(
        `/conversations/${items[0]!.conversationId}`,
      )
      expect(messages.at(-1), 'the retry is a turn of the conversation').toMatchObject({ runId: last, text: answer })
      const lately = async (as: string) =>
        (await own.json<{ items: { name: string }[] }>('/agents/lately', { as })).items.find(
          ({ name }) => name === 'watcher',
        )
      const errors = [{ runId: goneOn.runId, message: 'The port does not answer.' }]
      expect(await lately('ada')).toMatchObject({ done: 1, failed: 1, declined: 1, errors })
      expect(await lately('ben')).toMatchObject({ done: 0, failed: 0, errors: [] })
    } finally {
      await own.close()
    }
  })

  it('show their plan, which can be changed while they are active', async () => {
    const asked = await world.fetch('/query/stream', {
      json: { question: 'Dispatch a pigeon to Max', strategy: 'pipeline' },
    })
    const runId = asked.headers.get('x-run-id')!
    for await (const { event } of eventsIn(asked)) if (event === 'hitl_required') break
    const { tasks } = await world.json<{ tasks: readonly object[] }>(`/runs/${runId}/plan`)
    expect(tasks).toMatchObject([{ agent: 'sender' }])
    const put = (plan: unknown) => world.fetch(`/runs/${runId}/plan`, { method: 'PUT', json: plan })
    expect((await put({ tasks: [{ id: 'a', agent: 'nobody' }] })).status).toBe(400)
    const circle = [
      { id: 'a', agent: 'greeter', dependsOn: ['b'] },
      { id: 'b', agent: 'greeter', dependsOn: ['a'] },
    ]
    expect(((await (await put({ tasks: circle })).json()) as Problem).code).toBe('InvalidPlan')
    expect((await put({ tasks: [{ id: 'hello', agent: 'greeter' }] })).status).toBe(200)
    const events = await all(await world.fetch(`/runs/${runId}/events`))
    expect(doneOf(events).agentResults.map(({ agent }) => agent)).toEqual(['greeter'])
    expect((await put({ tasks: [] })).status).toBe(409)
    expect(await world.status(`/runs/${runId}/cancel`, { method: 'POST' })).toBe(409)
    expect(sent).toEqual(['Kim'])
  })
})
