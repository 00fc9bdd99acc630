import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeAnswer } from '../agents/sql/offline/answer.ts'
import { tableFromArrays } from '../core/table.ts'
import { lookupIn, readSchema, rowsOf } from '../terms/sqlite.fixture.ts'
import { linkQuestion } from './index.ts'

/** A yard of boats: each in its own state, let out by the day, with bills that are paid later or never. */
let db: Database.Database

beforeAll(() => {
  db = new Database(':memory:')
  db.exec(
    `CREATE TABLE tblBoat (boat_id INTEGER PRIMARY KEY, nm TEXT, in_use TEXT, activeFlg INTEGER, berth TEXT, state TEXT, tow_bid INTEGER REFERENCES tblBoat(boat_id));
     CREATE TABLE trip (trip_id INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES tblBoat(boat_id), trip_dt DATE, miles REAL, aborted TEXT);
     CREATE TABLE treatment (treatment_id INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES tblBoat(boat_id), hours REAL);
     CREATE TABLE haul (hid INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES tblBoat(boat_id), hauled_on DATE, landed_on DATE, carrier TEXT, mins INTEGER);
     CREATE TABLE bill (bill_id INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES tblBoat(boat_id), sent_on DATE, paid_on DATE, amount REAL);
     INSERT INTO tblBoat VALUES (1, 'Auk', 'yes', 1, 'none', 'sunk', NULL), (2, 'Coot', 'no', 1, 'B4', 'moored', 1), (3, 'Gull', 'yes', 0, 'C1', 'lost', NULL), (4, 'Tern', 'no', 0, NULL, 'moored', NULL);
     INSERT INTO trip VALUES (1, 1, '2024-02-01', 10, 'Y'), (2, 1, '2025-03-01', 20, 'Y'), (3, 2, '2025-05-01', 60, 'N'), (4, 2, '2025-06-01', 30, 'Y'), (5, 3, '2025-07-01', 40, 'N');
     INSERT INTO haul VALUES (1, 2, '2025-01-01', '2025-01-03', 'Ox', 5), (2, 3, '2025-01-01', '2025-01-05', 'Ox', 9), (3, 3, '2024-12-30', '2025-01-01', 'Elk', 9);
     INSERT INTO treatment VALUES (1, 2, 3), (2, 2, 4), (3, 3, 5);
     INSERT INTO bill VALUES (1, 2, '2025-01-05', '2026-01-02', 100), (2, 2, '2025-02-05', NULL, 200), (3, 3, '2024-11-05', '2025-01-02', 400);`,
  )
})

afterAll(() => db.close())

const ask = (question: string) =>
  linkQuestion(question, readSchema(db, 'yard'), { lookup: lookupIn(db), today: '2026-11-22' })

it.each<[string, unknown]>([
  // What a main verb says is said of what is asked for.
  ['How many boats without a treatment are active?', 1],
  ['How many boats without a treatment are not active?', 1],
  ['How many boats without a trip are moored?', 1],
  ['How many trips of active boats were aborted?', 3],
  ['How many trips of boats that are not in use were not aborted?', 1],
  // A participle before its noun says what the rows are, and the time is another's.
  ['How many paid bills were sent in 2025?', 1],
  ['What is the total amount of paid bills sent in 2025?', 100],
  ['How many unpaid bills were sent in 2025?', 1],
  // A state with a time goes by the one date of what happens on a day.
  ['How many trips were aborted in 2025?', 2],
  ['How many aborted trips were there in 2025?', 2],
  // A stored word for none is none.
  ['How many boats have a berth?', 2],
  ['How many boats have no berth?', 2],
  // Nothing adds up to zero.
  ['What is the total amount of bills of boats with no trips?', 0],
  // Each row has one: the average is that of all.
  ['What is the average miles per trip?', 32],
  ['What is the average miles per trip of boats in use?', 23.333],
  ['Which boat had the most aborted trips?', 'Auk'],
  ['How many boats have at least 2 aborted trips?', 1],
  ['How many boats are sunk or lost?', 2],
  ['How many boats are neither sunk nor lost?', 2],
  ['How many boats have neither trips nor bills?', 1],
  ['How many boats have trips but no bills?', 1],
  ['What is the total miles of trips without aborted ones?', 100],
  ['How many treated boats are there?', 2],
  ['How many boats were never treated?', 2],
])('reads “%s”', async (question, expected) => {
  const linked = await ask(question)
  if (linked.kind !== 'query') throw new Error(linked.kind === 'refusal' ? linked.reason : 'no query')
  const [row] = rowsOf(db, linked.sql)
  const [found] = row ?? []
  expect(typeof found === 'number' ? Math.round(found * 1000) / 1000 : found).toBe(expected)
})

