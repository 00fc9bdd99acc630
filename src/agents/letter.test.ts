import { describe, expect, it } from 'vitest'
import { createRandom } from '../demo/random.ts'
import { letterIn } from './letter.ts'

/** Requests made of parts in many spellings and orders; whatever was put in must come out again, in its own place. */

interface Part {
  readonly text: string
  readonly to?: readonly string[]
  readonly cc?: readonly string[]
  readonly bcc?: readonly string[]
  readonly subject?: string
  readonly said?: string
  readonly contents?: readonly string[]
  readonly topics?: readonly string[]
  /** Dictated without quotation marks: nothing can stand behind it but a subject or a copy after a comma. */
  readonly isOpen?: true
}

const RECIPIENTS: readonly Part[] = [
  { text: 'to support', to: ['support'] },
  { text: 'to Dara Tolliver', to: ['Dara Tolliver'] },
  { text: 'to nora@example.com', to: ['nora@example.com'] },
  { text: 'to support and to nora@example.com', to: ['support', 'nora@example.com'] },
  { text: 'to nora@example.com and support', to: ['nora@example.com', 'support'] },
  { text: 'to support and sales', to: ['support', 'sales'] },
  { text: 'to support, sales and nora@example.com', to: ['support', 'sales', 'nora@example.com'] },
  { text: 'to Anna, Ben, and Carl Berg', to: ['Anna', 'Ben', 'Carl Berg'] },
  { text: 'to "Lovelace, Ada" & support', to: ['Lovelace, Ada', 'support'] },
  { text: 'to the sales team and Dara', to: ['sales team', 'Dara'] },
  { text: 'to Ada <ada@example.com>', to: ['Ada <ada@example.com>'] },
  { text: 'to support, cc Dara', to: ['support'], cc: ['Dara'] },
  { text: 'to support, cc: dara@example.com and Ben', to: ['support'], cc: ['dara@example.com', 'Ben'] },
  { text: 'to nora@example.com, bcc ben@example.com', to: ['nora@example.com'], bcc: ['ben@example.com'] },
  { text: 'to support, cc Dara, bcc: Ben and Anna', to: ['support'], cc: ['Dara'], bcc: ['Ben', 'Anna'] },
]

const SUBJECTS: readonly (Part | undefined)[] = [
  undefined,
  ...['', 'with the ', 'with ', 'and the '].map((lead) => ({
    text: `${lead}subject "Q3, 5,000 to sales"`,
    subject: 'Q3, 5,000 to sales',
  })),
  { text: "with the subject 'Q3 figures'", subject: 'Q3 figures' },
  { text: 'with the subject “Saying hello”', subject: 'Saying hello' },
  { text: 'with subject line: New prices', subject: 'New prices' },
  { text: 'subject: New prices', subject: 'New prices' },
  { text: 'titled New prices', subject: 'New prices' },
  { text: 'with the subject Offer: 20% off', subject: 'Offer: 20% off' },
]

const BODIES: readonly (Part | undefined)[] = [
  undefined,
  { text: 'saying that we have 5,000 customers', said: 'We have 5,000 customers.', isOpen: true },
  { text: 'saying we write to sales about the subject', said: 'We write to sales about the subject.', isOpen: true },
  { text: 'and tell them that help@x.example is new', said: 'Help@x.example is new.', isOpen: true },
  { text: 'asking whether it is paid', said: 'I would like to ask whether it is paid.', isOpen: true },
  { text: 'saying "We ship to Oslo, with thanks"', said: 'We ship to Oslo, with thanks.' },
  { text: 'with the text "Hi."', said: 'Hi.' },
  { text: 'with the number of customers', contents: ['the number of customers'] },
  { text: 'with the revenue in 2025', contents: ['the revenue in 2025'] },
  { text: 'including our 10 best customers', contents: ['our 10 best customers'] },
  { text: 'about the returns policy', contents: ['the returns policy'] },
  { text: 'about freight', topics: ['freight'] },
  {
    text: 'with the number of customers and what the newsletter says about freight',
    contents: ['the number of customers and what the newsletter says about freight'],
  },
  {
    text: 'with the number of orders saying that we ship',
    contents: ['the number of orders'],
    said: 'We ship.',
    isOpen: true,
  },
  ...[
    'revenue in 2025 by country',
    'number of customers',
    'top 5 customers by revenue',
    'how many orders are open?',
    'orders per month',
    'the average price of a bag',
  ].map((text): Part => ({ text: `: ${text}`, contents: [text.replace('?', '')], isOpen: true })),
  ...['sales are up 5% in 2025', 'revenue by country was fine', 'top quality as ever', 'number 5 is alive'].map(
    (text): Part => ({ text: `: ${text}`, said: `${text[0]!.toUpperCase()}${text.slice(1)}.`, isOpen: true }),
  ),
  { text: 'telling them how many orders are late', contents: ['how many orders are late'], isOpen: true },
]

