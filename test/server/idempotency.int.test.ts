import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { MAX_RESPONSE_BYTES, MAX_RESPONSES } from '../../src/accounts/idempotency-store.ts'
import { idFrom } from '../../src/server/idempotency.ts'
import { startHttpWorld, type Asking, type HttpWorld } from '../support/http-server.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'

/** POST requests that are sent twice with one `Idempotency-Key`. */

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

/** Endpoints that start a run: the id of the run is derived from the key. */
const asks = (question: string) => ({ question })
const STARTS: Readonly<Record<string, () => readonly [path: string, body: object, other: object]>> = {
  '/query/stream': () => ['/query/stream', asks('What is 6 times 7?'), asks('What is 6 times 8?')],
  '/conversations/{conversationId}/branches': () => [
    `/conversations/${conversationId}/branches`,
    { turn: 1, question: 'What is 6 times 9?' },
    { turn: 1, question: 'What is 6 times 5?' },
  ],
  '/v1/chat/completions': () => ['/v1/chat/completions', chat('What is 6 times 7?'), chat('What is 6 times 8?')],
}
const chat = (content: string) => ({ model: 'pipeline', messages: [{ role: 'user', content }] })

const file = (text: string): FormData => {
  const form = new FormData()
  form.append('file', new Blob([text]), 'note.md')
  return form
}
describe('a POST that is sent twice with one Idempotency-Key', () => {
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

  it('accepts the same files once, and refuses others', async () => {
    const note = () => file('# A\n\nTrays are wiped daily.\n')
    const all = await Promise.all([1, 2].map(() => send('/upload', 'ada', 'file', note())))
    expect(all.map(({ status }) => status)).toEqual([201, 201])
    expect(all[1]!.body).toBe(all[0]!.body)
    expect(all.filter(({ replayed }) => replayed)).toHaveLength(1)
    expect((await send('/upload', 'ada', 'file', file('# B\n\nAnother.\n'))).status).toBe(422)
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

  it.each<[string, () => string, () => object, (one: never) => string]>([
    ['a link', () => `/conversations/${conversationId}/shares`, () => ({}), (one: { shareId: string }) => one.shareId],
    [
      'a key',
      () => '/keys',
      () => ({ name: 'gone', scopes: ['read'] }),
      (one: { record: { keyId: string } }) => one.record.keyId,
    ],
    [
      'a document',
      () => '/upload',
      () => file('# C\n\nBeans are weighed daily.\n'),
      (one: { items: [{ document: { documentId: string } }] }) => one.items[0].document.documentId,
    ],
  ])('reports that its result was deleted: %s', async (_what, pathOf, bodyOf, idOf) => {
    const path = pathOf()
    const first = await send(path, 'ada', 'gone', bodyOf())
    expect(first.status).toBe(201)
    expect(await send(path, 'ada', 'gone', bodyOf())).toEqual({ ...first, replayed: true })
    const place = `${path === '/upload' ? '/documents' : path}/${idOf(JSON.parse(first.body) as never)}`
    expect((await world.fetch(place, { method: 'DELETE', as: 'ada' })).status).toBe(204)
    const again = await send(path, 'ada', 'gone', bodyOf())
    expect([again.status, JSON.parse(again.body)]).toMatchObject([
      410,
      { detail: expect.stringContaining('deleted since') },
    ])
  })

  it('is not repeated when its answer was too large to store, and at most a thousand are stored per day', async () => {
    const { idempotency: answers } = world.app.people
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
        headers: { cookie: `tutti_session=${await signIn.sessions.start(userId, 'here')}` },
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
