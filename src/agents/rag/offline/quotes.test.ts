import { describe, expect, it } from 'vitest'
import type { HitInContext } from '../../../knowledge/search/neighbours.ts'
import { ENOUGH_EVIDENCE } from './evidence.ts'
import { quotesFor } from './quotes.ts'

function hit(text: string, more: Partial<HitInContext['chunk']> = {}): HitInContext {
  return {
    chunk: {
      chunkId: text.slice(0, 8),
      ordinal: 0,
      text,
      start: 0,
      end: text.length,
      kind: 'text',
      tokens: 1,
      ...more,
    },
    document: { documentId: 'd', name: 'policy.pdf', type: 'pdf' },
    score: 1,
  }
}

const MONTHS = 'January February March April June July August September October November December'.split(' ')
const NOBODYS = [
  'after the order',
  'under the number',
  'in every letter',
  'for the summer',
  'for other paper',
  'per cent',
]

it.each([5, 7, 9, 75])('a numbered thing is no other one: Tern %i', (number) => {
  const others = [5, 7, 9, 75].filter((one) => one !== number)
  const said = (n: number): string => `The range of the Tern ${n} is ${n * 10} km.`
  const question = `What is the range of the Tern ${number}?`
  const evidence = (n: number): number => quotesFor(question, [hit(said(n))])[0]?.evidence ?? 0
  expect(evidence(number)).toBeGreaterThanOrEqual(ENOUGH_EVIDENCE)
  expect(others.filter((other) => evidence(other) >= ENOUGH_EVIDENCE)).toEqual([])
})

describe('a question who', () => {
  it.each([
    ...MONTHS.map((month) => `The meeting was chaired on Monday, 14 ${month} 2026, in room 4`),
    ...NOBODYS.map((words) => `the meeting was chaired ${words}`),
  ])('is not answered by: %s', (text) => {
    const question = 'Who chaired the meeting?'
    const [alone] = quotesFor(question, [hit(`${text}.`)])
    expect(alone!.evidence).toBeLessThan(ENOUGH_EVIDENCE)
    const named = hit(`${text} by Ada Holm.`, { chunkId: 'named' })
    expect(quotesFor(question, [named])[0]!.evidence).toBeGreaterThanOrEqual(ENOUGH_EVIDENCE)
    expect(quotesFor(question, [hit(`${text}.`), named])[0]!.passage).toBe(1)
  })
})

const evidenceFor = (question: string, text: string): number => quotesFor(question, [hit(text)])[0]?.evidence ?? 0

it.each(['in Bremen', 'in the Bremen', 'Bremen', 'near Kiel'])(
  'the place that is asked about is nobody: %s',
  (place) => {
    const question = `Who manages the shop ${place}?`
    expect(evidenceFor(question, `Well, the shop ${place} is managed as the law asks.`)).toBeLessThan(ENOUGH_EVIDENCE)
    expect(evidenceFor(question, `The shop ${place} is managed by Ada Holm.`)).toBeGreaterThanOrEqual(ENOUGH_EVIDENCE)
  },
)

it('who does something is not who does another thing in the sentence beside it', () => {
  const text = 'The shop in Kiel is managed by Jonas Petersen. The shop in Bremen was painted by Ada Holm.'
  expect(evidenceFor('Who manages the shop in Bremen?', text)).toBeLessThan(ENOUGH_EVIDENCE)
  expect(evidenceFor('Who manages the shop in Kiel?', text)).toBeGreaterThanOrEqual(ENOUGH_EVIDENCE)
})

describe('a question when something was', () => {
  const POINTS = [
    'in 1998',
    'on 3 May',
    'in March',
    'on Monday',
    'last summer',
    '20 years ago',
    'at 9:30',
    'since version 4',
  ]
  const NONE = [
    'if the board may ask for it',
    'once it rained',
    'with 3 rooms',
    'by two builders',
    'after the storm',
    'always',
  ]
  it.each([...POINTS.map((words) => [words, true] as const), ...NONE.map((words) => [words, false] as const)])(
    'takes a point in time for an answer: %s, %s',
    (words, isPoint) => {
      const evidence = evidenceFor('When was the shop renovated?', `The shop was renovated ${words}.`)
      expect(evidence >= ENOUGH_EVIDENCE).toBe(isPoint)
    },
  )

  it('leaves conditions to questions when something is', () => {
    expect(evidenceFor('When is the shop renovated?', 'The shop is renovated if the board asks for it.')).toBe(1)
    expect(evidenceFor('When is the shop renovated?', 'The shop may be renovated.')).toBeLessThan(ENOUGH_EVIDENCE)
  })
})

