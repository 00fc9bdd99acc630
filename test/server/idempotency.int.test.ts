import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHttpWorld, startPeopleWorld, type Asking } from '../support/http-server.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { openForAll } from '../support/opened.ts'

/** Questions that are sent twice with one `Idempotency-Key`. */

const world = openForAll(() => startPeopleWorld({ ada: 'member' }))
let conversationId: string
beforeAll(async () => {
  const { metadata } = await world.json<{ metadata: { conversationId: string } }>('/query', {
    json: { question: 'What is 6 times 7?' },
  })
  ;({ conversationId } = metadata)
})

async function send(path: string, key: string, json: object) {
  const { status, headers } = await world.fetch(path, { json, headers: { 'idempotency-key': key } })
  return { status, runId: headers.get('x-run-id') }
}

/** Requests that start a run, which the key and their content identify; and what makes another one of them. */
const asks = (question: string) => ({ question })
const chat = (...contents: string[]) => ({
  model: 'pipeline',
  messages: contents.map((content) => ({ role: 'user', content })),
})
const hello = { question: 'Say hello', strategy: 'auto', budget: { maxCalls: 9 } }
const STARTS: readonly (readonly [path: string, body: object, other: object])[] = [
  ['/query/stream', asks('What is 6 times 7?'), asks('What is 6 times 8?')],
  ['/conversations/{conversationId}/branches', { turn: 1, question: 'What is 6 times 9?' }, { question: 'And now?' }],
  ['/v1/chat/completions', chat('What is 6 times 7?'), chat('Hi', 'What is 6 times 7?')],
  ['/query', hello, { locale: 'en-IN' }],
  ['/query', { ...hello, context: { api_key: 'one-secret' } }, { context: { api_key: 'two-secret' } }],
  ['/query', { ...hello, systemPrompt: 'Be kind.' }, { systemPrompt: undefined }],
]

describe('a question that is sent twice with one Idempotency-Key', () => {
  it.each(STARTS)('%s with %j starts one run, and is refused with %j', async (pattern, body, other) => {
    const path = pattern.replace('{conversationId}', conversationId)
    const key = JSON.stringify(body)
    const reversed = Object.fromEntries(Object.entries(body).reverse())
    const all = await Promise.all([body, reversed, body].map((sent) => send(path, key, sent)))
    expect(all.map(({ status }) => status)).toEqual([all[0]!.status, all[0]!.status, all[0]!.status])
    expect(all[0]!.status).toBeLessThan(300)
    expect(new Set(all.map((reply) => reply.runId)).size).toBe(1)
    expect(all[0]!.runId).toMatch(/^[\da-f-]{36}$/)
    expect((await send(path, key, { ...body, ...other })).status).toBe(422)
  })

  it('has one key of at most 200 characters', async () => {
    const headers = { 'x-test-person': 'ada', 'content-type': 'application/json', 'idempotency-key': ['one', 'two'] }
    const twice = request(`${world.url}/query`, { method: 'POST', headers }).end(JSON.stringify(hello))
    const [{ statusCode }] = (await once(twice, 'response')) as [IncomingMessage]
    expect(statusCode).toBe(400)
    expect((await send('/query', 'x'.repeat(201), hello)).status).toBe(400)
  })

  it('is the same for all sessions of a user, and another one for each API key', async () => {
    const own = await startHttpWorld({}, authenticateBy)
    try {
      const { accounts, signIn, keys } = own.app.people
      const { userId } = await accounts.add('test', { username: 'ann', role: 'member' })
      const session = async () => ({ cookie: `tutti_session=${await signIn.sessions.start(userId, 'here')}` })
      const key = async () => ({
        authorization: `Bearer ${(await keys.create(userId, { name: 'k', scopes: ['ask'] })).key}`,
      })
      const runs: (string | null)[] = []
      for (const credential of [await session(), await session(), await key(), await key()]) {
        const headers: Asking['headers'] = { ...credential, 'idempotency-key': 'h1' }
        const answer = await own.fetch('/query', { as: null, json: { question: 'What is 6 times 7?' }, headers })
        expect(answer.status).toBe(200)
        runs.push(answer.headers.get('x-run-id'))
      }
      expect(runs[1]).toBe(runs[0])
      expect(new Set(runs).size).toBe(3)
    } finally {
      await own.close()
    }
  })
})
