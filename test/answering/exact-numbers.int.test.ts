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
