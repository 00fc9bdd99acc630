import { describe, expect, it } from 'vitest'
import { inScopeOf, ofSamePerson } from './carry.ts'
import { standingOf } from './follow-up.ts'

const TODAY = '2026-10-31'

/** The question before, the one that goes on from it, and that one as it stands alone. */
const REWRITTEN: readonly (readonly [string, string, string])[] = [
  ['How many orders were there in 2025?', 'And in 2024?', 'How many orders were there in 2024?'],
  ['How many orders were there in 2025?', 'And 2024?', 'How many orders were there in 2024?'],
  ['How many orders were there in 2025?', 'In 2024?', 'How many orders were there in 2024?'],
  ['How many orders were there in 2025?', 'What about last month?', 'How many orders were there last month?'],
  ['Revenue in Germany in 2025', 'And in 2024?', 'Revenue in Germany in 2024?'],
  ['Revenue in Germany in 2025', 'And in Spain?', 'Revenue in Spain in 2025?'],
  ['Revenue in 2025', 'And in Germany?', 'Revenue in 2025 in Germany?'],
  ['How many customers are there in Germany?', 'And Spain?', 'How many customers are there in Spain?'],
  [
    'How many customers are there in Germany?',
    'How many are there in Spain?',
    'How many customers are there in Spain?',
  ],
  [
    'How many customers are there in Germany?',
    'How many of those are active?',
    'How many customers in Germany are active?',
  ],
  ['How many customers are there in Germany?', 'And how many suppliers?', 'How many suppliers in Germany?'],
  ['How many pets are there?', 'How many of them are dogs?', 'How many pets are dogs?'],
  ['How many customers do we have?', 'And employees?', 'How many employees do we have?'],
  ['How many orders are open?', 'And cancelled?', 'How many orders are cancelled?'],
  ['How many orders were cancelled?', 'Which ones are from 2026?', 'Which cancelled orders are from 2026?'],
  ['List the customers in Spain', 'How many of them are active?', 'How many customers in Spain are active?'],
  ['How many tickets have the priority high?', 'And low?', 'How many tickets have the priority low?'],
  ['How many tickets have the priority low?', 'And in 2025?', 'How many tickets have the priority low in 2025?'],
  [
    'How many shipments did Greenway Freight make in 2025?',
    'And Harbour Couriers?',
    'How many shipments did Harbour Couriers make in 2025?',
  ],
  ['What is the total of invoices in 2025?', 'And the average?', 'What is the average total of invoices in 2025?'],
  ['What is the average invoice total in 2025?', 'And the highest?', 'What is the highest invoice total in 2025?'],
  [
    'How many orders came in the last month?',
    'And the month before?',
    'How many orders came from 2026-08-01 to 2026-08-31?',
  ],
  [
    'How many orders were there in Q1 2025?',
    'And the quarter after?',
    'How many orders were there from 2025-04-01 to 2025-06-30?',
  ],
  [
    'How many orders were there in 2024?',
    'And the following year?',
    'How many orders were there from 2025-01-01 to 2025-12-31?',
  ],
]

/** Where more than one place could change, nothing is guessed. */
/** The things or the figure asked for before, told by a pronoun. */
const OF_ASKED: readonly (readonly [string, string, string])[] = [
  ['How many invoices are unpaid?', 'What do they add up to?', 'What is the total of unpaid invoices?'],
  ['Who reports to the Head of Sales?', 'How many are that?', 'How many report to the Head of Sales?'],
  ['Which customers are in Germany?', 'And how many are those?', 'How many customers are in Germany?'],
  [
    'How many orders came from Ireland?',
    'Is the answer larger for the Netherlands?',
    'How many orders came from Netherlands?',
  ],
  [
    'How many days of leave do employees get?',
    'And when they are ill, who is told?',
    'When employees are ill, who is told?',
  ],
]
/** Which of several is meant is not certain. */
const OF_NOBODY: readonly (readonly [string, string])[] = [
  ['How many orders did customers place?', 'When were they shipped?'],
  ['Which products do customers return?', 'Why are they sent back?'],
  ['How many orders went from Spain to Ireland?', 'Is it larger for Germany?'],
  ['Which customers do they supply?', 'What do they add up to?'],
]

const UNCLEAR: readonly (readonly [string, string])[] = [
  ['How many orders were there in 2025 and 2024?', 'And in 2023?'],
  ['How many customers are there?', 'And low?'],
  ['Compare Germany with Spain', 'And Ireland?'],
  ['How many orders went from Spain to Ireland in 2025?', 'And Germany?'],
  ['How many orders were there since March?', 'And the month before?'],
  ['How many orders were there?', 'And the average?'],
  ['And low?', 'And in 2025?'],
  [`How many ${'very '.repeat(100)}old customers are there?`, 'And in 2025?'],
]

