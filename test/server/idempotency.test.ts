import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { MAX_RESPONSE_BYTES, MAX_RESPONSES } from '../../src/accounts/idempotency-store.ts'
import { idFrom } from '../../src/server/idempotency.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { startHttpWorld, type Asking, type HttpWorld } from '../support/http-server.ts'

/** Every POST, sent twice with one `Idempotency-Key`. A new POST endpoint needs a row here. */

type Name = 'root' | 'ada'
let world: HttpWorld
const ids = new Map<string, string>()
let conversationId: string
let runId: string

beforeAll(async () => {
  world = await startHttpWorld({}, (people) => async ({ headers }) => {
    const name = headers['x-test-person']
    return name === undefined ? undefined : people.callerOf(ids.get(String(name))!)
  })
  for (const username of ['root', 'ada']) {
    const role = username === 'root' ? 'admin' : 'member'
    ids.set(username, (await world.app.people.accounts.add('test', { username, role })).userId)
  }
  const { metadata } = await world.json<{ metadata: { runId: string; conversationId: string } }>('/query', {
    json: { question: 'What is 6 times 7?' },
  })
  ;({ conversationId, runId } = metadata)
})
afterAll(() => world.close())

interface Reply {
  readonly status: number
  readonly body: string
  readonly replayed: boolean
  readonly runId: string | null
}

async function send(path: string, as: Name, key: string, sent: object | FormData | undefined): Promise<Reply> {
  const body = sent instanceof FormData ? { body: sent } : sent === undefined ? {} : { json: sent }
  const response = await world.fetch(path, { method: 'POST', as, headers: { 'idempotency-key': key }, ...body })
  return {
    status: response.status,
    body: await response.text(),
    replayed: response.headers.get('idempotent-replayed') === 'true',
    runId: response.headers.get('x-run-id'),
  }
}

/** Endpoints that ignore the key, with the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  '/session/register': 'nobody has signed in whose key it could be',
  '/session': 'nobody has signed in whose key it could be',
  '/session/reset': 'nobody has signed in whose key it could be',
  '/hooks/{hookId}': 'nobody has signed in; deliveries have ids of their own',
  '/session/export': 'it changes nothing',
  '/databases/{database}/query': 'it changes nothing',
  '/databases/{database}/check': 'it changes nothing',
  '/grants/preview': 'it changes nothing',
  '/teams/check': 'it changes nothing',
  '/setup/try': 'it changes nothing',
  '/mcp': 'its protocol has no such header',
}

/** Endpoints that start a run: the id of the run is derived from the key. */
const asks = (question: string) => ({ question })
const STARTS: Readonly<Record<string, () => readonly [path: string, body: object, other: object]>> = {
  '/query': () => ['/query', asks('What is 6 times 7?'), asks('What is 6 times 8?')],
  '/query/stream': () => ['/query/stream', asks('What is 6 times 7?'), asks('What is 6 times 8?')],
  '/runs': () => ['/runs', asks('What is 6 times 7?'), asks('What is 6 times 8?')],
  '/teams': () => ['/teams', { goal: 'count orders' }, { goal: 'count customers' }],
  '/teams/{team}/versions': () => ['/teams/counters/versions', teamOf('Counts.'), teamOf('Counts twice.')],
  '/conversations/{conversationId}/branches': () => [
    `/conversations/${conversationId}/branches`,
    { turn: 1, question: 'What is 6 times 9?' },
    { turn: 1, question: 'What is 6 times 5?' },
  ],
  '/v1/chat/completions': () => ['/v1/chat/completions', chat('What is 6 times 7?'), chat('What is 6 times 8?')],
  '/v1/responses': () => [
    '/v1/responses',
    { model: 'pipeline', input: 'What is 6 times 7?' },
    { model: 'pipeline', input: 'What is 6 times 8?' },
  ],
}
const teamOf = (purpose: string) => ({
  team: {
    name: 'counters',
    purpose,
    agents: [{ name: 'counter', purpose, tools: ['run_python'], task: 'What is 2 + 2?' }],
    checks: [{ question: 'What is 2 + 2?' }],
  },
})
const chat = (content: string) => ({ model: 'pipeline', messages: [{ role: 'user', content }] })

const CASES = { set: 'all', withoutSources: false }

