import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { linkQuestion } from '../../../src/question-to-sql/index.ts'
import { lookupIn, readSchema, rowsOf } from '../../../src/terms/sqlite.fixture.ts'
import { draftTerms, type Sample } from '../../../src/terms/draft.ts'
import { NO_TERMS, type Terms } from '../../../src/terms/terms.ts'
import { CLINIC } from './clinic.ts'
import { LETTING } from './letting.ts'
import { LIBRARY } from './library.ts'
import { PROJECTS } from './projects.ts'
import type { Unseen } from './unseen.ts'

/** What `tutti db describe` writes, uncorrected. */
async function described(db: Database.Database, name: string): Promise<Terms> {
  const few = lookupIn(db).few
  const sample: Sample = async (table, column) => few?.(table, column, 12)
  return { ...NO_TERMS, ...(await draftTerms(readSchema(db, name), sample)) }
}

function open({ sql }: Unseen): Database.Database {
  const db = new Database(':memory:')
  db.exec(sql)
  return db
}

describe.each([CLINIC, LETTING, LIBRARY, PROJECTS])('$name, with the terms that are written from it', (unseen) => {
  it('is answered right or declined, never wrong', { timeout: 120_000 }, async () => {
    const db = open(unseen)
    const terms = await described(db, unseen.name)
    const options = { lookup: lookupIn(db), today: '2026-06-01', terms }
    const wrong: string[] = []
    let right = 0
    for (const [question, reference] of unseen.questions) {
      const linked = await linkQuestion(question, readSchema(db, unseen.name), options)
      if (linked.kind === 'refusal') {
        if (reference === undefined) right++
        continue
      }
      const expected = reference === undefined ? undefined : rowsOf(db, reference)
      const actual = linked.kind === 'query' ? rowsOf(db, linked.sql) : []
      const isIn = (row: readonly unknown[]): boolean =>
        actual.some((own) => row.every((cell) => own.some((o) => same(o, cell))))
      if (expected !== undefined && expected.length === actual.length && expected.every(isIn)) right++
      else wrong.push(`${question}: ${JSON.stringify(actual)}`)
    }
    expect(wrong).toEqual([])
    // Which of them are answered is no promise; that so many are is.
    expect(right / unseen.questions.length).toBeGreaterThanOrEqual(0.75)
    db.close()
  })
})

function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof b === 'number' && Math.abs(Number(a) - b) < 0.01)
}

/** What must be declined, with what the reason must name; and what must be said of an answer. */
const DECLINED: readonly (readonly [Unseen, string, RegExp])[] = [
  [CLINIC, 'Which pets are species?', /are species/],
  [CLINIC, 'How many bills were reminded in March 2026?', /no date that says when that was “reminded”/],
  [CLINIC, 'What is the average salary of vets?', /do not understand “salary”/],
  [CLINIC, 'Who has the heaviest pet?', /who is meant by “who”/],
  [CLINIC, 'visits with a fee over 100 dollars', /fee_eur is in EUR/],
  [CLINIC, 'average fee per minute', /per minute/],
  [CLINIC, 'share of neutered pets in Ulm by species', /what the share is of/],
  [CLINIC, 'what is my name?', /does not tell who asks/],
  [PROJECTS, 'who is my boss', /does not tell who asks/],
  [LETTING, 'How many unpaid tenants are there?', /“unpaid” is not known of tenants: it is a column of rent dues/],
  [PROJECTS, 'How many unapproved staff are there?', /“unapproved” is not known of staff/],
]

const SAID: readonly (readonly [Unseen, string, string])[] = [
  [CLINIC, 'vets on leave', 'WHERE vets.on_leave = 1'],
  [CLINIC, 'vets not on leave', 'WHERE vets.on_leave = 0'],
  [CLINIC, 'bills paid in February', "WHERE bills.paid_on >= '2026-02-01' AND bills.paid_on < '2026-03-01'"],
  [CLINIC, 'Which owners have phones?', "WHERE owners.phone <> ''"],
  [CLINIC, 'visits longer than 1 hour', 'WHERE visits.length_min > 60'],
  [CLINIC, 'pets heavier than 10 kg', 'WHERE pets.weight_kg > 10'],
  [CLINIC, 'Share of each vet among the surgery visits', "WHERE visits.kind = 'surgery'"],
  [CLINIC, 'Share of surgery visits by vet', "CASE WHEN visits.kind = 'surgery' THEN 1 END"],
  [CLINIC, 'number of pets by neutered', 'GROUP BY pets.neutered'],
  [CLINIC, 'total refills', 'SUM(prescriptions.refills)'],
]

describe('what a question says', () => {
  it.each(DECLINED)('$0.name: $1 is declined by name', async (unseen, question, reason) => {
    const db = open(unseen)
    const linked = await linkQuestion(question, readSchema(db, unseen.name), {
      lookup: lookupIn(db),
      today: '2026-06-01',
    })
    expect(linked).toMatchObject({ kind: 'refusal', reason: expect.stringMatching(reason) })
  })

  it.each(SAID)('$0.name: $1 is in the query', async (unseen, question, sql) => {
    const db = open(unseen)
    const linked = await linkQuestion(question, readSchema(db, unseen.name), {
      lookup: lookupIn(db),
      today: '2026-06-01',
    })
    expect(linked).toMatchObject({ kind: 'query', sql: expect.stringContaining(sql) })
  })
})
