import { expect, it } from 'vitest'
import { createRandom, type Random } from '../../../demo/random.ts'
import type { HitInContext } from '../../../knowledge/search/neighbours.ts'
import { ENOUGH_EVIDENCE } from './evidence.ts'
import { quotesFor } from './quotes.ts'

// Passages made of facts that are known, and questions to them: who holds which role, who did what where, and of each thing which
// quantities are told. A question whose fact was left out must be declined, whatever stands beside.

interface Case {
  readonly question: string
  readonly sentences: readonly string[]
  /** What must stand in the answer; undefined: nothing answers it. */
  readonly holds: string | undefined
}

/** One passage, or one for each sentence, below a heading that says what all of it is about. */
function answerOf({ question, sentences }: Case, isApart: boolean): string | undefined {
  const texts = isApart ? sentences : [sentences.join(' ')]
  const hits = texts.map((text, ordinal): HitInContext => {
    const place = { start: 0, end: text.length, kind: 'text', tokens: 1, section: 'Rules' } as const
    return {
      chunk: { chunkId: String(ordinal), ordinal: ordinal + 1, text, ...place },
      document: { documentId: 'd', name: 'society.md', type: 'md' },
      score: 1,
    }
  })
  const sure = quotesFor(question, hits).filter(({ evidence }) => evidence >= ENOUGH_EVIDENCE)
  return sure.length === 0 ? undefined : sure.map(({ text }) => text).join(' … ')
}

/** Answers to what is not told, and what is told and was not answered by it. */
function judged(cases: readonly Case[]) {
  const outcomes = cases.flatMap((one) =>
    [false, true].map((isApart) => ({ ...one, isApart, answer: answerOf(one, isApart) })),
  )
  const known = outcomes.filter(({ holds }) => holds !== undefined)
  const wrong = outcomes.filter(
    ({ holds, answer }) => answer !== undefined && (holds === undefined || !answer.includes(holds)),
  )
  const line = ({ question, sentences, answer, isApart }: (typeof outcomes)[number]): string =>
    `${isApart ? 'apart ' : ''}${question} ${JSON.stringify(sentences)}: ${answer ?? 'declined'}`
  return {
    known: known.length,
    declined: known.filter(({ answer }) => answer === undefined).map(line),
    wrong: wrong.map(line),
  }
}

const NAMES = ['Anna Brandt', 'Jonas Petersen', 'Carl Mensah', 'Olga Lindqvist', 'Dr Imke Vos', 'Teodor Vale']
const ROLES = [
  'treasurer',
  'secretary',
  'caretaker',
  'head gardener',
  'harbour master',
  'boat warden',
  'chair',
  'auditor',
]
const HOLDERS = [
  'The R is N.',
  'N is the R.',
  'N is our R and lives in the old mill.',
  'Damage is reported to the R, N, on the same day.',
  'N, the R, keeps the keys.',
  'The R (N) keeps the keys.',
  'R: N',
  'N has been R since 2019.',
  'N was elected R in 2021.',
  'N became R in March 2020.',
  'N serves as R.',
  'The R of the society is N.',
  'The post of R is held by N.',
]
const DUTIES = [
  'The R keeps the book.',
  'The R is elected for two years.',
  'The R is a member of the board.',
  'The R is paid by the society.',
  'Keys are given out by the R, who keeps a list.',
  'Ask the R for the key of the Northgate.',
  'The R may sign for up to 500 EUR.',
  'The R reports to the board every spring.',
  'The R is the one who opens the hall.',
]
/** One role in a sentence with the holder of another. */
const MIXED = [
  'The O is N and the R keeps the book.',
  'N, the O, hands the book to the R.',
  'The O, N, and the R sign together.',
  'N is the O, and the R is elected in May.',
  'The R is elected by N, the O.',
  'The R reports to N.',
  'The R works with N on the accounts.',
  'N is the deputy of the R.',
  'N is the assistant R.',
  'N keeps the book when the R is ill.',
]

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random.int(0, 1e9) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const large = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function roleCases(seed: number): Case[] {
  const random = createRandom(seed)
  const [asked = '', other = '', third = ''] = shuffled(random, ROLES)
  const [name = '', another = '', stranger = ''] = shuffled(random, NAMES)
  const told = (form: string, role: string, who = '', beside = ''): string =>
    large(form.replace('R', role).replace('O', beside).replace('N', who))
  const question = random
    .pick(['Who is the R?', 'Who is our R?', 'Who is the R of the society?', 'Who is R?'])
    .replace('R', asked)
  const beside = [
    told(random.pick(HOLDERS), other, another),
    told(random.pick(DUTIES), asked),
    ...(random.int(0, 1) === 0 ? [told(random.pick(HOLDERS), third, stranger)] : []),
    ...(random.int(0, 1) === 0 ? [told(random.pick(MIXED), asked, another, other)] : []),
  ]
  const fact = told(random.pick(HOLDERS), asked, name)
  return [
    { question, sentences: shuffled(random, beside), holds: undefined },
    { question, sentences: shuffled(random, [...beside, fact]), holds: name },
  ]
}