/** Endpoints whose answer is stored: caller and body, and a different body for the same address. */
const KEPT: Readonly<Record<string, readonly [as: Name, body?: object, other?: object]>> = {
  '/runs/{runId}/cancel': ['ada'],
  '/runs/{runId}/messages': ['ada', { text: 'only Germany' }, { text: 'only France' }],
  '/runs/{runId}/feedback': ['ada', { thumb: 'up' }, { thumb: 'down' }],
  '/runs/{runId}/verified': ['ada'],
  '/evaluations/cases': ['ada', { cases: 'a', ...CASES }, { cases: 'b', ...CASES }],
  '/evaluations/{evaluationId}/cancel': ['ada'],
  '/approvals/{approvalId}/decide': ['ada', { decision: 'approved' }, { decision: 'denied' }],
  '/hitl/respond': [
    'ada',
    { request_id: 'a', decision: 'approved', instructions: null },
    { request_id: 'a', decision: 'denied', instructions: null },
  ],
  '/documents/{documentId}/read': ['ada'],
  '/teams/{team}/runs': ['ada', { question: 'a' }, { question: 'b' }],
  '/teams/{team}/use': ['ada', { version: 1 }, { version: 2 }],
  '/servers/{name}/accept': [
    'root',
    { seen: [], reason: 'read' },
    { seen: [{ name: 'a', digest: 'b' }], reason: 'read' },
  ],
  '/v1/responses/{id}/cancel': ['ada'],
  '/session/second-factor': ['ada', { password: 'a long enough sentence' }, { password: 'another sentence' }],
  '/session/second-factor/confirm': ['ada', { code: '123456' }, { code: '654321' }],
  '/session/erase': ['ada', { password: 'a long enough sentence' }, { password: 'another sentence' }],
  '/people/{userId}/reset': ['root'],
}

const file = (text: string): FormData => {
  const form = new FormData()
  form.append('file', new Blob([text]), 'note.md')
  return form
}
/** Files: their content is part of the request. */
const FORMS: Readonly<Record<string, () => Promise<string>>> = {
  '/upload': async () => '/upload',
  '/attachments': async () => '/attachments',
  '/collections/{collectionId}/documents': async () => {
    const { collectionId } = await world.json<{ collectionId: string }>('/collections', { json: { name: 'Files' } })
    return `/collections/${collectionId}/documents`
  },
}
const documentOf = (place: string) => (one: { items: readonly { document: { documentId: string } }[] }) =>
  `${place}/${one.items[0]!.document.documentId}`

/** The same request with one change. */
function otherwise(body: object): object {
  if (body instanceof FormData) return file('# D\n\nAnother note.\n')
  const others = { name: 'x', cron: '0 9 * * *', username: 'x', role: 'admin', from: 'x', set: 'x', sets: ['x'] }
  const changed = Object.entries(others).filter(([name]) => name in body)
  return { ...body, ...(changed.length === 0 ? { days: 3 } : Object.fromEntries(changed.slice(0, 1))) }
}

/** Endpoints whose result cannot be looked up later. */
const NOTHING_TO_LOOK_FOR: Readonly<Record<string, string>> = {
  '/session/register': 'takes no key',
  '/people/{userId}/reset': 'a token expires; a removed user is not found',
  '/evaluations/cases': 'tells how many were kept, and of none of them',
  '/runs/{runId}/verified': 'is in the terms of a database, which users edit by hand',
  '/conversations/{conversationId}/branches': 'its run has the id of the key',
  '/uploads': 'looked at with the uploads',
}
/** Tested separately, most of them after their result was deleted. */
const ALONE = [
  '/runs/{runId}/fork',
  '/runs/{runId}/retry',
  '/runs/{runId}/case',
  '/evaluations',
  '/collections',
  '/people',
  '/people/invitations',
  '/groups',
  '/uploads',
  '/schedules',
  '/schedules/{scheduleId}/run',
  '/keys',
  '/conversations/{conversationId}/shares',
]

const filled = (path: string): string => path.replace('{userId}', 'ada').replaceAll(/\{\w+\}/g, 'nothing')

