import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApp } from '../../src/setup/setup.ts'
import { startModelServer, type ModelServer, type Reply } from '../support/model-server.ts'

/** A database with more tables than a prompt can hold: those that the question is about are shown, and more on request. */

let server: ModelServer
let folder: string
beforeAll(async () => {
  server = await startModelServer()
  folder = await mkdtemp(join(tmpdir(), 'tutti-tables-'))
  const database = new Database(join(folder, 'many.sqlite'))
  for (let n = 0; n < 70; n++) database.exec(`CREATE TABLE x${n} (id INTEGER PRIMARY KEY, secret_of_${n} TEXT)`)
  database.exec('CREATE TABLE boats (id INTEGER PRIMARY KEY, hull TEXT)')
  database.exec("INSERT INTO boats (hull) VALUES ('oak'), ('ash'), ('elm')")
  database.exec("INSERT INTO x61 (secret_of_61) VALUES ('a'), ('b'), ('c')")
  database.close()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const sql = (text: string): Reply => ({ json: { database: 'many', sql: text, explanation: 'all' } })

async function ask(...replies: Reply[]) {
  server.script([
    ...replies.map((reply) => ({ when: 'You write SQL', times: 1, reply })),
    { when: 'You review a SQL query', reply: { json: { correct: true, problems: '', sql: '' } } },
    { when: 'senior business intelligence', reply: { text: 'There are 3 secrets.' } },
  ])
  const app = await openApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    databases: [{ url: 'sqlite:many.sqlite', name: 'many' }],
  })
  try {
    const response = await app.ask({ question: 'How many secrets have the boats?', memory: false, trace: true })
    const prompts = server.requests.flatMap(({ text }) => (text.includes('You write SQL') ? [text] : []))
    return { response, prompts }
  } finally {
    await app.close()
  }
}

it('columns of further tables are looked up before a query uses them', async () => {
  const { response, prompts } = await ask(
    sql('DESCRIBE "X61", x62'),
    sql('SELECT count(secret_of_61) AS secrets FROM x61 JOIN boats ON boats.id = x61.id'),
  )
  expect(response.answer).toBe('There are 3 secrets.')
  const [first, second] = prompts
  expect(first).toContain('hull text')
  expect(first).toMatch(/Further tables, whose columns are not listed: .*\bx61\b/)
  expect(first).not.toContain('secret_of_61')
  expect(second).toContain('secret_of_61 text')
  expect(second).toContain('secret_of_62 text')
  expect(second).not.toMatch(/Further tables, .*\bx61\b/)
  const notes = response.trace!.filter(({ message }) => message === 'Columns of further tables looked up')
  expect(notes.map(({ data }) => data['tables'])).toEqual([['x61', 'x62']])
})

it('a query that used a table by its name alone and failed is mended with its columns in sight', async () => {
  const { response, prompts } = await ask(
    sql('SELECT count(secrets) AS secrets FROM x61 JOIN boats ON boats.id = x61.id'),
    sql('SELECT count(secret_of_61) AS secrets FROM x61 JOIN boats ON boats.id = x61.id'),
  )
  expect(response.answer).toBe('There are 3 secrets.')
  expect(prompts[1]).toContain('secret_of_61 text')
})

it('what there is nothing to see of is told, and looking up has an end', async () => {
  const mended = await ask(
    sql('DESCRIBE ghosts'),
    sql('SELECT count(*) AS secrets FROM x61 JOIN boats ON boats.id = x61.id'),
  )
  expect(mended.response.answer).toBe('There are 3 secrets.')
  expect(mended.prompts[1]).toContain('there is nothing more to look up of that')
  const endless = await ask(...Array.from({ length: 9 }, () => sql('DESCRIBE x1')))
  expect(endless.prompts).toHaveLength(4)
  expect(endless.response.metadata.isAnswered).toBe(false)
  expect(endless.response.answer).toContain('looked up columns again and again')
})