it('who holds a role is told by a sentence that says so', () => {
  const { wrong, declined, known } = judged(Array.from({ length: 300 }, (_, seed) => roleCases(seed + 1)).flat())
  expect(wrong).toEqual([])
  expect(known).toBeGreaterThan(500)
  expect(declined.length, declined.join('\n')).toBeLessThanOrEqual(known / 100)
})

const PLACES = ['Oslo', 'Kiel', 'Bremen', 'Arrowby', 'Saltmere']
const THINGS = ['kennel', 'bakery', 'library', 'workshop', 'swimming pool']
/** Of a thing in a place: a sentence, what of it may be asked, and what must stand in the answer. */
const DEEDS: readonly (readonly [form: string, question: string, holds: string])[] = [
  ['N opened the T in P.', 'Who opened the T in P?', 'N'],
  ['N opened a T for forty people in P.', 'Who opened the T in P?', 'N'],
  ['In P, N opened the T in 2011.', 'Who opened the T in P?', 'N'],
  ['The T in P was opened by N.', 'Who opened the T in P?', 'N'],
  ['The T was opened by N in P in 2011.', 'Who opened the T in P?', 'N'],
  ['In P the T was opened by N.', 'Who opened the T in P?', 'N'],
  ['N runs the T in P.', 'Who runs the T in P?', 'N'],
  ['The T at P is run by N.', 'Who runs the T at P?', 'N'],
  ['The T in P opened in 2011.', 'When did the T in P open?', '2011'],
  ['In 2011 the T opened in P.', 'When did the T in P open?', '2011'],
  ['The T in P has 40 places.', 'How many places does the T in P have?', '40'],
  ['In P, the T has 40 places.', 'How many places does the T in P have?', '40'],
  ['A visit of the T in P costs 12 EUR.', 'How much does a visit of the T in P cost?', '12 EUR'],
]
const ASIDE = [
  'There is a school in P as well.',
  'The members of P meet every spring.',
  'In P the society has a hall.',
  'The T in P is closed in winter.',
  'N lives in P.',
  'The road to P was built by N.',
]

function placeCases(seed: number): Case[] {
  const random = createRandom(seed)
  const [here = '', elsewhere = ''] = shuffled(random, PLACES)
  const [thing = '', otherThing = ''] = shuffled(random, THINGS)
  const [name = '', another = '', stranger = ''] = shuffled(random, NAMES)
  const told = (form: string, what: string, where: string, who: string, year = '2011'): string =>
    form
      .replace(/\bT\b/, what)
      .replace(/\bP\b/, where)
      .replace(/\bN\b/, who)
      .replace('2011', year)
      .replace('40 ', '70 ')
      .replace('12 EUR', '30 EUR')
  const [form, question, holds] = random.pick(DEEDS)
  const alike = DEEDS.filter(([, asked]) => asked === question)
  const beside = [
    told(random.pick(alike)[0], thing, elsewhere, another, '1994'),
    ...(random.int(0, 1) === 0 ? [told(random.pick(alike)[0], otherThing, here, stranger, '1987')] : []),
    told(random.pick(ASIDE), thing, here, stranger),
  ]
  const fill = (text: string): string => text.replace(/\bT\b/, thing).replace(/\bP\b/, here).replace(/\bN\b/, name)
  return [
    { question: fill(question), sentences: shuffled(random, beside), holds: undefined },
    { question: fill(question), sentences: shuffled(random, [...beside, fill(form)]), holds: fill(holds) },
  ]
}

it('what was done in a place is told by a sentence of that place', () => {
  const { wrong, declined, known } = judged(Array.from({ length: 300 }, (_, seed) => placeCases(seed + 1)).flat())
  expect(wrong).toEqual([])
  expect(known).toBeGreaterThan(500)
  expect(declined.length, declined.join('\n')).toBeLessThanOrEqual(known / 100)
})

