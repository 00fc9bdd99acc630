import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { createReader, createTestDatabase } from '../support/postgres.ts'

/** Numbers that a double cannot hold are exact in sentences, tables and filters. */

const QUESTIONS: readonly (readonly [question: string, said: string])[] = [
  ['What is the id of Ada Sorensen?', '1118748237849833472'],
  ['How many users have an id above 1118748237849833472?', '2'],
  ['How many users have an id of at most 1118748237849833473?', '2'],
  ['How many users have an id of at least 1118748237849833473?', '2'],
]

const adminUrl = inject('postgresUrl')

describe.skipIf(adminUrl === '')('PostgreSQL (needs a local installation)', () => {
  let app: App
  beforeAll(async () => {
    const url = await createTestDatabase(adminUrl)
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      CREATE TABLE users (id bigint PRIMARY KEY, name text, tags text[], profile jsonb, balance numeric(30,10));
      INSERT INTO users VALUES
        (1118748237849833472, 'Ada Sorensen', ARRAY['beta'], '{"plan":"gold"}', 12345678901234567.8901234567),
        (1118748237849833473, 'Bo Tamura', ARRAY['beta'], '{"plan":"free"}', 0.1),
        (1118748237849833474, 'Cy Delgado', '{}', '{"plan":"gold"}', null)`)
    await client.end()
    app = await openConfiguredApp({ env: {}, inMemory: true, databases: [{ url: await createReader(url) }] })
  })
  afterAll(() => app.close())

  it.each<(typeof QUESTIONS)[number]>([
    ...QUESTIONS,
    ['What is the balance of Ada Sorensen?', '12,345,678,901,234,567.89'],
    ['What is the total balance?', '12,345,678,901,234,567.99'],
    ['How many users have a balance above 12345678901234567.8901234566?', '1'],
    ['How many users have a balance above 12345678901234567.8901234567?', '0'],
    ['Show the profile of Ada Sorensen', '{"plan":"gold"}'],
  ])('%s', async (question, said) => {
    expect((await app.ask(question)).answer).toMatch(wordsOf(said))
  })

  it('keeps every digit of the table', async () => {
    const { data } = await app.ask('What is the balance of Ada Sorensen?')
    expect(data?.rows).toEqual([{ user: 'Ada Sorensen', balance: '12345678901234567.8901234567' }])
  })
})

describe('an API', () => {
  let app: App
  let folder: string
  let server: Server
  const requests: { url: string; body: string }[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (piece: Buffer) => (body += piece.toString()))
      request.on('end', () => {
        requests.push({ url: request.url ?? '', body })
        response.setHeader('content-type', 'application/json')
        response.end('[{"id":9007199254740993,"name":"Nordlys","amount":12345678901234567.89}]')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    folder = await mkdtemp(join(tmpdir(), 'tutti-exact-'))
    const file = join(folder, 'openapi.json')
    const answers = { 200: { description: 'ok' } }
    const minimum = { name: 'min_amount', in: 'query', schema: { type: 'integer' } }
    const document = {
      openapi: '3.0.3',
      info: { title: 'Big', version: '1' },
      servers: [{ url: `http://${host}` }],
      paths: {
        '/accounts': {
          get: { operationId: 'listAccounts', summary: 'List accounts', parameters: [minimum], responses: answers },
        },
      },
    }
    await writeFile(file, JSON.stringify(document))
    app = await openConfiguredApp({ env: {}, inMemory: true, apis: [{ catalogue: file }], allowHosts: [host] })
  })
  afterAll(async () => {
    await app.close()
    server.close()
    await rm(folder, { recursive: true })
  })

  it('keeps the numbers of its JSON', async () => {
    const { data } = await app.ask('List the accounts')
    expect(data?.rows).toEqual([{ id: '9007199254740993', name: 'Nordlys', amount: '12345678901234567.89' }])
  })

  it('receives the numbers of the question', async () => {
    await app.ask('List accounts with min_amount=9007199254740994')
    expect(requests.at(-1)?.url).toBe('/accounts?min_amount=9007199254740994')
  })
})

it('a calculation adds them up exactly', async () => {
  const app = await openConfiguredApp({ env: {}, inMemory: true })
  const { answer } = await app.ask('Calculate 12345678901234567.89 + 0.1')
  await app.close()
  expect(answer).toMatch(wordsOf('12,345,678,901,234,567.99'))
})

/** The number or text, but not within a longer number. */
function wordsOf(said: string): RegExp {
  return new RegExp(`(?<![\\d,.])${said.replace(/[.{}]/g, String.raw`\$&`)}(?![\\d,]|\\.\\d)`)
}
