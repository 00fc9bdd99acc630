import { describe, expect, it } from 'vitest'
import type { AgentTask } from '../../../core/actor.ts'
import { letterOf } from './phrases.ts'
import { revised } from './revise.ts'

/** What a person adds to an approval where there is no model: another recipient, a copy, a subject, or it is not done. */

const REQUESTS = [
  'Send a mail to ada@x.example saying that we ship on Monday',
  'Send a mail to ada@x.example with the subject Freight saying that ada@x.example waits for it',
  'Email ada@x.example about the new freight rates',
  'Count the customers and send a mail to ada@x.example with the number of customers, subject Customers',
  'Send an e-mail to ada@x.example, cc lena@x.example: "Dear Ada, the goods are on their way."',
  'Reply to ada@x.example that the delivery comes on Friday',
]
const KIM = [
  'recipient kim@x.example instead',
  'Recipient: kim@x.example',
  'the recipient is kim@x.example',
  'to kim@x.example instead',
  'Send it to kim@x.example instead.',
  'please send this mail to kim@x.example',
  'send it to kim@x.example instead of ada@x.example',
]
const COPY = ['cc bo@x.example', 'Please cc bo@x.example.', 'and cc bo@x.example']
const SUBJECT = ['subject: Rates of May', 'Use the subject Rates of May', 'with the subject "Rates of May"']
const OTHER = [
  'make it shorter',
  'please be friendlier',
  'in German',
  'Do not send it',
  'wait until Monday',
  'no, ask Lena first',
  'and say that we are sorry',
  'to Kim and Bo and everybody',
  'bcc bo@x.example',
  'remove the second sentence',
  'the amount is 300 EUR, not 200 EUR',
  'kim@x.example',
  'use our usual greeting and sign with my name',
  'recipient kim@x.example instead, and make it shorter',
  'ok',
]

function letterWith(planned: string, ...instructions: string[]) {
  const whole = [planned, ...instructions].join('\n')
  const { text, open } = revised({ planned, instructions, text: whole } as unknown as AgentTask)
  // Nothing of what is not followed is in it.
  expect(open.length === 0 || text === planned).toBe(true)
  if (open.length > 0) return undefined
  const { rest: _, before: __, contents: ___, ...letter } = letterOf(text)
  return letter
}

describe.each(REQUESTS)('%s', (request) => {
  const { rest: _, before: __, contents: ___, ...letter } = letterOf(request)

  it.each(KIM)('%s', (words) => {
    const got = letterWith(request, words)
    expect(got ?? 'not done').toBeOneOf([expect.objectContaining({ ...letter, to: ['kim@x.example'] }), 'not done'])
  })

  it.each(COPY)('%s', (words) => {
    const got = letterWith(request, words)
    expect(got ?? 'not done').toBeOneOf([
      expect.objectContaining({ ...letter, cc: [...letter.cc, 'bo@x.example'] }),
      'not done',
    ])
  })

  it.each(SUBJECT)('%s', (words) => {
    const got = letterWith(request, words)
    expect(got ?? 'not done').toBeOneOf([expect.objectContaining({ ...letter, subject: 'Rates of May' }), 'not done'])
  })

  it.each(OTHER)('is not written otherwise, nor with words that nobody meant: %s', (words) => {
    expect(letterWith(request, words)).toBeUndefined()
  })
})

it('most of what rules can do is done', () => {
  const all = REQUESTS.slice(0, 4).flatMap((request) =>
    [...KIM, ...COPY, ...SUBJECT].map((words) => [request, words, letterWith(request, words)] as const),
  )
  const undone = all.filter(([, , letter]) => letter === undefined).map(([request, words]) => `${request} | ${words}`)
  expect(undone).toEqual([])
})

it('one instruction comes on top of another', () => {
  expect(letterWith(REQUESTS[0]!, KIM[0]!, SUBJECT[0]!)).toMatchObject({
    to: ['kim@x.example'],
    subject: 'Rates of May',
  })
})

it.each([
  'to zoe@x.example instead of lee@x.example',
  'Send it to zoe@x.example instead of lee@x.example.',
  'cc zoe@x.example instead of lee@x.example',
  'cc zoe@x.example instead of kim@x.example',
  'recipient zoe@x.example rather than lee@x.example',
])('nobody else is left out than who is named: %s', (words) => {
  expect(letterWith('Send a mail to kim@x.example, cc lee@x.example: "We ship on Monday"', words)).toBeUndefined()
})

it('who is named is replaced, beside a copy', () => {
  const planned = 'Send a mail to kim@x.example, cc lee@x.example: "We ship on Monday"'
  expect(letterWith(planned, 'to zoe@x.example instead of kim@x.example')).toMatchObject({
    to: ['zoe@x.example'],
    cc: ['lee@x.example'],
  })
})