it.each([
  ['How many boats have no berth?', 'tblBoat.berth counts as none where it is “none” or empty'],
  ['How many trips were aborted in 2025?', 'the time of what was “aborted” is trip.trip_dt'],
  ['How many boats were never treated?', '“treated” is read as having treatments'],
])('says what “%s” took for granted', async (question, assumption) => {
  expect(await ask(question)).toMatchObject({ assumptions: expect.arrayContaining([assumption]) })
})

it.each([
  [
    'Average landing time in days per carrier',
    [
      ['Ox', 3],
      ['Elk', 2],
    ],
  ],
  ['What is the average landing time in 2025?', [[3]]],
  // Of several dates the one that tells of the thing itself.
  ['How many hauls were there in 2024?', [[1]]],
])('reads a time of an event: “%s”', async (question, expected) => {
  const linked = await ask(question)
  expect(linked.kind === 'query' ? rowsOf(db, linked.sql) : linked).toEqual(expected)
})

it('does not take a time the other way round', async () => {
  expect(await ask('Average hauling time')).toMatchObject({ kind: 'refusal' })
})

const SUBJECTS = [
  'boats',
  'trips',
  'bills',
  'hauls',
  'trips of active boats',
  'bills of boats not in use',
  'trips of Auk',
  'active boats',
  'aborted trips',
  'unpaid bills',
]
const SAID_OF = [
  '',
  ' in 2025',
  ' last year',
  ' in the last 3 months',
  ' aborted in 2025',
  ' hauled in 2025',
  ' with trips in 2025',
  ' of boats that are not in use',
  ' that were not aborted',
  ' with bills sent in 2025',
]
/** The name of a column, what is said twice, an adjective of several words before its noun, a table on the way, and “and” before a time. */
const UGLY =
  /\b(?:hid|trip_|boat_|mins|not in use boats|not \w+ (?:boats|trips|bills|hauls)\b|and in (?:the|\d)|trips? tripp|with hauls? hauled|with boats (?:and|in|for)|and with boats|with (?:boats|trips)[.,]|undefined|  )/

it('says every condition in a sentence that reads as English', async () => {
  const said: string[] = []
  for (const lead of [
    'How many * are there?',
    'Which *?',
    'What is the total amount of *?',
    'What is the longest of *?',
  ])
    for (const subject of SUBJECTS)
      for (const tail of SAID_OF) {
        const linked = await ask(lead.replace('*', subject + tail))
        if (linked.kind !== 'query') continue
        const rows = rowsOf(db, linked.sql) as (string | number | null)[][]
        const table = tableFromArrays(
          linked.columns.map((c) => c.name),
          rows,
        )
        said.push(describeAnswer({ ...linked, assumptions: [] }, table))
      }
  expect(said.length).toBeGreaterThan(60)
  expect(said.filter((sentence) => UGLY.test(sentence))).toEqual([])
})

it.each([
  ['Which boats are not in use?', /^2 boats not in use: Coot/],
  ['What is the total amount of bills of boats with no trips?', / is 0(?:\.00)?\./],
  ['How many boats had trips in 2025?', /^The number of boats with trips in 2025 is 3\./],
  ['What is the average miles per boat?', /^Average miles of the single trips by boat: /],
])('answers “%s” in a true sentence', async (question, sentence) => {
  const linked = await ask(question)
  if (linked.kind !== 'query') throw new Error('no query')
  const rows = rowsOf(db, linked.sql) as (string | number | null)[][]
  expect(
    describeAnswer(
      linked,
      tableFromArrays(
        linked.columns.map((c) => c.name),
        rows,
      ),
    ),
  ).toMatch(sentence)
})