/** Of one thing: how each kind of quantity is told, and how it is asked for. */
/** How each kind of quantity of a thing is told, how it is asked for, and what must stand in the answer. */
const QUANTITIES: readonly (readonly [kind: string, form: string, holds: string, questions: readonly string[]])[] = [
  ['size', 'A T measures 200 square metres.', '200', ['How large is a T?', 'How big is a T?']],
  ['size', 'A T is 12 m by 20 m.', '12 m', ['How large is a T?', 'How big is a T?']],
  ['size', 'A T is 0.5 hectares large.', '0.5', ['How large is a T?']],
  ['size', 'A T of 300 m² is usual.', '300', ['How large is a T?']],
  ['share', 'A T pays 4 % of the water.', '4 %', ['Which percentage does a T pay?']],
  ['share', 'Each T bears a share of 4 %.', '4 %', ['What share does a T bear?']],
  ['share', 'The share of a T is 4 percent.', '4 percent', ['What is the share of a T?']],
  [
    'price',
    'A T costs 40 EUR a year.',
    '40 EUR',
    ['How much does a T cost?', 'What does a T cost?', 'How expensive is a T?'],
  ],
  ['price', 'The price of a T is 40 EUR.', '40 EUR', ['What is the price of a T?', 'How expensive is a T?']],
  ['weight', 'A T weighs 12 kg.', '12 kg', ['How heavy is a T?', 'How much does a T weigh?']],
  [
    'length',
    'A T is 3 metres high and 2 metres wide.',
    '3 metres',
    ['How tall is a T?', 'How high is a T?', 'How wide is a T?'],
  ],
  ['distance', 'A T is 300 metres from the gate.', '300 metres', ['How far is a T from the gate?']],
  ['age', 'The T is 40 years old.', '40 years', ['How old is the T?']],
  ['age', 'The T was built in 1921.', '1921', ['How old is the T?']],
  ['span', 'A T lasts for 3 years.', '3 years', ['How long does a T last?']],
  ['span', 'A T is given for 3 years.', '3 years', ['For how long is a T given?']],
  ['frequency', 'A T is watered twice a week.', 'twice', ['How often is a T watered?']],
  ['frequency', 'Every 3 days a T is watered.', '3 days', ['How often is a T watered?']],
  ['speed', 'A T reaches 25 km/h.', '25 km/h', ['How fast is a T?']],
  ['warmth', 'A T gets 35 °C warm.', '35', ['How warm is a T?', 'How hot does a T get?']],
  ['warmth', 'A T is 35 degrees warm in summer.', '35', ['How warm is a T?']],
  ['count', 'A T has 6 windows.', '6 windows', ['How many windows does a T have?']],
]
const QUANTIFIED = ['plot', 'glasshouse', 'shed', 'greenhouse']
const BESIDE = [
  'There are 14 Ts.',
  'T 14 lies by the gate.',
  'Whoever leaves a T gives notice within 14 days.',
  'Up to 2 dogs may live in a T.',
  'A T opens at 8:00.',
]

function quantityCases(seed: number): Case[] {
  const random = createRandom(seed)
  const thing = random.pick(QUANTIFIED)
  const fill = (text: string): string => large(text.replace(/\bT(?=s?\b)/, thing))
  const [told, ...rest] = shuffled(random, QUANTITIES)
  const [kind, form, holds, questions] = told!
  // What is asked for a size is told by each of its lengths.
  const others = rest.filter(
    ([other]) => other !== kind && !ALIKE.some((same) => same.includes(kind) && same.includes(other)),
  )
  const beside = [...others.slice(0, 3).map(([, sentence]) => sentence), random.pick(BESIDE)].map(fill)
  const question = random.pick(questions).replace(/\bT\b/, thing)
  return [
    { question, sentences: shuffled(random, beside), holds: undefined },
    { question, sentences: shuffled(random, [...beside, fill(form)]), holds },
  ]
}
const ALIKE: readonly (readonly string[])[] = [['size', 'length']]

it('what is asked for by its kind of quantity is told by one of that kind', () => {
  const { wrong, declined, known } = judged(Array.from({ length: 300 }, (_, seed) => quantityCases(seed + 1)).flat())
  expect(wrong).toEqual([])
  expect(known).toBeGreaterThan(500)
  expect(declined.length, declined.join('\n')).toBeLessThanOrEqual(known / 100)
})