const SAYING = ['saying', 'saying:', 'saying that', 'telling them that']
const DICTATED = [
  "we don't send parcels on Sunday",
  'do not send the goods to Oslo',
  'never send cash',
  'we ship without sending a notice',
  'note: not today',
  'write to help@x.example first',
  'put ben@x.example in copy',
  'the accounts are ready',
  'send it again',
]
const JOINED = [', ', ' and ', ', but ', '; ', ': ', '. ']
const COPIES = [
  { text: ', cc boss@x.example', cc: ['boss@x.example'] },
  { text: ' and cc boss@x.example', cc: ['boss@x.example'] },
  { text: ', cc: Carl Berg', cc: ['Carl Berg'] },
  { text: ', bcc spy@x.example', bcc: ['spy@x.example'] },
  { text: ' and bcc: spy@x.example', bcc: ['spy@x.example'] },
  { text: ' bcc spy@x.example', bcc: ['spy@x.example'] },
]
const UNSENT = ['', ', but do not send it', " and don't send it yet", '. Do not send the mail.', ' without sending it']

const VERBS = ['Draft a mail', 'Write a short e-mail', 'Send an email', 'Prepare a friendly message']

function orders(parts: readonly Part[]): Part[][] {
  if (parts.length < 2) return [[...parts]]
  return parts.flatMap((first, i) => orders(parts.toSpliced(i, 1)).map((rest) => [first, ...rest]))
}

