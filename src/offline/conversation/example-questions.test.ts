import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemoDatabase } from '../../app/demo-data.ts'
import { lookupIn, readSchema, rowsOf } from '../../../test/support/sqlite.ts'
import { linkQuestion } from '../sql/index.ts'
import { exampleQuestions } from './example-questions.ts'

const today = '2026-11-24'
const SCHEMAS = {
  clinic: `CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, full_name TEXT, birth_date DATE);
    CREATE TABLE wards (ward_id INTEGER PRIMARY KEY, ward_name TEXT);
    CREATE TABLE admissions (admission_id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients(patient_id),
      ward_id INTEGER REFERENCES wards(ward_id), admitted_on DATE, discharged_on DATE, cost NUMERIC(8,2))`,
  shortened: `CREATE TABLE tbl_cust (id INTEGER PRIMARY KEY, nm TEXT);
    CREATE TABLE tbl_inv (id INTEGER PRIMARY KEY, cust_id INTEGER REFERENCES tbl_cust(id), inv_dt TIMESTAMP, amt NUMERIC(10,2))`,
  german: `CREATE TABLE kunden (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE bestellungen (id INTEGER PRIMARY KEY, kunde_id INTEGER REFERENCES kunden(id), datum DATE, betrag NUMERIC(10,2))`,
  fleet: 'CREATE TABLE vehicles (vehicle_id int PRIMARY KEY, plate text NOT NULL, mileage int NOT NULL)',
  junction: `CREATE TABLE a_b (a INTEGER REFERENCES x(id), b INTEGER REFERENCES y(id), PRIMARY KEY (a, b));
    CREATE TABLE x (id INTEGER PRIMARY KEY); CREATE TABLE y (id INTEGER PRIMARY KEY)`,
  bare: 'CREATE TABLE a (x)',
  strange: `CREATE TABLE "Order Details" (id INTEGER PRIMARY KEY, "Order ID" INTEGER, qty INT);
    CREATE TABLE "group" (id INTEGER PRIMARY KEY, name TEXT)`,
  none: '',
}

let folder: string
const databases = new Map<string, Database.Database>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-suggest-'))
  const demo = join(folder, 'demo.db')
  await createDemoDatabase(demo)
  databases.set('demo', new Database(demo, { readonly: true }))
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const database = new Database(':memory:')
    database.exec(schema)
    databases.set(name, database)
  }
})
afterAll(async () => {
  for (const database of databases.values()) database.close()
  await rm(folder, { recursive: true, force: true })
})

const suggested = async (name: string, asked = '') => {
  const { related, others } = await exampleQuestions(asked, readSchema(databases.get(name)!, name), { today })
  return asked === '' ? others : related
}

it('every suggestion is understood, runs, and occurs once', async () => {
  for (const [name, database] of databases) {
    const schema = readSchema(database, name)
    const questions = await suggested(name)
    expect(new Set(questions).size, name).toBe(questions.length)
    for (const question of questions) {
      const linked = await linkQuestion(question, schema, { today, lookup: lookupIn(database) })
      if (linked.kind !== 'query') throw new Error(`${name}: ${question}`)
      // Only the demo's tables hold anything.
      expect(rowsOf(database, linked.sql).length, `${name}: ${question}`).toBeGreaterThanOrEqual(
        name === 'demo' ? 1 : 0,
      )
    }
  }
})

it('is about events, in the words of the tables', async () => {
  expect(await suggested('shortened')).toEqual([
    'How many invoices are there?',
    'What is the total amount of invoices per month?',
    'Which five customers have the most invoices?',
  ])
  expect(await suggested('german')).toEqual([
    'How many bestellungen are there?',
    'Which five kunden have the most bestellungen?',
  ])
  // Two dates: which one a month refers to is ambiguous, and a birth date gives no series by month.
  expect(await suggested('clinic')).toEqual([
    'How many admissions are there?',
    'Which five wards have the most admissions?',
  ])
  expect(await suggested('fleet')).toEqual(['How many vehicles are there?'])
  expect(await suggested('none')).toEqual([])
})

it('suggests questions about the table that a question names', async () => {
  expect((await suggested('demo', 'Which payments smell of rain?'))[0]).toBe('How many payments are there?')
})

it('an empty table is not suggested, if that is known', async () => {
  const schema = readSchema(databases.get('fleet')!, 'fleet')
  const empty = { ...schema, tables: schema.tables.map((table) => ({ ...table, approximateRows: 0 })) }
  expect(await exampleQuestions('', empty, { today })).toEqual({ related: [], others: [] })
})
