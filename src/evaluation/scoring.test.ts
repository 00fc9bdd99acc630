import { describe, expect, it } from 'vitest'
import type { RunResponse } from '../domain/response.ts'
import { tableFromArrays } from '../domain/table.ts'
import type { Expectation } from './cases.ts'
import { checksOf, numbersIn, readingVerdict } from './scorers.ts'

const METADATA = { status: 'finished', notes: [], isAnswered: true } as unknown as RunResponse['metadata']
const NOT_ANSWERED = { metadata: { ...METADATA, isAnswered: false } }

function answered(answer: string, more: Partial<RunResponse> = {}): RunResponse {
  const agentResults = [{ agent: 'sql', task: 'sql', status: 'succeeded', sources: [] }] as const
  const outcome = { status: 'answered', basis: 'sources', notices: [], checks: { figures: [] } } as const
  return { answer, ...outcome, actions: [], citations: [], agentResults, metadata: METADATA, ...more }
}

const FAILED = { agent: 'sql', task: 'sql', status: 'failed', sources: [] } as const
const TABLE = tableFromArrays(
  ['country', 'n'],
  [
    ['Ireland', 2],
    ['Japan', 1.004],
  ],
)

function judged(expectation: Expectation, response: RunResponse) {
  return readingVerdict(expectation, response, checksOf(expectation, response))
}

describe('what a number is', () => {
  it.each([
    ['There are 1,234.5 of 92, that is 7.5 %.', [1234.5, 92, 7.5]],
    ['Rs.1,75,206.00 and −3', [175206, -3]],
    ['on 2026-07-01, order A12, page3 [4] and 10–20', [4, 10, 20]],
    ['92.', [92]],
  ])('%s', (text, numbers) => {
    expect(numbersIn(text)).toEqual(numbers)
  })
})

describe('verdicts', () => {
  it.each<[string, Expectation, RunResponse, string]>([
    ['the number is stated', { number: [92] }, answered('There are 92 customers.'), 'right'],
    ['rounded to its places', { number: [892.28] }, answered('It is 892.2791.'), 'right'],
    ['a whole number is not rounded', { number: [92] }, answered('It is 92.4.'), 'wrong'],
    ['cut off', { number: [10.67] }, answered('It is 10.6 %.'), 'wrong'],
    [
      'in a table of one row',
      { number: [7] },
      answered('See below.', { data: tableFromArrays(['n'], [[7]]) }),
      'right',
    ],
    ['in a table of many rows only', { number: [2] }, answered('See below.', { data: TABLE }), 'wrong'],
    ['columns beside others', { table: [['Japan'], ['Ireland']] }, answered('', { data: TABLE }), 'right'],
    [
      'columns swapped',
      {
        table: [
          [1, 'Japan'],
          [2, 'Ireland'],
        ].map(([n, c]) => [n!, c!]),
      },
      answered('', {
        data: tableFromArrays(
          ['n', 'c'],
          [
            [2, 'Ireland'],
            [1, 'Japan'],
          ],
        ),
      }),
      'right',
    ],
    ['order asked for', { table: [['Japan'], ['Ireland']], ordered: true }, answered('', { data: TABLE }), 'wrong'],
    ['a row too few', { table: [['Ireland']] }, answered('', { data: TABLE }), 'wrong'],
    ['the end of another number', { contains: ['7 days'] }, answered('Within 17 days.'), 'wrong'],
    ['exact but for case', { exact: 'seven days' }, answered('Seven  days. [1]'), 'right'],
    ['forbidden words', { contains: ['92'], excludes: ['4,217'] }, answered('92, and 4,217 more'), 'wrong'],
    [
      'nobody succeeded',
      { number: [92] },
      answered('This could not be answered: no.', { agentResults: [FAILED], ...NOT_ANSWERED }),
      'declined',
    ],
    [
      'one part of two, the other not answered',
      { contains: ['7 days'], number: [3] },
      answered('7 days.', { status: 'partly', agentResults: [...answered('').agentResults, FAILED] }),
      'declined',
    ],
    [
      'one part of two, the other forgotten',
      { contains: ['7 days'], number: [3] },
      answered('7 days.', { agentResults: [...answered('').agentResults, FAILED] }),
      'wrong',
    ],
    [
      'a refusal',
      { refusal: true },
      answered('This could not be answered: no.', { agentResults: [FAILED], ...NOT_ANSWERED }),
      'right',
    ],
    [
      'a refusal that continues with invented facts',
      { refusal: true, excludes: ['4,217'] },
      answered('I cannot answer this. Perhaps 4,217.'),
      'wrong',
    ],
    [
      'expected words in a text that is marked as no answer',
      { contains: ['22'] },
      answered('This could not be answered. Nearest to it, and not an answer, is “22 hives”.', NOT_ANSWERED),
      'declined',
    ],
    [
      'the right passage, where one is enough',
      { contains: ['22'], passage: true },
      answered('Closest passages: “22 hives”.', NOT_ANSWERED),
      'right',
    ],
    ['a run that broke', { refusal: true }, answered('', { metadata: { ...METADATA, status: 'failed' } }), 'failed'],
  ])('%s', (_name, expectation, response, verdict) => {
    expect(judged(expectation, response)).toBe(verdict)
  })

  it('looks citations up by file, page and section', () => {
    const source = {
      kind: 'document',
      name: 'policy.pdf',
      passage: { documentId: 'd', page: 3, section: '6. Damage', start: 0, end: 1 },
    } as const
    const response = answered('7 days [1]', { citations: [{ n: 1, source, agent: 'rag' }] })
    expect(judged({ citation: ['policy.pdf, page 3'] }, response)).toBe('right')
    expect(judged({ citation: ['damage'] }, response)).toBe('right')
    expect(judged({ citation: ['policy.pdf, page 4'] }, response)).toBe('wrong')
    const later = answered('7 days [1]', {
      citations: [{ n: 1, source: { ...source, passage: { ...source.passage, page: 34 } }, agent: 'rag' }],
    })
    expect(judged({ citation: ['policy.pdf, page 3'] }, later)).toBe('wrong')
  })
})
