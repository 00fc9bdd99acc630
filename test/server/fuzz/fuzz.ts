import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { createRandom } from '../../support/random.ts'
import { startServed, type Holding, type Served } from '../../support/served.ts'
import { undescribed } from './described.ts'
import { isCutOff, wrongWith } from './judge.ts'
import { operationsOf, Requests, type Document, type Fuzzed } from './requests.ts'
import { send, type Answer } from './send.ts'
import { Pool } from './values.ts'

const AT_ONCE = 8
const PEOPLE = { root: 'admin', ada: 'member', vera: 'viewer' } as const

export interface FuzzReport {
  /** Number of requests by status; 0 is a connection that ended without an answer. */
  readonly statuses: Readonly<Record<string, number>>
  readonly failures: readonly string[]
  /** Operations that succeeded at least once, and those that never did. */
  readonly done: readonly string[]
  readonly never: readonly string[]
  /** After 10 %, 50 % and 100 % of the requests. */
  readonly holding: readonly Holding[]
  /** Messages of the server to its operator. */
  readonly told: string
}

/**
 * Sends requests of all kinds to its own server, with users and a database. The same seed gives the same requests.
 * @param env of the server, such as `DATABASE_URL` to keep its runs in PostgreSQL
 */
export async function fuzz(
  seed: number,
  count: number,
  onProgress: (line: string) => void,
  env: Readonly<Record<string, string>> = {},
): Promise<FuzzReport> {
  const served = await startServed((world) => writeFile(join(world.folder, 'tutti.config.yaml'), CONFIG), [], env)
  // Connections to PostgreSQL are opened on demand and stay open. The server reports their number.
  const holding = async (): Promise<Holding> => {
    const held = await served.holding()
    const databaseUrl = env['DATABASE_URL']
    return databaseUrl === undefined ? held : { ...held, handles: held.handles - (await connectionsTo(databaseUrl)) }
  }
  try {
    return await fuzzServed({ ...served, holding }, await signUp(served.url), seed, count, onProgress)
  } finally {
    await served.close()
  }
}

/** Number of other connections to the database. */
async function connectionsTo(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const others = 'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
    return (await client.query(others)).rowCount!
  } finally {
    await client.end()
  }
}

const CONFIG = `
databases:
  - name: shop
    url: sqlite:shop.sqlite
people:
  registration: open
`

/** Creates the users. @returns the credentials of each */
async function signUp(url: string): Promise<string[]> {
  const send = (method: 'POST' | 'PATCH', path: string, body: object, cookie = ''): Promise<Response> => {
    const headers = { 'content-type': 'application/json', connection: 'close', cookie }
    return fetch(url + path, { method, headers, body: JSON.stringify(body) })
  }
  const keys: string[] = []
  let admin: string | undefined
  for (const [username, role] of Object.entries(PEOPLE)) {
    const made = await send('POST', '/session/register', { username, password: `the password of ${username}` })
    const cookie = made.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ')
    const { person } = (await made.json()) as { person: { userId: string } }
    admin ??= cookie
    if (role !== 'admin') await send('PATCH', `/people/${person.userId}`, { role }, admin)
    const scopes = ['read', 'ask', 'decide', 'documents', ...(role === 'admin' ? ['admin'] : [])]
    const key = await send('POST', '/keys', { name: 'fuzz', scopes }, cookie)
    const { key: token } = (await key.json()) as { key?: string }
    if (token === undefined) throw new Error(`There is no key for ${username}: ${made.status}, ${key.status}.`)
    keys.push(`Bearer ${token}`)
  }
  return keys
}

/** Creates one object of each kind before the requests. */
const FIRST: readonly (readonly [path: string, body: object])[] = [
  ['/query', { question: 'How many customers are there?' }],
  ['/runs', { question: 'What is 12 times 12?', confirmPlan: true }],
  ['/schedules', { request: { question: 'How many orders are there?' }, cron: '0 7 * * *' }],
]