const ALONE: readonly string[] = [
  'How many employees are there?',
  'And how many employees are there?',
  'What is the revenue per country in 2025?',
  'In which country do most customers live?',
  'From which day is a certificate needed?',
  'How many customers are there, and what does the policy say about returns?',
]

describe('a question that goes on from the one before', () => {
  it.each(REWRITTEN)('%s | %s', (before, question, alone) => {
    expect(standingOf(question, before, TODAY)).toEqual({ question: alone })
  })

  it.each(OF_ASKED)('%s | %s: by a pronoun', (before, question, alone) => {
    expect(standingOf(question, before, TODAY)).toEqual({ question: alone })
  })

  it.each(OF_NOBODY)('%s | %s: of which is not guessed', (before, question) => {
    expect(standingOf(question, before, TODAY).question).toBe(question)
  })

  it.each(UNCLEAR)('is not guessed: %s | %s', (before, question) => {
    const { question: left, unclear, isFragment } = standingOf(question, before, TODAY)
    expect(left).toBe(question)
    expect(unclear).toContain(`“${question}” goes on from “`)
    expect(isFragment).toBe(true)
  })

  it('has a reason where there is none before it', () => {
    expect(standingOf('And in 2024?', undefined, TODAY)).toMatchObject({ isFragment: true })
    expect(standingOf('What about overtime?', undefined, TODAY)).toEqual({ question: 'What about overtime?' })
  })

  it('is passed on with a reason where a word of it points back', () => {
    const { question, unclear, isFragment } = standingOf(
      'How do they come about?',
      'How many invoices are unpaid?',
      TODAY,
    )
    expect(question).toBe('How do they come about?')
    expect(unclear).toMatch(/goes on from/)
    expect(isFragment).toBeUndefined()
  })

  it.each(ALONE)('is left as it is when it stands alone: %s', (question) => {
    expect(standingOf(question, 'How many customers are there?', TODAY)).toEqual({ question })
  })

  it('keeps every other word of the question before', () => {
    for (const [before] of REWRITTEN) {
      const { question } = standingOf('And in 2019?', before, TODAY)
      const kept = question.replace(' in 2019', '').replace(/\?$/, '').split(' ')
      const own = before.replace(/\?$/, '').split(' ')
      expect(own.filter((word) => !kept.includes(word)).length).toBeLessThanOrEqual(4)
      expect(kept.every((word) => own.includes(word))).toBe(true)
    }
  })
})

describe('period and place of one part', () => {
  it.each([
    [
      'what is the average invoice total',
      'How many invoices were there in 2025',
      'what is the average invoice total in 2025',
    ],
    [
      'what was the average order value',
      'What was the revenue in Q1 2025',
      'what was the average order value in Q1 2025',
    ],
    ['how many orders', 'How many customers are there in Germany', 'how many orders in Germany'],
    [
      'how many were returned',
      'How many orders were there in Germany since 2024',
      'how many were returned in Germany since 2024',
    ],
  ])('go on: %s', (text, before, whole) => expect(inScopeOf(text, before, TODAY)).toBe(whole))

  it.each([
    ['how many customers do we have', 'How many orders were there in 2025'],
    ['how many products are discontinued', 'How many orders were there in 2025'],
    ['what is the average order value overall', 'What was the revenue in 2025'],
    ['what was the revenue in 2024', 'What was the revenue in 2025'],
    ['how many orders did Spain place', 'How many customers are there in Germany'],
    ['what was the revenue', 'How many orders were there in 2024 and in 2025'],
    ['what does the handbook say', 'How many orders were there in 2025'],
  ])('stay where they are: %s', (text, before) => expect(inScopeOf(text, before, TODAY)).toBeUndefined())
})

it.each(['do not have returns', "don't have returns", 'have no returns', 'are without returns', 'never had returns'])(
  'what is denied of one count is not carried to the next: %s',
  (denied) => expect(inScopeOf('how many suppliers', `How many products ${denied}`, TODAY)).toBeUndefined(),
)
describe('the one who was named before', () => {
  const JANE = 'How many customers does Jane Peacock have'
  it.each([
    ['how many invoices does she have?', JANE, 'how many invoices does Jane Peacock have?'],
    ['how many orders went to him?', 'Which invoices has Bob Gray', 'how many orders went to Bob Gray?'],
  ])('is meant: %s', (text, before, whole) => expect(ofSamePerson(text, before)).toBe(whole))

  it.each([
    ['how many invoices does she have?', 'How many customers do Jane Peacock and Bob Gray have'],
    ['how many invoices does she have?', 'How many customers are there in Germany'],
    ['how many invoices does she have?', 'How many customers are there'],
    ['how many tracks are called "she"?', JANE],
    ['how many invoices does she have with Bob Gray?', JANE],
    ['how many invoices do they have?', JANE],
    ['how many of her customers does she know?', JANE],
  ])('is not guessed: %s | %s', (text, before) => expect(ofSamePerson(text, before)).toBeUndefined())
})