describe('a POST that is sent twice with one Idempotency-Key', () => {
  it('has a row here', async () => {
    const { paths } = await world.json<{ paths: Record<string, { post?: unknown }> }>('/openapi.json')
    const posts = Object.entries(paths).flatMap(([path, { post }]) => (post === undefined ? [] : [path]))
    const rows = [WITHOUT, STARTS, KEPT, FORMS].flatMap((table) => Object.keys(table))
    // /mcp is not part of the OpenAPI document.
    expect([...new Set([...posts, '/mcp'])].toSorted()).toEqual([...rows, ...ALONE].toSorted())
  })

  it.each(Object.keys(STARTS))('%s starts one run, and another question is refused', async (row) => {
    const [path, body, other] = STARTS[row]!()
    const key = `key of ${row}`
    const all = await Promise.all([1, 2, 3].map(() => send(path, 'ada', key, body)))
    expect(all.map(({ status }) => status)).toEqual([all[0]!.status, all[0]!.status, all[0]!.status])
    expect(all[0]!.status).toBeLessThan(300)
    expect(new Set(all.map((reply) => reply.runId)).size).toBe(1)
    expect(all[0]!.runId).toMatch(/^[\da-f-]{36}$/)
    expect((await send(path, 'ada', key, other)).status).toBe(422)
  })

  it('/schedules makes one, and its run is started once', async () => {
    const daily = (hour: number) => ({ cron: `0 ${hour} * * *`, request: { question: 'What is 6 times 7?' } })
    const made = await Promise.all([1, 2].map(() => send('/schedules', 'ada', 's', daily(8))))
    expect(made.map(({ status, body }) => [status, body])).toEqual([1, 2].map(() => [201, made[0]!.body]))
    expect((await send('/schedules', 'ada', 's', daily(9))).status).toBe(422)
    const { schedule } = JSON.parse(made[0]!.body) as { schedule: { scheduleId: string } }
    const path = `/schedules/${schedule.scheduleId}/run`
    const [first, second] = [await send(path, 'ada', 'k', undefined), await send(path, 'ada', 'k', undefined)]
    expect(first.status).toBe(202)
    expect(second.body).toBe(first.body)
  })

  it.each(Object.keys(KEPT))('%s returns the stored answer, to the same caller, for the same request', async (row) => {
    const [as, body, other] = KEPT[row]!
    const path = filled(row)
    // The earlier answer of another process.
    const id = idFrom([ids.get(as), 'person', undefined, SCOPES, 'POST', path, 'kept'])
    const begun = await world.app.people.answers.begin(
      ids.get(as)!,
      id,
      JSON.stringify([{}, body ?? null]),
      AbortSignal.timeout(5_000),
    )
    if ('answer' in begun) throw new Error('It was kept before.')
    await begun.claim.keep({ status: 299, type: 'text/planted', body: row })
    expect(await send(path, as, 'kept', body)).toEqual({ status: 299, body: row, replayed: true, runId: null })
    const refused = other === undefined ? { status: 422 } : await send(path, as, 'kept', other)
    expect(refused.status).toBe(422)
    // The same key of another user is a different key.
    expect((await send(path, as === 'ada' ? 'root' : 'ada', 'kept', body)).status).not.toBe(299)
  })

  it.each(Object.keys(FORMS))('%s accepts the same files once, and refuses others', async (row) => {
    const path = await FORMS[row]!()
    const all = await Promise.all([1, 2].map(() => send(path, 'ada', row, file('# A\n\nTrays are wiped daily.\n'))))
    expect(all.map(({ status }) => status)).toEqual([201, 201])
    expect(all[1]!.body).toBe(all[0]!.body)
    expect(all.filter(({ replayed }) => replayed)).toHaveLength(1)
    expect((await send(path, 'ada', row, file('# B\n\nAnother.\n'))).status).toBe(422)
  })

  it('works once, also in parallel, and a refused request may be repeated', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => send('/groups', 'root', 'g', { name: 'sales' })))
    expect(new Set(all.map(({ body }) => body)).size).toBe(1)
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect((await world.app.people.groups.list()).filter(({ name }) => name === 'sales')).toHaveLength(1)
    const keys = await Promise.all([1, 2, 3].map(() => send('/keys', 'ada', 'k', { name: 'a', scopes: ['read'] })))
    expect(new Set(keys.map(({ body }) => body)).size).toBe(1)
    expect(await world.app.people.keys.list(ids.get('ada')!)).toHaveLength(1)

    expect((await send('/groups', 'root', 'again', { name: ' ' })).status).toBe(400)
    expect((await send('/groups', 'root', 'again', { name: 'support' })).status).toBe(201)
    expect((await send(`/runs/${runId}/cancel`, 'ada', 'x'.repeat(201), undefined)).status).toBe(400)
  })

  it('has one key, not two', async () => {
    const twice = request(`${world.url}/groups`, {
      method: 'POST',
      headers: {
        'x-test-person': 'root',
        'content-type': 'application/json',
        'idempotency-key': ['one', 'two'],
      },
    }).end(JSON.stringify({ name: 'twice' }))
    const [{ statusCode }] = (await once(twice, 'response')) as [IncomingMessage]
    expect(statusCode).toBe(400)
  })

  it('reports that its result was deleted', async () => {
    const share = `/conversations/${conversationId}/shares`
    const key = { name: 'gone', scopes: ['read'] }
    const daily = { cron: '0 8 * * *', request: { question: 'What is 6 times 7?' } }
    const { jobs } = await world.json<{ jobs: readonly { key: string }[] }>(`/runs/${runId}`)
    const { collectionId } = await world.json<{ collectionId: string }>('/collections', { json: { name: 'Shelf' } })
    const shelf = `/collections/${collectionId}/documents`
    const note = () => file('# C\n\nBeans are weighed daily.\n')
    const cases = { cases: '{"id": "sum", "question": "What is 2 + 2?", "expect": {"number": [4]}}', set: 'sums' }
    expect((await world.fetch('/evaluations/cases', { json: cases })).status).toBe(201)
    const made: Readonly<Record<string, readonly [path: string, body: () => object, placeOf: (one: never) => string]>> =
      {
        '/conversations/{conversationId}/shares': [
          share,
          () => ({}),
          (one: { shareId: string }) => `${share}/${one.shareId}`,
        ],
        '/keys': ['/keys', () => key, (one: { record: { keyId: string } }) => `/keys/${one.record.keyId}`],
        '/schedules': [
          '/schedules',
          () => daily,
          (one: { schedule: { scheduleId: string } }) => `/schedules/${one.schedule.scheduleId}`,
        ],
        '/collections': [
          '/collections',
          () => ({ name: 'gone' }),
          (one: { collectionId: string }) => `/collections/${one.collectionId}`,
        ],
        '/groups': ['/groups', () => ({ name: 'gone' }), (one: { groupId: string }) => `/groups/${one.groupId}`],
        '/people': [
          '/people',
          () => ({ username: 'gone' }),
          (one: { person: { userId: string } }) => `/people/${one.person.userId}`,
        ],
        '/people/invitations': [
          '/people/invitations',
          () => ({ role: 'viewer' }),
          (one: { invitationId: string }) => `/people/invitations/${one.invitationId}`,
        ],
        '/runs/{runId}/fork': [
          `/runs/${runId}/fork`,
          () => ({ from: jobs[0]!.key }),
          (one: { runId: string }) => `/runs/${one.runId}`,
        ],
        '/runs/{runId}/retry': [`/runs/${runId}/retry`, () => ({}), (one: { runId: string }) => `/runs/${one.runId}`],
        '/runs/{runId}/case': [
          `/runs/${runId}/case`,
          () => ({ set: 'gone', number: [42] }),
          (one: { id: string }) => `/evaluations/cases?set=gone&id=${one.id}`,
        ],
        '/evaluations': [
          '/evaluations',
          () => ({ sets: ['sums'] }),
          (one: { evaluationId: string }) => `/evaluations/${one.evaluationId}`,
        ],
        '/upload': ['/upload', note, documentOf('/documents')],
        '/collections/{collectionId}/documents': [shelf, note, documentOf(shelf)],
        '/attachments': [
          '/attachments',
          note,
          (one: { documents: string; items: readonly { documentId: string }[] }) =>
            `/attachments/${one.documents}/${one.items[0]!.documentId}`,
        ],
      }
    const { paths } = await world.json<{
      paths: Record<string, { post?: { responses: Record<string, unknown> } }>
    }>('/openapi.json')
    const making = Object.entries(paths).flatMap(([path, { post }]) =>
      post !== undefined && '201' in post.responses ? [path] : [],
    )
    const others = ['/evaluations', ...Object.keys(NOTHING_TO_LOOK_FOR)]
    expect([...Object.keys(made), ...Object.keys(NOTHING_TO_LOOK_FOR)].toSorted()).toEqual(
      [...new Set([...making, ...others])].toSorted(),
    )
    for (const [path, bodyOf, placeOf] of Object.values(made)) {
      const body = bodyOf()
      const as = ['/groups', '/people', '/people/invitations'].includes(path) ? 'root' : 'ada'
      const first = await send(path, as, 'gone', body)
      expect([path, first.status, first.body]).toEqual([path, path === '/evaluations' ? 202 : 201, first.body])
      expect(await send(path, as, 'gone', bodyOf())).toEqual({ ...first, replayed: true })
      expect((await send(path, as === 'ada' ? 'root' : 'ada', 'gone', bodyOf())).replayed).toBe(false)
      expect((await send(path, as, 'gone', otherwise(body))).status).toBe(422)
      const place = placeOf(JSON.parse(first.body) as never)
      if (path === '/evaluations') await world.fetch(`${place}/cancel`, { method: 'POST', as })
      // A run can be deleted once it is over.
      await expect
        .poll(async () => [path, (await world.fetch(place, { method: 'DELETE', as })).status])
        .toEqual([path, 204])
      const again = await send(path, as, 'gone', bodyOf())
      expect([again.status, JSON.parse(again.body)]).toMatchObject([
        410,
        { detail: expect.stringContaining('deleted since') },
      ])
    }
  })

  it('is not repeated when its answer was too large to store, and at most a thousand are stored per day', async () => {
    const { answers } = world.app.people
    const id = idFrom([ids.get('root'), 'person', undefined, SCOPES, 'POST', '/groups', 'large'])
    const asked = JSON.stringify([{}, { name: 'large' }])
    const begun = await answers.begin(ids.get('root')!, id, asked, AbortSignal.timeout(5_000))
    if ('answer' in begun) throw new Error('It was kept before.')
    await begun.claim.keep({ status: 201, body: 'x'.repeat(MAX_RESPONSE_BYTES + 1) })
    const again = await send('/groups', 'root', 'large', { name: 'large' })
    expect([again.status, JSON.parse(again.body)]).toMatchObject([
      409,
      { detail: expect.stringContaining('too large') },
    ])

    for (let n = 0; n < MAX_RESPONSES; n++) {
      const one = await answers
        .begin(ids.get('root')!, `id ${n}`, asked, AbortSignal.timeout(5_000))
        .catch((thrown: unknown) => thrown)
      if (one instanceof Error) break
      if ('claim' in (one as object))
        await (one as { claim: { keep(a: object): Promise<void> } }).claim.keep({ status: 1 })
    }
    expect((await send('/groups', 'root', 'one more', { name: 'more' })).status).toBe(429)
    expect((await world.fetch('/groups', { as: 'root', json: { name: 'more' } })).status).toBe(201)
  })
})

