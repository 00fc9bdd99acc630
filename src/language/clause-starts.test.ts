import { describe, expect, it } from 'vitest'
import { changeIn, changeOrderedIn, isWrittenCall } from './clause-starts.ts'

/** An order to change data is refused by whoever only reads; a question about a change is answered. */

const THINGS = ['my order', 'the delivery address', 'the account 12']
const VERBS = ['cancel', 'change', 'delete', 'update', 'remove']
const ASKING = ['Can I', 'May we', 'Could I', 'When must I', 'How do I', 'Am I allowed to']
const ORDERING = ['', 'Please ', 'Can you ', 'Could you please ', 'I want to ', 'Now ']

describe.each(VERBS)('%s', (verb) => {
  it.each(ASKING)('%s …? is a question', (words) => {
    for (const thing of THINGS) expect(changeOrderedIn(`${words} ${verb} ${thing}?`)).toBeUndefined()
  })

  it.each(ORDERING)('%s… is an order', (words) => {
    for (const thing of THINGS) {
      for (const end of ['', '.']) {
        expect(changeIn(`${words}${verb} ${thing}${end}`)).toBe(verb)
        expect(changeOrderedIn(`${words}${verb} ${thing}${end}`)).toBe(verb)
      }
    }
  })
})

it.each([
  'Update me on cancellation of orders',
  'Set out what the customer has to pay',
  'Create a summary of the returns policy',
])('asks to be told: %s', (text) => {
  expect(changeIn(text)).toBeUndefined()
  expect(changeOrderedIn(text)).toBeUndefined()
})

it.each([
  'Change management: who approves a change',
  'Grant holders: the rights that they have',
  'Can I cancel my order',
])('orders nothing of whoever reads documents: %s', (text) => expect(changeOrderedIn(text)).toBeUndefined())

it('an order in the form of a question is one', () => {
  expect(changeOrderedIn('Can you delete all policies?')).toBe('delete')
})

it('tells a call from a word of 100,000 letters in linear time', () => {
  expect(isWrittenCall('ж'.repeat(100_000))).toBe(false)
  expect(isWrittenCall('call stock_level')).toBe(true)
})
