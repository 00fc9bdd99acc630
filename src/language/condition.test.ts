import { describe, expect, it } from 'vitest'
import { hasWays, isConditional } from './condition.ts'

describe('a question whose way depends on what is found', () => {
  const CONDITIONS = ['more than 70 customers are active', 'order 915 is still open', 'the total is above 5,000 €']
  const ORDERS = ['list the suppliers', 'please show me the employees', 'cancel order 915', 'send Anna the figures']

  it.each(CONDITIONS.flatMap((condition) => ORDERS.map((order) => [condition, order])))('“%s” → “%s”', (so, order) => {
    for (const text of [
      `If ${so}, ${order}`,
      `If ${so}, then ${order}, otherwise count the orders`,
      `Unless ${so}, ${order}.`,
      `Count the orders, and if ${so}, ${order}.`,
      `Is it so that ${so}? If so, ${order}.`,
      `Is it so that ${so}? If not, ${order}.`,
    ]) {
      expect([text, hasWays(text), isConditional(text)]).toEqual([text, true, true])
    }
  })

  it.each([
    'If I am ill for four days, do I need a certificate?',
    'If an order is late, what does the customer get?',
    'How many orders are open, if any?',
    'If possible, list the suppliers.',
    'If you can, list the suppliers.',
    'List the orders of 2025, unless stated in the notes.',
    'Show me whether customers are active if they ordered once.',
    'Say what the policy says otherwise.',
    'List the suppliers.',
  ])('but not: %s', (text) => {
    expect(hasWays(text)).toBe(false)
  })
})
