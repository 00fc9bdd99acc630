import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linkQuestion, type LinkedQuery } from './index.ts'
import { lookupIn, readSchema, rowsOf } from '../terms/sqlite.fixture.ts'

/** Every pair of what a number can be, with one clinic each. */
const VALUES = [null, 0, 1, 2.5, 40]
let db: Database.Database

beforeAll(() => {
  db = new Database(':memory:')
  db.exec(
    'CREATE TABLE clinics (clinic_id INTEGER PRIMARY KEY, name TEXT, beds INTEGER, budget REAL, motto TEXT);' +
      'CREATE TABLE doctors (doctor_id INTEGER PRIMARY KEY, full_name TEXT, clinic_id INTEGER REFERENCES clinics);',
  )
  const insert = db.prepare('INSERT INTO clinics (name, beds, budget, motto) VALUES (?, ?, ?, ?)')
  for (const beds of VALUES)
    for (const budget of VALUES) insert.run([`Clinic ${beds}/${budget}`, beds, budget, beds === null ? '' : 'Care'])
})

afterAll(() => db.close())

async function ask(question: string): Promise<LinkedQuery> {
  const linked = await linkQuestion(question, readSchema(db, 'clinic'), { lookup: lookupIn(db), today: '2026-11-22' })
  if (linked.kind !== 'query') throw new Error(`No query: ${question}`)
  return linked
}

it.each([
  ['How many clinics have no beds?', 'beds IS NULL OR beds = 0'],
  ['How many clinics without a budget are there?', 'budget IS NULL OR budget = 0'],
  ['How many clinics do not have any beds?', 'beds IS NULL OR beds = 0'],
  ['How many clinics have a budget?', 'budget <> 0'],
  ['Which clinics have no beds?', 'beds IS NULL OR beds = 0'],
])('a number that is 0 is none: %s', async (question, where) => {
  const { sql, assumptions } = await ask(question)
  const names = rowsOf(db, `SELECT name FROM clinics WHERE ${where}`).flat()
  const rows = rowsOf(db, sql)
  const isList = question.startsWith('Which')
  expect(isList ? rows.map(([name]) => name).toSorted() : rows).toEqual(isList ? names.toSorted() : [[names.length]])
  expect(assumptions).toEqual([expect.stringMatching(/clinics\.(beds|budget) counts as none where it is 0 or empty/)])
})

it.each([
  ['How many clinics are there whose beds is null?', 'beds IS NULL'],
  ['How many clinics have no motto?', "motto IS NULL OR motto = ''"],
])('what is not filled in is told from what is 0: %s', async (question, where) => {
  const { sql, assumptions } = await ask(question)
  expect(rowsOf(db, sql)).toEqual(rowsOf(db, `SELECT COUNT(*) FROM clinics WHERE ${where}`))
  expect(assumptions).toEqual([])
})
