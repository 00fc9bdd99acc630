import { beforeAll, expect, it } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { agent } from '../support/engine-world.ts'
import { createFolder } from '../support/folder.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'
import { rowsIn } from '../support/rows.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'

/** A refused request leaves no data. A user who was disabled meanwhile gets no answer. */

let root: string
let atWork = (): void => undefined
let wait: Promise<void>

const slow = agent(
  'slow',
  async () => {
    atWork()
    await wait
    return { answer: 'It rains.' }
  },
  { keywords: ['weather'] },
)

const folder = openForAll(createFolder)
const world = openForAll(() =>
  startHttpWorld({ storage: { folder: folder.path }, cwd: folder.path, documents: [], agents: [slow] }, authenticateBy),
)
beforeAll(async () => {
  root = (await world.app.people.accounts.add('', { username: 'root', role: 'admin' })).userId
})

async function somebody(username: string) {
  const { accounts, keys } = world.app.people
  const { userId } = await accounts.add(root, { username })
  const { key } = await keys.create(userId, { name: 'k', scopes: SCOPES })
  const headers = { authorization: `Bearer ${key}` }
  const ask = (path: string, json: object) => world.fetch(path, { as: null, json, headers })
  return { userId, ask }
}

const DAY_MS = 86_400_000
const QUESTION = 'What is the weather?'
const messages = [{ role: 'user', content: QUESTION }]
const ui = { id: 'chat-1', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: QUESTION }] }] }

/** Every way to ask a question without approvals and files. */
const WAYS: readonly (readonly [path: string, body: object])[] = [
  ['/query', { question: QUESTION }],
  ['/runs', { question: QUESTION }],
  ['/query/stream', { question: QUESTION }],
  ['/query/stream?format=ui', ui],
  ['/v1/chat/completions', { model: 'auto', messages }],
  ['/teams', { goal: 'Tell the weather each morning' }],
]

it('a question that a limit refuses leaves no data', async () => {
  const { userId, ask } = await somebody('ada')
  await world.app.people.quotas.set(root, { to: `user:${userId}`, measure: 'runs', period: 'day', most: 0 })
  // The last use of the key is stored.
  await ask('/teams/check', {})
  const before = await rowsIn(folder.path)
  for (const [path, body] of WAYS) {
    const { status, headers } = await ask(path, body)
    expect(status, path).toBe(429)
    // A daily limit lasts until midnight UTC.
    const again = Number(headers.get('retry-after')) * 1_000
    expect(again, path).toBeLessThanOrEqual(DAY_MS)
    expect((Date.now() + again + 5_000) % DAY_MS, path).toBeLessThan(10_000)
    expect(await rowsIn(folder.path), path).toEqual(before)
  }
})

it.each(WAYS.filter(([path]) => ['/query', '/v1/chat/completions'].includes(path)))(
  '%s returns no answer to a user who was disabled during the run',
  async (path, body) => {
    const { userId, ask } = await somebody(`ben${path.replaceAll('/', '-')}`)
    let go = (): void => undefined
    wait = new Promise((resolve) => (go = resolve))
    const isAtWork = new Promise<void>((resolve) => (atWork = resolve))
    const answer = ask(path, body)
    await isAtWork
    await world.app.people.accounts.setDisabled(root, userId, true)
    go()
    const { status } = await answer
    expect(status).toBe(401)
  },
)
