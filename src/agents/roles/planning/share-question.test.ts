import { expect, it } from 'vitest'
import { shareQuestion } from './share-question.ts'

it.each([
  ['List the open orders over 500 and what share of all orders they are', 'List the open orders over 500', 'orders'],
  ['Show late shipments, and what percentage of all shipments are they?', 'Show late shipments', 'shipments'],
  ['List VIP customers and what proportion of all customers do they make up?', 'List VIP customers', 'customers'],
])('splits %s', (question, part, noun) => {
  expect(shareQuestion(question)).toEqual({ part, whole: `How many ${noun} are there?` })
})

it.each([
  'List the open orders',
  'What share of all orders is open?',
  'List the open orders and what share of revenue comes from them',
  'List the open orders and the closed ones',
])('leaves %s as it is', (question) => {
  expect(shareQuestion(question)).toBeUndefined()
})
