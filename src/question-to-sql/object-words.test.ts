import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linkQuestion } from './index.ts'
import { lookupIn, readSchema, rowsOf } from '../terms/sqlite.fixture.ts'

let db: Database.Database

beforeAll(() => {
  db = new Database(':memory:')
  db.exec(
    'CREATE TABLE constructors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);' +
      'CREATE TABLE races (id INTEGER PRIMARY KEY, name TEXT, constructor_id INTEGER REFERENCES constructors (id), prize INTEGER);' +
      "INSERT INTO constructors VALUES (1, 'Ferra'), (2, 'Macla'), (3, 'Wil');" +
      "INSERT INTO races VALUES (1, 'Ulm', 1, 30), (2, 'Graz', 1, 20), (3, 'Bern', 2, 30), (4, 'Nancy', 3, 30);",
  )
})

afterAll(() => db.close())

async function ask(question: string) {
  const linked = await linkQuestion(question, readSchema(db, 'racing'), { lookup: lookupIn(db), today: '2026-11-22' })
  if (linked.kind !== 'query') throw new Error(`No query: ${question}`)
  return rowsOf(db, linked.sql)
}

it.each([
  ['Which constructor has the most races?', [['Ferra', 2]]],
  ['How many constructor names are there?', [[3]]],
  [
    'races per constructor',
    [
      ['Ferra', 2],
      ['Macla', 1],
      ['Wil', 1],
    ],
  ],
])('a word that every object of JavaScript knows is a word: %s', async (question, rows) => {
  expect(await ask(question)).toEqual(rows)
})

it('rows that equal the last of those asked for are listed, however the order was asked for', async () => {
  for (const question of ['list 2 races sorted by prize descending', 'the 2 races with the highest prize'])
    expect((await ask(question)).map(([race]) => race)).toEqual(['Bern', 'Nancy', 'Ulm'])
})
