import { describe, expect, it } from 'vitest'
import { boundValue, takeBounds } from '../../src/agents/api/offline/bounds.ts'
import { startReading } from '../../src/agents/api/offline/reading.ts'
import { planByRules as planApi } from '../../src/agents/api/offline/plan-by-rules.ts'
import { compute } from '../../src/agents/reckoning/index.ts'
import { planByRules as planMail } from '../../src/agents/mail/offline/plan-by-rules.ts'
import { planByRules } from '../../src/agents/roles/planning/plan-by-rules.ts'
import type { DatabaseSchema } from '../../src/databases/schema.ts'
import { deriveFilter } from '../../src/knowledge/search/derive-filter.ts'
import { addDays } from '../../src/language/days.ts'
import { PERIODS, TODAY, UNREAD } from '../../src/language/periods.fixture.ts'
import { unreadIn } from '../../src/language/periods.ts'
import { parseMailQuery } from '../../src/mail/query.ts'
import { linkQuestion } from '../../src/question-to-sql/index.ts'
import { agent } from '../support/engine-world.ts'

/** The golden table, asked of everyone who reads days out of a question. */

const SCHEMA: DatabaseSchema = {
  name: 'shop',
  dialect: 'sqlite',
  tables: [
    {
      name: 'orders',
      kind: 'table',
      columns: [
        { name: 'order_id', type: 'integer', kind: 'number', nullable: false, primaryKey: true },
        { name: 'order_date', type: 'date', kind: 'date', nullable: false, primaryKey: false },
      ],
      foreignKeys: [],
    },
  ],
}
const SQL = agent('sql', async () => ({ answer: '' }), { planning: { isDefault: true } })
const nothing = async (words: readonly string[]): Promise<[][]> => words.map(() => [])

describe.each(PERIODS)('%s', (phrase, from, before) => {
  const to = before === undefined ? undefined : addDays(before, -1)

  it('is the same days for planner and documents', () => {
    const { entities } = planByRules(`How many orders ${phrase}?`, { agents: [SQL], preferred: [], context: {} }, TODAY)
    expect([entities.date_range?.from, entities.date_range?.to]).toEqual([from, to])
    const day = from ?? to!
    const filter = deriveFilter('refunds', entities, [
      { documentId: '1', name: 'a.pdf', type: 'pdf', date: day, topics: [] },
    ])
    expect([filter.from, filter.to]).toEqual([from, to])
  })

  it('is the same days in SQL', async () => {
    const linked = await linkQuestion(`How many orders ${phrase}?`, SCHEMA, { lookup: nothing, today: TODAY })
    const sql = linked.kind === 'query' ? linked.sql : JSON.stringify(linked)
    expect([/>= '([\d-]+)'/.exec(sql)?.[1], /< '([\d-]+)'/.exec(sql)?.[1]], sql).toEqual([from, before])
  })

  it('is the same days for an API', () => {
    const bounds = takeBounds(startReading(`orders ${phrase}`, { current_date: TODAY }))
    const value = (end: 'from' | 'to'): unknown => {
      const bound = bounds.find((one) => one.end === end)
      const param = { in: 'query', required: false, description: '', explode: true } as const
      return bound && boundValue(bound, { ...param, name: end, type: { type: 'string', format: 'date' } })
    }
    expect([value('from'), value('to')]).toEqual([from, to])
  })

  it('is the same days in a mailbox, which holds nothing of tomorrow', () => {
    const query = parseMailQuery(planMail(`Show me the mails ${phrase}`, TODAY).query)
    expect([query.since, query.before]).toEqual([from, before !== undefined && before > TODAY ? undefined : before])
  })
})

describe.each(UNREAD)('%s is no period', (phrase) => {
  const { reason } = unreadIn(phrase, TODAY)!

  it('for planner and SQL', async () => {
    const { entities } = planByRules(`How many orders ${phrase}?`, { agents: [SQL], preferred: [], context: {} }, TODAY)
    expect(entities.date_range).toBeUndefined()
    const linked = await linkQuestion(`How many orders ${phrase}?`, SCHEMA, { lookup: nothing, today: TODAY })
    expect(linked).toEqual({ kind: 'refusal', reason })
  })

  it('for a mailbox', () => {
    expect(planMail(`Show me the mails ${phrase}`, TODAY)).toMatchObject({ action: 'none', reason })
    expect(planMail(`Reply to the mail of Ann ${phrase}`, TODAY)).toMatchObject({ action: 'none', reason })
  })

  it('for an API and for a computation', () => {
    expect(planApi(`Show the orders ${phrase}`, [], [], { current_date: TODAY })).toMatchObject({
      makeRequest: false,
      failureReason: reason,
    })
    const computed = compute(`Growth of sales ${phrase}`, [], { today: TODAY })
    // Of dates in figures it says itself that it reckons with none.
    const isSaid =
      computed.kind === 'refusal' && [reason, 'looks like a date'].some((why) => computed.reason.includes(why))
    expect(isSaid, JSON.stringify(computed)).toBe(true)
  })
})

it('searches a mailbox for one period, not for the first of two', () => {
  const { action, reason } = planMail('Show me the mails of March 2026 and of May 2026', TODAY)
  expect([action, reason]).toEqual([
    'none',
    expect.stringMatching(/“of March 2026” and “of May 2026” are more than one/),
  ])
})

describe('days that a planner found, and the words do not say', () => {
  const period = { from: '2026-07-01', before: '2026-10-01' }

  it.each(['How many orders?', 'How many orders last year?'])('are kept to in SQL: %s', async (question) => {
    const linked = await linkQuestion(question, SCHEMA, { lookup: nothing, today: TODAY, period })
    expect(linked).toMatchObject({ sql: expect.stringMatching(/>= '2026-07-01' AND .*< '2026-10-01'/) })
  })

  it('limit the call of an API', () => {
    expect(takeBounds(startReading('orders', { current_date: TODAY }, period)).map(({ value }) => value)).toEqual([
      '2026-07-01',
      '2026-09-30',
    ])
  })

  it('limit the search of a mailbox, and an address of the plan says whose mails', () => {
    const plan = planMail('Show me the mails about torn bags', TODAY, { period, emails: ['ann@example.com'] })
    const query = parseMailQuery(plan.query)
    expect(query).toMatchObject({ since: '2026-07-01', before: '2026-10-01', from: ['ann@example.com'] })
  })
})