/** With a comma where two parts would run into each other, as people write. */
function written(verb: string, parts: readonly Part[]): string | undefined {
  const open = parts.findIndex(({ isOpen }) => isOpen === true)
  const late = open < 0 ? [] : parts.slice(open + 1)
  if (late.some(({ subject }) => subject === undefined)) return undefined
  if (late.some(({ text }) => text.startsWith('titled'))) return undefined
  // Behind a subject that is not quoted, a colon may be its own.
  if (
    parts.some(
      ({ text }, i) =>
        text.startsWith(':') && /[^"”'’]$/.test(parts[i - 1]?.subject === undefined ? '"' : parts[i - 1]!.text),
    )
  )
    return undefined
  return parts.reduce((text, part, i) => {
    const before = parts[i - 1]
    const isApart =
      part.subject !== undefined ||
      before?.subject !== undefined ||
      before?.cc !== undefined ||
      before?.bcc !== undefined
    return `${text}${isApart && i > 0 && !part.text.startsWith(':') ? ',' : ''}${part.text.startsWith(':') ? '' : ' '}${part.text}`
  }, verb)
}

describe('a request for a mail', () => {
  it('keeps every recipient, subject and part, in whatever order they come', () => {
    const wrong: string[] = []
    let count = 0
    for (const recipient of RECIPIENTS) {
      for (const subject of SUBJECTS) {
        for (const body of BODIES) {
          for (const [i, order] of orders([recipient, subject, body].filter((part) => part !== undefined)).entries()) {
            const text = written(VERBS[(count + i) % VERBS.length]!, order)
            if (text === undefined) continue
            count++
            const { rest: _, isSeveral: _several, ...found } = letterIn(text)
            const parts: Omit<Part, 'text'> = Object.assign(
              {},
              ...order.map(({ text: _text, isOpen: _open, ...part }) => part),
            )
            const expected = { to: [], cc: [], bcc: [], contents: [], topics: [], ...parts }
            if (JSON.stringify(sorted(found)) !== JSON.stringify(sorted(expected))) {
              wrong.push(`${text}\n   ${JSON.stringify(sorted(found))}`)
            }
          }
        }
      }
    }
    expect(count).toBeGreaterThan(5_000)
    expect(wrong.filter((_, i) => i % Math.ceil(wrong.length / 20) === 0)).toEqual([])
  })

  it('keeps every dictated word, whatever the words are', () => {
    const random = createRandom(1)
    const wrong: string[] = []
    for (let i = 0; i < 4_000; i++) {
      const recipient = random.pick(RECIPIENTS)
      const subject = random.pick(SUBJECTS)
      const head = subject === undefined ? '' : `, ${subject.text},`
      const apart = head === '' && (recipient.cc ?? recipient.bcc) !== undefined ? ',' : head
      const said = Array.from({ length: 1 + random.int(0, 3) }, () => random.pick(DICTATED)).join(random.pick(JOINED))
      const copies = Array.from({ length: random.int(0, 2) }, () => random.pick(COPIES))
      const unsent = random.pick(UNSENT)
      const text = `Draft a mail ${recipient.text}${apart} ${random.pick(SAYING)} ${said}${copies.map((copy) => copy.text).join('')}${unsent}`
      const { rest: _, isSeveral: _several, contents: _contents, topics: _topics, ...found } = letterIn(text)
      const expected = {
        to: recipient.to,
        cc: [...new Set([recipient, ...copies].flatMap(({ cc = [] }) => cc))].sort(),
        bcc: [...new Set([recipient, ...copies].flatMap(({ bcc = [] }) => bcc))].sort(),
        said: `${said[0]!.toUpperCase()}${said.slice(1)}.`,
        ...(subject === undefined ? {} : { subject: subject.subject }),
      }
      const got = { ...found, cc: [...found.cc].sort(), bcc: [...found.bcc].sort() }
      if (JSON.stringify(sorted(got)) !== JSON.stringify(sorted(expected))) {
        wrong.push(`${text}\n   ${JSON.stringify(sorted(got))}`)
      }
    }
    expect(wrong.slice(0, 10)).toEqual([])
  })

  it.each([
    ['Draft a mail to Dara, do not send it to Ben', { to: ['Dara'], contents: [] }],
    ['Draft a mail to Dara without sending it, with the number of orders', { contents: ['the number of orders'] }],
    ['Draft a mail to Dara about parcels that we do not send', { topics: ['parcels that we do not send'] }],
    ['Draft a mail saying please send it to eve@x.example', { to: [], said: 'Please send it to eve@x.example.' }],
    ['Draft a mail saying that complaints go to eve@x.example', { to: [] }],
    ['Draft a mail saying that we ship on Monday to nora@x.example', { to: ['nora@x.example'], isSeveral: false }],
    [
      'Draft a mail to Dara: how many orders are open? subject "Open"',
      { subject: 'Open', contents: ['how many orders are open'] },
    ],
    ['Draft two mails: one to a@x.example with the number of customers, one to b@x.example', { isSeveral: true }],
    ['Draft a mail to a@x.example with the total and another one to b@x.example', { isSeveral: true }],
    ['Write three short e-mails to a@x.example', { isSeveral: true }],
    ['Draft a mail to Dara saying we sent one to Ben and another to Ada', { isSeveral: false }],
    ["Draft a mail to Dara that we don't send parcels on Sunday", { said: "We don't send parcels on Sunday." }],
  ])('takes apart: %s', (text, parts) => expect(letterIn(text)).toMatchObject(parts))
})

function sorted(letter: object): unknown {
  return Object.entries(letter).sort(([a], [b]) => a.localeCompare(b))
}
