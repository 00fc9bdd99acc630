import { expect, it } from 'vitest'
import { stem, wordsOf } from '../../language/tokens.ts'
import { countSaid } from './count-said.ts'

const KNOWN = new Set(wordsOf('{"path":"notes.txt"}').map(stem))
const ASKED = 'tell me how many orders it names'

it.each([
  [ASKED, 'The notes of Monday name 12 orders from Lyon.'],
  [ASKED, 'Hello Ada. The notes name 12 orders. They came from 7 customers, on 3 May.', 'The notes name 12 orders.'],
  [ASKED, 'We got twelve orders.'],
  [ASKED, 'A total of 1,204 orders came in.'],
  [ASKED, 'Orders: 12\nCustomers: 7', 'Orders: 12'],
  [ASKED, '{\n  "orders": 12,\n  "customers": 7\n}', '"orders": 12,'],
  [ASKED, 'The number of orders is 12.'],
  [ASKED, 'The notes of Monday name 12\norders from Lyon.', 'The notes of Monday name 12 orders from Lyon.'],
  [ASKED, '1 order came in.'],
  [ASKED, 'On Monday, only 12 orders came in.'],
  ['How many orders are there in notes.txt?', 'There are 12 orders and 7 returns.'],
  ['how many open orders does it mention?', 'There are 12 open orders.'],
  ['what is the number of orders?', 'There are 12 orders.'],
  ['and how many orders from Lyon are there', '12 orders from Lyon. 7 orders from Paris.', '12 orders from Lyon.'],
  [
    'how many orders came on Monday',
    'On Monday, 12 orders came. On Tuesday, 9 orders came.',
    'On Monday, 12 orders came.',
  ],
  ['how many people came', '31 people came, 4 more than in May.'],
  ['how many days does it take', 'It takes 5 days.'],
  ['Read how many orders notes.txt names', 'The notes name 12 orders.'],
  ['how many orders are late', 'Of 30 orders, 12 orders are late.'],
])('says how many: %s ← %j', (clause, text, said = text) => {
  expect(countSaid(clause, text, KNOWN)).toBe(said)
})

it.each([
  ['nothing of it', ASKED, 'The notes of Monday.'],
  [
    'numbers of other things',
    ASKED,
    '12 customers placed orders. 7 boxes for orders. 12 order forms. Order 12 is late.',
  ],
  ['of the one word of two', ASKED, '12 orders books'],
  ['two numbers', ASKED, '12 orders from Lyon. 7 orders from Paris.'],
  ['the same twice, of two places', ASKED, 'Lyon: 12 orders\nParis: 12 orders'],
  ['not so', ASKED, 'The notes do not name 12 orders.'],
  ['not so', ASKED, 'These are not 12 orders.'],
  ['a range', ASKED, 'We get 10 to 12 orders.'],
  ['a range', ASKED, 'We get 10-12 orders.'],
  ['a range', ASKED, 'We get ten or twelve orders.'],
  ['a range', ASKED, 'Between 10 and 12 orders came.'],
  ['a bound', ASKED, 'At least 12 orders came.'],
  ['a bound', ASKED, 'More than 12 orders came.'],
  ['a bound', ASKED, 'We got 12+ orders.'],
  ['a bound', ASKED, 'We got 12 orders or more.'],
  ['a part', ASKED, '12 of the 40 orders are late.'],
  ['a part', ASKED, '12 late orders came.'],
  ['of another kind', 'how many open orders does it name', 'There are 12 orders.'],
  ['of another kind', 'how many open orders does it name', 'There are 12 open tickets and some orders.'],
  ['of another place', 'how many orders from Paris does it name', '12 orders from Lyon.'],
  ['of another place', 'how many orders came from Paris', '12 orders came from Lyon and some from Paris.'],
  ['of another place', 'how many orders came from Paris', 'Some came from Paris and 12 orders from Lyon.'],
  ['of another day', 'how many orders came on Tuesday', '12 orders came on Monday.'],
  ['what can be', 'how many orders can be placed', '12 orders were placed.'],
  ['what is needed', 'how many orders do we need', '12 orders came.'],
  ['what is left', 'how many orders are not from Lyon', '12 orders are from Lyon.'],
  ['more than a number', 'how many orders it names and who placed them', '12 orders'],
  ['more than a number', 'how many orders and returns it names', '12 orders and 7 returns.'],
  ['more than a number', 'how many more orders it names than in May', '12 orders'],
  ['a mean', 'how many orders it names per day', '12 orders'],
  ['a wish', ASKED, 'We expected 12 orders.'],
  ['a condition', ASKED, 'If 12 orders come, call me.'],
  ['a question', ASKED, 'Were there 12 orders?'],
  ['a place in an order', ASKED, 'The first 12 orders are free.'],
  ['a percentage', ASKED, '12% orders'],
  ['a year', ASKED, 'In 2025 orders rose.'],
  ['the number of one', ASKED, 'Order: 12'],
  ['a list of numbers', ASKED, 'Orders: 12, 15, 18'],
  ['rows of JSON', ASKED, '[{"orders": 12}, {"orders": 12}]'],
  ['an amount', ASKED, 'Orders: 12 EUR'],
  ['a compound', 'how many sales it names', '12 sales managers met.'],
  ['a compound', 'how many sales managers it names', '12 sales were made.'],
  ['no count', 'tell me who ordered', '12 orders'],
  ['how often', 'how many times it names orders', '12 times 12 orders'],
])('is not said: %s: %s ← %j', (_why, clause, text) => {
  expect(countSaid(clause, text, KNOWN)).toBeUndefined()
})
