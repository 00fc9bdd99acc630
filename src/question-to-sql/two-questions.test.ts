import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemoDatabase } from '../demo/database.ts'
import { linkQuestion } from './index.ts'
import { lookupIn, readSchema } from '../terms/sqlite.fixture.ts'

let folder: string
let db: Database.Database

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-two-'))
  await createDemoDatabase(join(folder, 'brindlemoor.sqlite'))
  db = new Database(join(folder, 'brindlemoor.sqlite'), { readonly: true })
})

afterAll(async () => {
  db.close()
  await rm(folder, { recursive: true })
})

/** Each is answered by one table, and none of them holds what is asked behind it. */
const FIRST = [
  'How many customers are there',
  'How many customers are there per country',
  'What is the total revenue',
  'Revenue by month in 2025',
  'List the customers',
  'Which country has the most customers',
]
const JOINT = [' and ', ', ', ' and also ']
const SECOND = [
  'who are the employees',
  'what products are there',
  'which products are discontinued',
  'the names of suppliers',
  'list the suppliers',
  'show me the employees',
  'give me the names of the suppliers',
]

it('of two questions, none is answered for both', async () => {
  const schema = readSchema(db, 'brindlemoor')
  const options = { lookup: lookupIn(db), today: '2026-10-31' }
  const answered: string[] = []
  for (const first of FIRST)
    for (const joint of JOINT)
      for (const second of SECOND) {
        const question = `${first}${joint}${second}?`
        const linked = await linkQuestion(question, schema, options)
        if (linked.kind !== 'refusal') answered.push(question)
      }
  expect(answered).toEqual([])
}, 120_000)

it('a second sentence is no condition of the first', async () => {
  const options = { lookup: lookupIn(db), today: '2026-10-31' }
  for (const second of ['And in France?', 'What about France?', 'or in Italy?']) {
    const question = `How many customers are in Germany? ${second}`
    const linked = await linkQuestion(question, readSchema(db, 'brindlemoor'), options)
    expect(linked).toMatchObject({ kind: 'refusal', reason: expect.stringContaining('two questions') })
  }
})