it('the title of a document speaks for all of it, also where it stands alone', () => {
  const title = 'ASTERVALE 150: HANDBOOK'
  const data = hit('Focal length: 750 mm', { chunkId: 'data', ordinal: 1, section: 'Data' })
  const evidence = (heading: string): number =>
    quotesFor('What is the focal length of the Astervale 150?', [data, hit(heading, { section: heading })])[0]!.evidence
  expect(evidence(title)).toBeGreaterThanOrEqual(ENOUGH_EVIDENCE)
  expect(evidence(title.replace('150', '200'))).toBeLessThan(ENOUGH_EVIDENCE)
})

describe('quotes', () => {
  it('begin at the sentence that answers and go on from there, unless that is all that was asked for', () => {
    const text =
      'Staff get coffee. Beans are kept dry. Damaged bags must be reported within 7 days. Photographs are needed. A late report is a favour.'
    const [quote] = quotesFor('What must be done about damaged bags?', [hit(text)])
    expect(quote!.text).toMatch(/^Damaged bags must be reported within 7 days\. Photographs/)
    const [brief] = quotesFor('When must damaged bags be reported?', [hit(text)])
    expect(brief!.text).toBe('Damaged bags must be reported within 7 days.')
    const [exception] = quotesFor('When must bags be reported?', [
      hit('Bags must be reported within 7 days. This is not so for samples. Coffee is free.'),
    ])
    expect(exception!.text).toBe('Bags must be reported within 7 days. This is not so for samples.')
  })

  it('leave out the heading, ordinals and all', () => {
    const text = '6. Damaged goods\nGoods that arrive damaged are replaced.'
    const [quote] = quotesFor('What about damaged goods?', [hit(text, { section: 'Policy › 6. Damaged goods' })])
    expect(quote!.text).toBe('Goods that arrive damaged are replaced.')
  })

  it('prefer the section that is called by the question', () => {
    const hits = [
      hit('Goods may be sent back in general.', { section: 'Returns policy › Purpose' }),
      hit('Report it within a week. The customer chooses.', { section: 'Returns policy › Damaged goods' }),
    ]
    expect(quotesFor('What does the returns policy say about damaged goods?', hits)[0]!.passage).toBe(1)
  })

  it('say rows of a table as a person would', () => {
    const table = 'Reason | Period\nDamaged | 7 days\nWrong item | 14 days'
    const [quote] = quotesFor('Period for damaged', [hit(table, { kind: 'table' })])
    expect(quote!.text.split('; ')).toContain('Reason: Damaged, Period: 7 days')
  })

  it('give the rows that answer with the names of the columns, also where the table was cut', () => {
    const first = hit('order | carrier | tracking\n1 | Swift | B11\n2 | Green | B22', { kind: 'table' })
    const second = hit('3 | Swift | B33\n4 | Green | B44', { kind: 'table' })
    const [quote, ...others] = quotesFor('What is the tracking of order 4?', [first, second])
    expect(quote).toMatchObject({ passage: 1, text: 'order: 4, carrier: Green, tracking: B44' })
    expect(others).toEqual([])
  })

  it('leave the prose around a table as it is', () => {
    const text = 'Periods run from delivery.\nReason | Period\nDamaged | 7 days'
    expect(quotesFor('From when do periods run?', [hit(text, { kind: 'table' })])[0]!.text).toMatch(/^Periods run from/)
  })

  it('of a yes or no hold what another passage denies, however far it stands', () => {
    const said = ['Dogs sit in boats.', 'Dogs like boats.', 'Boats carry dogs.', 'From May on no dogs may enter boats.']
    const hits = said.map((text, at) => hit(text, { chunkId: `c${at}` }))
    const texts = (question: string) => quotesFor(question, hits).map(({ text }) => text)
    expect(texts('Are dogs allowed in boats?')).toContain('From May on no dogs may enter boats.')
    expect(texts('Which dogs sit in boats?')).not.toContain('From May on no dogs may enter boats.')
  })

  it.each([
    ['Policies of the house are reviewed every 24 months.', false],
    ['The travel policy covers trips of more than 50 km.', false],
    ['There are three travel policies.', true],
    ['Policies in force: 12.', true],
    ['All policies are kept by the office.', false],
    ['No policies are in force.', true],
  ])('are no count of what their number does not count: %s', (text, isCount) => {
    const { evidence } = quotesFor('How many policies are there?', [hit(text)])[0]!
    expect(evidence >= ENOUGH_EVIDENCE).toBe(isCount)
  })

  it('are no answer where the number that is asked for stands beside them', () => {
    const evidence = (text: string) => quotesFor('How many members has the club?', [hit(text)])[0]!.evidence
    expect(evidence('Members of the club use the kitchen. The hall costs 150 EUR.')).toBeLessThan(
      evidence('Members of the club are 120. The hall is for rent.'),
    )
  })

  it('count a name once, however many words it has', () => {
    const hits = [
      hit('Pedra Verde Lisa grows and exports coffee.'),
      hit('The supplier credits a part of the value for late goods.'),
    ]
    expect(quotesFor('What does Pedra Verde Lisa credit for late goods?', hits)[0]!.passage).toBe(1)
  })

  it('are not led by the name of the document that is asked', () => {
    const of = (text: string): HitInContext => ({
      ...hit(text),
      document: { documentId: 'd', name: 'newsletter-from-outside.md', type: 'md' },
    })
    const hits = [of('A note to those who read this newsletter.'), of('Growers expect a smaller harvest.')]
    expect(quotesFor('What does the newsletter say about the harvest?', hits)[0]!.passage).toBe(1)
  })

  it.each([
    ['When was the board meeting in May?', 'The board meeting on 12 June took place in Oslo.', false],
    ['When was the board meeting in June?', 'The board meeting on 12 June took place in Oslo.', true],
    ['When in May was the board meeting?', 'The board meeting took place on 3 May in Oslo.', true],
    ['When was the board meeting of 2025?', 'The board meeting took place on 12 June 2026.', false],
    ['How much memory does version 3 need?', 'Version 2 needs 8 GB of memory.', false],
    ['How much memory does version 2 need?', 'Version 2 needs 8 GB of memory.', true],
    ['How long does the tenant have to repair the roof?', 'The landlord has four weeks to repair the roof.', false],
    ['How long does the landlord have to repair the roof?', 'The landlord has four weeks to repair the roof.', true],
    ['How much may a parcel weigh in kilograms?', 'A parcel may weigh 50 pounds.', false],
    ['How much may a parcel weigh in pounds?', 'A parcel may weigh 50 pounds.', true],
    ['How many parcels were lost this year?', 'Last year 14 parcels were lost.', false],
    ['How many parcels were lost last year?', 'Last year 14 parcels were lost.', true],
    ['How long is the notice period after probation?', 'During probation the notice period is two weeks.', false],
    ['How long is the notice period during probation?', 'During probation the notice period is two weeks.', true],
    ['Which passenger has paid the most?', 'A passenger who pays by invoice has paid once it arrived.', false],
    ['Which passengers cancelled a booking?', 'Cancelled bookings of passengers are charged a fee.', false],
    ['How many orders came in?', 'No orders came in. Last year it was 14 orders.', true],
  ])('are of the very thing that was asked for: %s', (question, text, isEnough) => {
    const [quote] = quotesFor(question, [hit(text)])
    expect(quote!.evidence >= ENOUGH_EVIDENCE, String(quote!.evidence)).toBe(isEnough)
  })

  it('are no answer to a figure alone', () => {
    const evidence = (question: string) => quotesFor(question, [hit('It deducts 2 % within 10 days.')])[0]!.evidence
    expect([evidence('2+2'), evidence('10'), evidence('10 days') > 0.62]).toEqual([0, 0, true])
  })

  it('are cut at a word when a sentence never ends, and are none where nothing fits', () => {
    const [quote] = quotesFor('word', [hit(`word ${'x'.repeat(30)} `.repeat(100))])
    expect(quote!.text.length).toBeLessThan(510)
    expect(quote!.text).toMatch(/ …$/)
    expect(quotesFor('word', [hit('Nothing of it.')])).toEqual([])
    expect(quotesFor('', [hit('Nothing of it.')])).toEqual([])
  })
})

