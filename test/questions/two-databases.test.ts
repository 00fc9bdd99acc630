import Database from 'libsql'
import { afterAll, describe, expect, it } from 'vitest'
import { bestReading } from '../../src/agents/sql/offline/best-reading.ts'
import { linkQuestion } from '../../src/question-to-sql/index.ts'
import { lookupIn, readSchema } from '../../src/terms/sqlite.fixture.ts'
import { NO_TERMS } from '../../src/terms/terms.ts'
import { sample } from '../support/length.ts'
import { DOMAINS, STYLES } from './naming.ts'
import { questionsOf } from './questions.ts'
import { world } from './world.ts'

/**
 * What is asked of one of two random databases, with both connected: the answer is that of this one, or it is said that this one
 * could be asked as well, or there is none.
 */

const today = '2026-01-15'
const opened: Database.Database[] = []

function open(seed: number) {
  const w = world(seed)
  const db = new Database(':memory:')
  opened.push(db)
  for (const statement of w.script) db.exec(statement)
  const schema = readSchema(db, `world ${seed}`)
  const lookup = lookupIn(db)
  const read = async (question: string) => {
    return { schema, terms: NO_TERMS, linked: await linkQuestion(question, schema, { lookup, today }) }
  }
  return { w, db, read, name: schema.name }
}

afterAll(() => opened.forEach((db) => db.close()))

/** Each business beside each, in habits of naming that go round. */
const PAIRS = DOMAINS.flatMap((_, one) =>
  DOMAINS.map((_other, other) => {
    const habit = (at: number): number => DOMAINS.length * ((one * 3 + other + at) % STYLES.length)
    return [one + habit(0), other + habit(1)] as const
  }),
)

describe('questions of one database, asked where two are connected', () => {
  it('are answered from it, or told, or declined', { timeout: 300_000 }, async () => {
    const wrong: string[] = []
    // Of businesses that have nothing in common but how they may be spoken of.
    let [alone, right, silent] = [0, 0, 0]
    for (const [own, beside] of sample(PAIRS, 5)) {
      const [a, b] = [open(own), open(beside)]
      const isStrange = own % DOMAINS.length !== beside % DOMAINS.length
      for (const { question, sql } of sample(questionsOf(a.w), 4)) {
        if (sql === undefined) continue
        const read = await a.read(question)
        const { reading, linked, also } = bestReading(question, today, [await b.read(question), read])!
        const isOwn = reading.schema.name === a.name
        if (isStrange && read.linked.kind === 'query') alone++
        if (linked.kind !== 'query') continue
        if (!isOwn && !also.has(a.name)) wrong.push(`${a.name} | ${b.name}: ${question}\n${linked.sql}`)
        if (isStrange && isOwn) right++
        if (isStrange && isOwn && also.size === 0) silent++
      }
    }
    expect(wrong).toEqual([])
    expect(right / alone).toBeGreaterThan(0.95)
    expect(silent / right).toBeGreaterThan(0.8)
  })
})

describe('a database that has the words by other names alone', () => {
  const open = (name: string, script: string) => {
    const db = new Database(':memory:')
    opened.push(db)
    db.exec(script)
    const schema = readSchema(db, name)
    return async (question: string) => {
      return { schema, terms: NO_TERMS, linked: await linkQuestion(question, schema, { lookup: lookupIn(db), today }) }
    }
  }
  const books = open(
    'books',
    "CREATE TABLE purchase (purchase_id INTEGER PRIMARY KEY, place TEXT); INSERT INTO purchase VALUES (1, 'Oslo')",
  )
  const shop = open('shop', 'CREATE TABLE "order" (order_id INTEGER PRIMARY KEY, placed DATE)')
  const ask = async (question: string) =>
    bestReading(question, today, await Promise.all([books(question), shop(question)]))!

  it.each(['How many orders are there?', 'List the orders'])('is not asked: %s', async (question) => {
    expect(await ask(question)).toMatchObject({ reading: { schema: { name: 'shop' } }, linked: { kind: 'query' } })
  })

  it('does not answer for the one that has them, and is named', async () => {
    const question = 'How many orders are in Oslo?'
    expect((await books(question)).linked.kind).toBe('query')
    const { linked } = await ask(question)
    const reason = linked.kind === 'refusal' ? linked.reason : ''
    expect(reason).toMatch(/“Oslo”.* That is of the database “shop”.* to ask books, name it\.$/s)
  })

  it('is named where it does not know a word either', async () => {
    const { linked } = await ask('How many flamingos are there?')
    const reason = linked.kind === 'refusal' ? linked.reason : ''
    expect(reason).toMatch(/^I do not understand “flamingos”.* Nor is it known in “(?:shop|books)”\.$/s)
  })
})
