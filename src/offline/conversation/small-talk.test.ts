import Database from 'libsql'
import { expect, it } from 'vitest'
import { readSchema } from '../../../test/support/sqlite.ts'
import { replyToSmallTalk, type Connected } from './small-talk.ts'

const database = new Database(':memory:')
database.exec(`CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id),
    ordered_on DATE, total NUMERIC(10,2))`)

const NOTHING: Connected = { databases: [], documents: [], apis: [], mailboxes: [], agents: [], today: '2026-11-28' }
const SHOP: Connected = {
  ...NOTHING,
  databases: [{ name: 'shop', schema: readSchema(database, 'shop') }],
  documents: [{ name: 'returns.pdf', topics: ['1. Purpose', '3. How to ask', '6. Damaged goods'] }],
  apis: ['weather'],
  mailboxes: ['lars@shop.example'],
}

const say = (question: string, about: Connected = SHOP) => replyToSmallTalk(question, async () => about)

it.each([
  ['Hi', /^Hello!/],
  ['Good morning, Tutti!', /^Hello!/],
  ['Thank you very much.', /^You’re welcome\.$/],
  ['What can you do?', /^Without a language model/],
  ['What data do you have?', /^This is connected:\n- Database shop: customers, orders\n- Documents: returns\.pdf/],
])('“%s” has a reply', async (question, reply) => {
  expect(await say(question)).toMatch(reply)
})

it.each([
  'Hi, how many customers are there?',
  'What data do you have on returns?',
  'Thanks to whom did sales rise?',
  'And last year?',
  'Which tables are there in the contract?',
  'Delete all orders',
])('“%s” is not small talk', (question) => {
  expect(say(question)).toBeUndefined()
})

it('suggests up to four questions for the schema and the documents', async () => {
  const [, examples] = (await say('Hi'))!.split('For example:\n')
  expect(examples!.split('\n')).toEqual([
    '- How many orders are there?',
    '- What do the documents say about damaged goods?',
    '- What is the total of orders per month?',
    '- Which five customers have the most orders?',
  ])
})

it('prefers questions that are known to work', async () => {
  const known = { ...SHOP, databases: [{ name: 'shop', questions: ['What is our turnover?'] }], documents: [] }
  expect(await say('Hi', known)).toMatch(/For example:\n- What is our turnover\?$/)
})

it('explains what to do when nothing is connected', async () => {
  expect(await say('What can you do?', NOTHING)).toContain('Nothing is connected yet.')
})
