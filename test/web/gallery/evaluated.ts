import { totalsBySet, sumTotals, sortWorstFirst, type CaseResult } from '../../../src/evaluation/results.ts'
import type { Verdict } from '../../../src/evaluation/scorers.ts'
import { NOW } from './log.ts'
import type { Replies } from './replies.ts'

/** Replies about evaluations: one of yesterday and one of today, over two sets. */

const QUESTIONS: readonly (readonly [
  set: string,
  question: string,
  expected: string,
  before: readonly [Verdict, string],
  after: readonly [Verdict, string],
])[] = [
  [
    'From customers, October',
    'What did cancelled orders cost us?',
    'a refusal',
    ['wrong', 'Cancelled orders cost us **14,103.76 EUR** this year.'],
    ['wrong', 'Cancelled orders cost us **14,103.76 EUR** this year.'],
  ],
  [
    'From customers, October',
    'Which carrier is late most often?',
    'Greenway Freight',
    ['wrong', 'Harbour Couriers, with 9.1 % of its deliveries.'],
    ['right', 'Greenway Freight: 11.8 % of its deliveries came late.'],
  ],
  [
    'From customers, October',
    'How much did we refund last quarter?',
    '218.09',
    ['declined', 'That could not be answered: “refund” is in no table that I may read.'],
    ['right', 'We refunded 218.09 EUR.'],
  ],
  [
    'Brindlemoor, ten questions that everybody asks in their first week with the product',
    'Which coffees must we order again?',
    '7',
    ['right', '7 coffees are below their reorder level.'],
    ['right', '7 coffees are below their reorder level.'],
  ],
  [
    'Brindlemoor, ten questions that everybody asks in their first week with the product',
    'How many active customers do we have?',
    '78',
    ['right', 'There are 78 active customers.'],
    ['failed', 'No model answered in time.'],
  ],
]

function resultsOf(which: 3 | 4): CaseResult[] {
  return QUESTIONS.map((row, at): CaseResult => {
    const [set, question, expected] = row
    const [verdict, answer] = row[which]
    const isRefusal = expected === 'a refusal'
    const turn = {
      question,
      answer: verdict === 'failed' ? '' : answer,
      format: 'markdown' as const,
      verdict,
      runId: 'answered',
      checks: [
        {
          scorer: isRefusal ? ('refusal' as const) : ('number' as const),
          expected,
          passed: verdict === 'right',
          ...(isRefusal ? { why: 'it was answered' } : {}),
        },
      ],
      notes: [],
      calls: 2,
      costUsd: which === 3 ? 0.0042 : 0.0037,
      latencyMs: 1_900 + 400 * at,
      detail: [
        "SELECT round(sum(line_total), 2) FROM order_lines JOIN orders USING (order_id) WHERE status = 'cancelled'",
      ],
    }
    return { set, id: `c${at}`, verdict, turns: [turn], ...(verdict === 'failed' ? { error: answer } : {}) }
  })
}

function evaluationOf(evaluationId: string, days: number, cases: readonly CaseResult[], more: object = {}) {
  const startedAt = new Date(NOW - days * 86_400_000).toISOString()
  return {
    evaluationId,
    status: 'done',
    startedAt,
    asked: cases.length,
    totals: sumTotals(cases),
    sets: totalsBySet(cases),
    ...more,
  }
}

const [before, after] = [resultsOf(3), resultsOf(4)]
const [first, second] = [
  evaluationOf('e1', 7, before, { strategy: 'pipeline' }),
  evaluationOf('e2', 0, after, { strategy: 'graph', model: 'openai:gpt-5-mini' }),
]
const pairs = after.map((one, at) => ({ set: one.set, id: one.id, before: before[at], after: one }))

export const EVALUATED: Replies = {
  '/evaluations': { items: [second, first] },
  '/evaluations/e1': { ...first, cases: sortWorstFirst(before, ({ verdict }) => verdict) },
  '/evaluations/e2': { ...second, cases: sortWorstFirst(after, ({ verdict }) => verdict) },
  '/evaluations/compare': {
    before: first,
    after: second,
    changes: [],
    cases: sortWorstFirst(pairs, (one) => one.after.verdict),
  },
  '/evaluations/cases': {
    items: QUESTIONS.map(([set, question, expected], at) => ({
      set,
      id: `c${at}`,
      context: {},
      turns: [{ question, expect: [expected === 'a refusal' ? { refusal: true } : { contains: [expected] }] }],
    })),
  },
}

const some = after.slice(0, 3)
const third = evaluationOf('e3', 0, some, { status: 'running', asked: 10 })

/** The same while a third one runs. */
export const UNDER_WAY: Replies = {
  '/evaluations': { items: [third, second, first] },
  '/evaluations/e3': { ...third, cases: some },
}
