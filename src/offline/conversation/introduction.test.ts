import { expect, it } from 'vitest'
import { isStatement, withoutIntroduction } from './introduction.ts'

it.each([
  ['I am Vinay, I work at Google. How many customers are there?', 'How many customers are there?'],
  ['Hello! My name is Ada. List the open orders. Keep answers short.', 'List the open orders.'],
  ['How many orders came in? Please answer in German.', 'How many orders came in?'],
  ['I’m an accountant. What is the revenue of May?', 'What is the revenue of May?'],
])('removes the self-introduction from "%s"', (question, asked) => {
  expect(withoutIntroduction(question)).toBe(asked)
})

it.each([
  'I am Vinay and I work at Google.',
  'I am looking for the orders of March. Show the five largest.',
  'How many customers are there?',
  'I’m not sure: did orders rise? Compare May and June.',
])('leaves "%s" unchanged', (question) => {
  expect(withoutIntroduction(question)).toBe(question)
})

it.each([
  ['My name is Anna', true],
  ['Hi, I’m Omar. I work at Acme.', true],
  ['Hello! I am Vinay and I work at Google.', true],
  ['My name is Ada and I am in charge of Germany. Always answer briefly.', true],
  ['Please call me Ada. Answer briefly, please.', true],
  ['My name is Ada. Please always reply in German.', true],
  ['Remember that my customers are those in Germany.', true],
  ['Please remember: cancelled orders do not count', true],
  ['My customers are those in Germany.', true],
  ['Always answer briefly.', true],
  ['Remember that my customers are those in Germany. How many are there?', false],
  ['Remember that I asked for the orders?', false],
  ['Answer with the number of orders.', false],
  ['Answer in German which orders are open.', false],
  ['My name is Ada and how many orders are open', false],
  ['My order is late.', false],
  ['Note the open orders.', false],
  ['Hello!', false],
  ['My name is Anna, show the open orders', false],
  ['I am Anna. How many orders are there?', false],
  ['I work in sales and need the revenue of May', false],
  ['What is my name?', false],
])('whether "%s" is only a self-introduction: %s', (question, told) => expect(isStatement(question)).toBe(told))
