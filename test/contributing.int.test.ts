import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import Libsql from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../src/app/create-app.ts'
import type { Agent } from '../src/domain/actor.ts'
import type { Strategy } from '../src/domain/strategy.ts'
import type { Database } from '../src/databases/database.ts'
import { createSqlGuard } from '../src/databases/sql-guard/index.ts'
import { createSqlSource } from '../src/app/sql-source.ts'
import { simulate } from '../src/testing/simulate.ts'
import { startModelServer, toolCall, type ModelRequest } from './support/model-server.ts'

const ROOT = join(import.meta.dirname, '..')

interface Examples {
  readonly clockAgent: () => Agent
  readonly single: Strategy
  readonly rqliteDatabase: (name: string, url: string) => Database
}

let folder: string
let examples: Examples

/** Writes the examples of CONTRIBUTING.md to files. Their imports resolve to the same folder or to this repository. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-contributing-'))
  const page = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const blocks = new Map(
    [...page.matchAll(/```ts\n\/\/ (src\/\S+)\n([\s\S]*?)```/g)].map(([, path, code]) => [path!, code!]),
  )
  const placeOf = (path: string): string => join(blocks.has(path) ? folder : ROOT, path)
  for (const [path, code] of blocks) {
    const file = placeOf(path)
    await mkdir(dirname(file), { recursive: true })
    const imports = code
      .replaceAll(/from '(src\/[^']+)'/g, (_all, from: string) => `from '${placeOf(from)}'`)
      .replaceAll(`from 'zod'`, `from '${fileURLToPath(import.meta.resolve('zod'))}'`)
    await writeFile(file, imports)
  }
  const load = (path: string): Promise<object> => import(pathToFileURL(placeOf(path)).href)
  const paths = ['src/agents/clock/agent.ts', 'src/strategies/single/next.ts', 'src/databases/rqlite.ts']
  examples = Object.assign({}, ...(await Promise.all(paths.map(load)))) as Examples
})
afterAll(() => rm(folder, { recursive: true }))

it.each([
  ['as part of the assistant', []],
  ['in a loop of its own', ['clock']],
])('the agent answers with its tool, %s', async (_how, preferAgents) => {
  const atWork = ({ text, messages }: ModelRequest, role: string): boolean =>
    text.includes('Use convert_time') && messages.at(-1)?.role === role
  const models = await startModelServer([
    {
      when: (request) => atWork(request, 'user'),
      reply: toolCall('convert_time', { utc: '2026-11-02T09:00:00Z', zone: 'Asia/Tokyo' }),
    },
    {
      when: (request) => atWork(request, 'tool'),
      reply: ({ messages }) => ({ text: `In Tokyo it is ${/\d\d:\d\d/.exec(messages.at(-1)!.text)?.[0]}.` }),
    },
  ])
  const provider = { kind: 'compatible', baseUrl: models.url, defaultModel: 'scripted' } as const
  const app = await createApp({ agents: [examples.clockAgent()], models: { providers: [provider] } })
  try {
    const response = await app.ask({ question: 'What time is it in Tokyo at 9:00 UTC?', preferAgents })
    expect(response.answer).toContain('In Tokyo it is 18:00.')
  } finally {
    await app.close()
    await models.close()
  }
})

it('the strategy runs only the first task', () => {
  const tasks = ['first', 'second'].map((id) => ({ id, agent: 'clock', dependsOn: [] }))
  const { jobs, finish } = simulate(examples.single, 'What time is it?', ({ actor }) => {
    if (actor === 'planner') return { events: [{ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: '' }] }
    return actor === 'composer' ? { events: [{ type: 'answer.composed', answer: '9:00', by: 'model' }] } : {}
  })
  expect(jobs.map(({ key }) => key)).toEqual(['plan:1', 'first', 'compose:1'])
  expect(finish).toEqual({ finish: 'answered' })
})

it('the database answers queries that pass the SQL guard', async () => {
  const sqlite = new Libsql(':memory:')
  sqlite.exec(
    `CREATE TABLE cities (name TEXT PRIMARY KEY, zone TEXT NOT NULL); INSERT INTO cities VALUES ('Tokyo', 'Asia/Tokyo')`,
  )
  const server = await startRqlite(sqlite)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cities = createSqlSource(examples.rqliteDatabase('cities', url), createSqlGuard())
  const { signal } = new AbortController()
  try {
    expect(await cities.query('SELECT zone FROM cities', signal)).toMatchObject({
      columns: ['zone'],
      data: [['Asia/Tokyo']],
    })
    expect(await cities.query('DELETE FROM cities', signal)).toMatchObject({ error: expect.anything() as unknown })
  } finally {
    server.close()
    sqlite.close()
  }
})

/** The part of rqlite's protocol that the example uses. */
async function startRqlite(sqlite: Libsql.Database): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const statement = sqlite.prepare((JSON.parse(body) as [string])[0])
    const columns = statement.columns().map(({ name }) => name)
    response.end(JSON.stringify({ results: [{ columns, values: statement.raw().all([]) }] }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}