async function begin(url: string, authorization: string, path: string, body: object): Promise<unknown> {
  const headers = { authorization, 'content-type': 'application/json', connection: 'close' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

async function fuzzServed(
  { url, world, process: server, holding }: Served,
  keys: readonly string[],
  seed: number,
  count: number,
  onProgress: (line: string) => void,
): Promise<FuzzReport> {
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(url + path, { headers: { authorization: keys[0]!, connection: 'close' } })).json()
  const document = (await ask('/openapi.json')) as Document
  const { items } = (await ask('/people')) as { items: { userId: string; username: string }[] }
  // Callers without an account or key are only refused.
  const kept = items.flatMap(({ userId, username }) => [userId, username])
  for (const key of keys) {
    const mine = (await (
      await fetch(`${url}/keys`, { headers: { authorization: key, connection: 'close' } })
    ).json()) as {
      items?: { keyId: string }[]
    }
    kept.push(...(mine.items ?? []).map(({ keyId }) => keyId))
  }
  const pool = new Pool(kept)
  // Schedules need the scope admin, which only the first key has.
  for (const [path, body] of FIRST) pool.learn(await begin(url, keys[path === '/schedules' ? 0 : 1]!, path, body))
  const places = [world.folder, process.cwd()]
  const statuses: Record<string, number> = {}
  const failures: string[] = []
  const done = new Set<string>()
  const one = async (i: number): Promise<void> => {
    // Each from its own number, so that a request does not depend on the results of others.
    const fuzzed = new Requests(document, createRandom(seed + i * 2_654_435_761), pool).one(keys, i)
    let answer: Answer
    try {
      answer = await send(url, fuzzed.wire, !isCutOff(fuzzed.wire))
    } catch (thrown) {
      failures.push(`${about(i, fuzzed)}: ${(thrown as Error).message}`)
      return
    }
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (answer.status >= 200 && answer.status < 300) {
      if (['fitting', 'values'].includes(fuzzed.kind)) done.add(fuzzed.operation)
      if (!fuzzed.operation.endsWith('/openapi.json')) pool.learn(jsonIn(answer.text))
    }
    const { described } = fuzzed
    // Input that Node.js rejects belongs to no operation, and has no id.
    const isAnswered = described !== undefined && answer.headers['x-request-id'] !== undefined
    const otherwise = isAnswered ? undescribed(document, described, answer) : []
    for (const wrong of [...wrongWith(fuzzed, answer, places), ...otherwise]) {
      failures.push(`${about(i, fuzzed)}: ${wrong}: ${answer.status} ${answer.text.slice(0, 400)}`)
    }
  }
  const held: Holding[] = []
  let next = 0
  for (const until of [Math.ceil(count / 10), Math.ceil(count / 2), count]) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < until) await one(next++)
      }),
    )
    held.push(await atRest(holding))
    onProgress(`${next} requests, ${failures.length} wrong, ${done.size} operations have done what they are for`)
  }
  if ((await fetch(`${url}/ready`)).status !== 200) failures.push('The server is no longer ready.')
  server.child.kill('SIGTERM')
  const { code, err } = await server.done
  if (code !== 0) failures.push(`The server ended with ${code}: ${err.slice(-2_000)}`)
  const all = [...new Set(operationsOf(document).map(({ method, path }) => `${method} ${path}`))]
  return {
    statuses,
    failures,
    done: [...done].toSorted(),
    never: all.filter((name) => !done.has(name)),
    holding: held,
    told: err,
  }
}

/** Resources that the server holds after all connections are closed and all requests are processed. */
async function atRest(holding: () => Promise<Holding>): Promise<Holding> {
  let held = await holding()
  for (let tries = 0; tries < 100; tries++) {
    const { heapBytes, resources: before } = held
    await new Promise((resolve) => setTimeout(resolve, 200))
    held = await holding()
    // Connections to PostgreSQL stay open.
    const isSame = held.resources['TCPSocketWrap'] === before['TCPSocketWrap']
    if (isSame && Math.abs(held.heapBytes - heapBytes) < 200_000) break
  }
  return held
}

function about(i: number, { wire, kind }: Fuzzed): string {
  const { method, path, headers, body, raw } = wire
  const shown = headers.filter(([name]) => !['connection', 'authorization'].includes(name))
  if (raw !== undefined) return `${i} ${kind} ${JSON.stringify(raw.toString('latin1').slice(0, 300))}`
  return `${i} ${kind} ${method} ${path.slice(0, 300)} ${JSON.stringify(shown).slice(0, 300)} ${(body ?? '').toString().slice(0, 300)}`
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