it.each([
  [
    'How long is the warranty of the Osprey winch?',
    'The warranty of the Osprey winch is 36 months from delivery.',
    true,
  ],
  ['How long is the warranty of the Osprey winch?', 'The warranty of the Osprey winch is 36 rules.', false],
  ['What torque do the four bolts of the winch need?', 'Winch\nTighten the four bolts with 85 Nm.', true],
  ['What torque do the four bolts of the winch need?', 'Winch\nTighten the four bolts with 85 tools.', false],
  ['What torque do the four bolts of the lid need?', 'Winch\nTighten the four bolts with 85 Nm.', false],
  [
    'What is the notice period of the lease in Bergen?',
    'Lease of the hall in Bergen\nThere is a notice of nine months.',
    true,
  ],
  [
    'What is the notice period of the lease in Oslo?',
    'Lease of the hall in Bergen\nThere is a notice of nine months.',
    false,
  ],
  ['What is the deposit of the hall?', 'Lease of the hall in Bergen\nThe deposit is four monthly rents.', true],
])('of what something is asked may stand in the title: %s %s', (question, text, isEnough) => {
  const [quote] = quotesFor(question, [hit(text)])
  expect(quote!.evidence >= ENOUGH_EVIDENCE).toBe(isEnough)
  // A title is no answer.
  expect(quote!.text).toContain(text.split('\n').at(-1))
})
