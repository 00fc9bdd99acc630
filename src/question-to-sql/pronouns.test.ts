import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkQuestion } from './index.ts'
import { lookupIn, readSchema } from '../terms/sqlite.fixture.ts'

const PRONOUNS = ['he', 'she', 'him', 'her', 'his', 'hers', 'they', 'them', 'their', 'theirs', 'it', 'its'] as const
/** A shop in which a track, an artist and a person are called like each of them. */
const SHOP = `
CREATE TABLE artists (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE tracks (id INTEGER PRIMARY KEY, name TEXT, composer TEXT, artist_id INTEGER REFERENCES artists (id));
CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, city TEXT);
CREATE TABLE invoices (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), track_id INTEGER REFERENCES tracks (id));
${PRONOUNS.map((word, i) => {
  const name = word.slice(0, 1).toUpperCase() + word.slice(1)
  return `INSERT INTO artists VALUES (${i}, '${name}'); INSERT INTO tracks VALUES (${i}, '${name}', '${name}', ${i});
INSERT INTO customers VALUES (${i}, '${name}', 'Have', '${name}'); INSERT INTO invoices VALUES (${i}, ${i}, ${i});`
}).join('\n')}`

const QUESTIONS = [
  'How many invoices does X have?',
  'How many invoices do X have?',
  'how many tracks are by X',
  'How many invoices did X buy in total?',
  'List the invoices of X',
  'Which tracks did customers buy from X?',
  'How many tracks does X have, and how many invoices?',
  'What is the number of X invoices?',
  'customers in X',
] as const

describe('a pronoun', () => {
  const db = new Database(':memory:')
  beforeAll(() => void db.exec(SHOP))
  afterAll(() => void db.close())

  const sqlOf = async (question: string): Promise<string> => {
    const linked = await linkQuestion(question, readSchema(db, 'shop'), { today: '2026-11-23', lookup: lookupIn(db) })
    return linked.kind === 'query' ? linked.sql : ''
  }

  const cased = PRONOUNS.flatMap((word) => [word, word.slice(0, 1).toUpperCase() + word.slice(1)])
  it.each(cased)('is no value of the data: %s', async (word) => {
    for (const question of QUESTIONS) {
      const sql = await sqlOf(question.replace('X', word))
      expect(sql, question).not.toMatch(new RegExp(`'${word}'`, 'i'))
    }
  })

  it('is one in quotes', async () => {
    expect(await sqlOf('How many invoices are there for the artist "She"?')).toContain("'She'")
  })
})