describe('a stored answer', () => {
  it('is only for the same session or key, so that it reveals no secrets to others', async () => {
    const own = await startHttpWorld({}, authenticateBy)
    try {
      const { accounts, signIn, keys } = own.app.people
      const { userId } = await accounts.add('test', { username: 'ann', role: 'member' })
      const cookie = async (): Promise<Asking> => ({
        headers: { cookie: `tutti_session=${await signIn.begin(userId, 'here')}` },
      })
      const key = async (...scopes: (typeof SCOPES)[number][]): Promise<Asking> => ({
        headers: { authorization: `Bearer ${(await keys.create(userId, { name: 'k', scopes })).key}` },
      })
      const [session, other, few, all, one, two] = [
        await cookie(),
        await cookie(),
        await key('ask'),
        await key('read', 'ask', 'admin'),
        await key('admin'),
        await key('admin'),
      ]
      const post = async (path: string, { headers }: Asking, json: object) => {
        const sent = { as: null, json, headers: { ...headers, 'idempotency-key': 'h1' } }
        const response = await own.fetch(path, sent)
        return [response.status, await response.text()] as const
      }
      const hook = { hook: 'bearer', request: { question: 'What is 6 times 7?' } }
      const [status, body] = await post('/schedules', session, hook)
      expect([status, body]).toEqual([201, expect.stringContaining('tuttihook_')])
      expect(await post('/schedules', other, hook)).toEqual([201, body])
      expect((await post('/schedules', few, hook))[0]).toBe(403)
      const ofKey = await post('/schedules', all, hook)
      expect(ofKey[0]).toBe(201)
      expect(ofKey[1]).not.toBe(body)
      expect((await post('/schedules', few, hook))[0]).toBe(403)
      const daily = { cron: '0 8 * * *', request: hook.request }
      const mine = await Promise.all([one, two, one].map((by) => post('/schedules', by, daily)))
      expect(mine[2]).toEqual(mine[0])
      expect(mine[1]![1]).not.toBe(mine[0]![1])

      const asked = await own.json<{ metadata: { conversationId: string } }>('/query', {
        ...session,
        as: null,
        json: hook.request,
        headers: { ...session.headers, 'content-type': 'application/json' },
      })
      const shares = `/conversations/${asked.metadata.conversationId}/shares`
      expect((await post(shares, session, {}))[0]).toBe(201)
      expect((await post(shares, few, {}))[0]).toBe(403)
    } finally {
      await own.close()
    }
  })
})
