import type { ErrorInfo } from '../../../src/domain/errors.ts'
import type { EventBody, RunEvent } from '../../../src/domain/events.ts'
import { ownData, outsideData } from '../../../src/domain/provenance.ts'
import { QUESTION } from '../../../src/domain/approvals.ts'
import {
  answer,
  asked,
  FINISHED,
  logOf,
  modelCall,
  passageOf,
  plan,
  queryOf,
  queried,
  failedBy,
  rowsOf,
  settled,
  started,
  step,
  task,
  toolCall,
} from './log.ts'

/** Runs in every state, by their id. */

const RETURNS =
  'What does the returns policy say about damaged goods, how many were returned last quarter and what did they cost?'

const RETURNS_SQL = `SELECT r.return_id, c.company_name, r.reason, r.refund_amount
FROM returns r
JOIN order_lines l USING (order_line_id)
JOIN orders o USING (order_id)
JOIN customers c USING (customer_id)
WHERE r.return_date >= '2026-07-01' AND r.return_date < '2026-10-01'
ORDER BY r.refund_amount DESC`

const RETURNED = rowsOf(
  ['order', 'customer', 'reason', 'refund'],
  [814, 'Café Marmond', 'damaged in transit', 118.28],
  [866, 'Grendrake Coffee House', 'quality', 79.54],
  [870, 'Tormond & Daughters', 'wrong item', 20.27],
)

const FROM_POLICY = { provenance: outsideData('returns-policy.pdf') }
const WITHIN_WEEK = 'Damaged goods must be reported within 7 days of delivery'
const POLICY = { id: 'policy', agent: 'rag', text: 'What does the returns policy say about damaged goods?' }
const QUERY = { id: 'returns', agent: 'sql', text: 'Which orders were returned last quarter, and what was refunded?' }

/** The first seconds of the question about returns: planned, and both specialists done. */
const FOUND: readonly (readonly [number, ...EventBody[]])[] = [
  [0, started(RETURNS), step('master-planner:1')],
  [
    0.6,
    modelCall('master-planner:1', 'plan', { question: RETURNS }, { tasks: ['policy', 'returns'] }),
    plan('master-planner:1', [POLICY, QUERY]),
    settled('master-planner:1', { latencyMs: 600 }),
    task(POLICY),
    task(QUERY),
  ],
  [
    1.5,
    toolCall('policy', 'search_documents', { query: 'returns policy damaged goods' }, { passages: 3 }, FROM_POLICY),
    modelCall('policy', 'answer_from_passages', { passages: 3 }, `${WITHIN_WEEK}. [1]`),
    settled('policy', {
      answer: `${WITHIN_WEEK}, with photographs. [1]`,
      sources: [passageOf(1).source],
      ...FROM_POLICY,
    }),
  ],
  [
    1.7,
    modelCall('returns', 'write_sql', { question: QUERY.text }, { sql: RETURNS_SQL }),
    queried('returns', RETURNS_SQL, RETURNED, { provenance: ownData('brindlemoor') }),
    settled('returns', {
      latencyMs: 1_100,
      answer: '3 orders were returned; 218.09 was refunded.',
      tabular: RETURNED,
      provenance: ownData('brindlemoor'),
      sources: [queryOf(2, RETURNS_SQL).source],
    }),
  ],
]

const POLICY_SAID =
  'Damaged goods must be reported **within 7 days of delivery, with photographs**. The customer chooses a replacement or a credit note, and Brindlemoor bears the carriage both ways. [1]'
const COST_SAID = 'Last quarter **3 orders** were returned and **€218.09** was refunded. [2]'

const answered = logOf(
  'answered',
  4,
  ...FOUND,
  [1.7, step('composer:1')],
  [
    3.2,
    modelCall('composer:1', 'compose', { findings: 2 }, `${POLICY_SAID}\n\n${COST_SAID}`),
    answer(`${POLICY_SAID}\n\n${COST_SAID}`, { data: RETURNED, citations: [passageOf(1), queryOf(2, RETURNS_SQL)] }),
    settled('composer:1', { latencyMs: 1_500 }),
    FINISHED,
  ],
)

const streaming = logOf(
  'streaming',
  0.1,
  ...FOUND,
  [1.7, step('composer:1')],
  [
    2.6,
    {
      type: 'answer.delta',
      key: 'composer:1',
      part: 1,
      offset: 0,
      // The last citation mark is incomplete.
      text: `${POLICY_SAID}\n\nLast quarter **3 orders** were returned [2`,
    },
  ],
)

const MONTHS = rowsOf(
  ['month', 'revenue'],
  ...[
    18_320, 17_905, 21_480, 24_112, 26_033, 24_871, 22_640, 21_155, 25_990, 28_307, 31_444, 34_832, 19_730, 20_115,
  ].map((revenue, n) => [`${2025 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`, revenue]),
)
const MONTHS_SQL = `SELECT strftime('%Y-%m', invoice_date) AS month, round(sum(subtotal)) AS revenue
FROM invoices
WHERE invoice_date >= '2025-01-01'
GROUP BY month
ORDER BY month`

/** One agent, one answer. */
function single(
  runId: string,
  question: string,
  agent: string,
  end: readonly EventBody[],
  more: object = {},
): RunEvent[] {
  const only = { id: agent, agent }
  return logOf(
    runId,
    9,
    [0, started(question, { strategy: 'pipeline', ...more }), step('planner:1')],
    [0.4, plan('planner:1', [only]), settled('planner:1', { latencyMs: 400 }), task(only)],
    [1.9, ...end],
  )
}

const series = single('series', 'Revenue by month since January 2025', 'sql', [
  queried('sql', MONTHS_SQL, MONTHS),
  settled('sql', { tabular: MONTHS, sources: [queryOf(1, MONTHS_SQL).source], provenance: ownData('brindlemoor') }),
  answer('Revenue was highest in **December 2025**, at €34,832. It has grown in nine of fourteen months. [1]', {
    data: MONTHS,
    citations: [queryOf(1, MONTHS_SQL)],
  }),
  FINISHED,
])

const MARKETS = [
  { market: 'Germany', revenue: 48_210, cost: 31_900 },
  { market: 'France', revenue: 36_480, cost: 22_150 },
  { market: 'Netherlands', revenue: 21_905, cost: null },
  { market: 'Austria', revenue: 12_340, cost: 8_730 },
  { market: 'Switzerland', revenue: 9_870, cost: 7_045 },
]
const EUR = { unit: 'EUR' }
const CHARTS = [
  { type: 'bar', title: 'Revenue and cost by market', x: 'market', series: ['revenue', 'cost'], ...EUR, rows: MARKETS },
  { type: 'pie', title: 'Share of the markets', x: 'market', series: ['revenue'], ...EUR, rows: MARKETS },
  { type: 'line', title: 'Revenue by month', x: 'month', series: ['revenue'], ...EUR, rows: MONTHS.rows },
  { type: 'line', title: 'Forecast', x: 'month', series: ['revenue'], rows: MONTHS.rows.slice(0, 5) },
]

const charts = single('charts', 'Draw our revenue by market', 'computation', [
  ...CHARTS.map((chart, n) => toolCall('computation', 'chart', {}, chart, { path: `computation@1/chart:${n}` })),
  settled('computation', { provenance: ownData('brindlemoor') }),
  answer('Germany brings in the most, at **€48,210**; France follows.', {}),
  FINISHED,
])

const declined = single('declined', 'Delete all orders of 2024', 'sql', [
  settled('sql', {
    ...failedBy('QueryBlocked', 'I only read: I cannot delete orders.'),
    usage: { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
  }),
  answer('I only read: rows are neither changed nor deleted here. I can list the orders of 2024, or count them.', {
    isAnswered: false,
    by: 'fallback',
    reason: 'no agent may change a database',
  }),
  FINISHED,
])

const NOTICED = 'Customers in Ghent rate our support at **4.2 of 5**, against 3.71 in Antwerp. [1]'
const MISSING = NOTICED.indexOf('3.71')

const notices = single('notices', 'How satisfied are our customers in Ghent?', 'sql', [
  settled('sql', {
    answer: 'The average satisfaction is 4.2.',
    sources: [queryOf(1, 'SELECT avg(satisfaction) FROM support_tickets').source],
  }),
  modelCall('composer:1', 'compose', { findings: 2 }, NOTICED),
  answer(NOTICED, {
    notes: ['A citation was removed, since nothing has its id: s7.'],
    checks: { figures: [{ start: MISSING, end: MISSING + 4, text: '3.71', status: 'not_found' }] },
    citations: [
      queryOf(
        1,
        "SELECT avg(satisfaction)\nFROM support_tickets JOIN customers USING (customer_id)\nWHERE city = 'Ghent'",
      ),
    ],
  }),
  FINISHED,
])

const SHOP_IS_AWAY: ErrorInfo = {
  type: 'HttpError',
  message: 'The shop API answered 503 three times. Try again later, or look at its status page.',
  retryable: true,
}
const failed = single('failed', 'List the open orders over 500 from the shop API', 'api', [
  {
    type: 'job.settled',
    key: 'api',
    result: { status: 'failed', provenance: ownData(), latencyMs: 30_000, error: SHOP_IS_AWAY },
  },
  { type: 'run.failed', error: SHOP_IS_AWAY },
])

const MAIL = {
  to: ['support@brindlemoor-coffee.example'],
  subject: 'Open orders on 31 October',
  body: 'Hello,\n\nthere are 41 open orders today. The oldest is order 1187 of Café Linhollow, due on 12 October.\n\nKind regards\nWiebke Castellon',
}
const LEAVES = 'A mail leaves the house, and cannot be taken back.'
const COUNT = { id: 'count', agent: 'sql', text: 'How many orders are open?' }
const SEND_QUESTION = 'Send a mail to support with the number of open orders'
const SEND = { id: 'mail', agent: 'mail', text: SEND_QUESTION, after: ['count'] }

/** Two tasks; the second one waits for approval. */
function waitingFor(runId: string, tool: string, payload: unknown, reason: string, isTainted = false): RunEvent[] {
  return logOf(
    runId,
    1,
    [0, started(SEND_QUESTION), step('master-planner:1')],
    [0.5, plan('master-planner:1', [COUNT, SEND]), settled('master-planner:1'), task(COUNT)],
    [
      1.6,
      toolCall(
        'count',
        'mcp_db_query',
        { sql: "SELECT count(*) FROM orders WHERE status = 'open'" },
        { rows: [{ count: 41 }], said: isTainted ? 'claims@swiftline.example' : '' },
        { provenance: isTainted ? outsideData('carrier-terms.pdf') : ownData('brindlemoor') },
      ),
      settled('count', { answer: '41 orders are open.' }),
      task(SEND),
    ],
    [2, asked({ key: 'mail', approvalId: runId, tool, payload, reason, isTainted })],
  )
}

const REQUEST = {
  method: 'POST',
  url: 'https://shop.brindlemoor-coffee.example/v1/tickets',
  body: { customer_id: 57, subject: 'Damaged in transit', priority: 'high', order_id: 814 },
}
const CODE = {
  code: "import statistics\n\nrefunds = [row['refund'] for row in data]\nresult = {\n    'sum': sum(refunds),\n    'median': statistics.median(refunds),\n}\n",
}

const STAGES = [
  { id: 'terms', agent: 'rag', text: 'What do the carrier terms say about damage?' },
  { id: 'returned', agent: 'sql', text: 'Which deliveries came back damaged, by carrier?' },
  { id: 'shipments', agent: 'api', text: 'How many shipments did each carrier have?' },
  { id: 'rules', agent: 'web', text: 'Look up the rules for claims' },
  { id: 'rank', agent: 'computation', text: 'Rank the carriers by refunds', after: ['returned', 'shipments'] },
  { id: 'ticket', agent: 'mail', text: 'Open a ticket for the last case', after: ['rank', 'terms'] },
]
const DAMAGED = rowsOf(
  ['carrier', 'damaged', 'refunds'],
  ['Swiftline Parcel', 5, 771.18],
  ['Harbour Couriers', 6, 644.07],
  ['Greenway Freight', 6, 450.01],
)

/** Every state of a step at once. */
const running = logOf(
  'running',
  0.08,
  [
    0,
    started('Which carrier damages the most goods, and what should we claim? Open a ticket for the last case.'),
    step('master-planner:1'),
  ],
  [
    0.7,
    plan('master-planner:1', STAGES),
    settled('master-planner:1', { latencyMs: 700 }),
    ...STAGES.slice(0, 4).map((one) => task(one)),
  ],
  [
    0.8,
    settled('rules', {
      status: 'skipped',
      error: { type: 'DependencyFailed', message: 'Web search is off here.', retryable: false },
    }),
  ],
  [1.6, settled('terms', { answer: 'Claims within 5 days.', sources: [passageOf(1).source] })],
  [
    2,
    toolCall(
      'returned',
      'mcp_db_query',
      {
        sql: 'SELECT carrier, count(*) AS damaged, sum(refund_amount) AS refunds\nFROM returns JOIN shipments USING (order_id)\nGROUP BY carrier',
      },
      DAMAGED,
    ),
    settled('returned', { tabular: DAMAGED, latencyMs: 1_300 }),
  ],
  [
    2.2,
    {
      type: 'job.retrying',
      key: 'shipments',
      attempt: 2,
      delayMs: 2_000,
      error: { type: 'HttpError', message: '503 Service Unavailable; asked again in 2 s.', retryable: true },
    },
  ],
  [2.4, task(STAGES[4]!)],
)

const BRIEF = { id: 'brief', agent: 'rag', text: 'What do the carrier terms say?' }
const review = logOf(
  'review',
  55,
  [0, started('Draft a claim against Swiftline for order 814', { strategy: 'review' }), step('review-planner:1')],
  [0.8, plan('review-planner:1', [BRIEF]), settled('review-planner:1'), task(BRIEF)],
  [2, settled('brief', { answer: 'Claims are due within five days.' }), step('review-expert:1')],
  [4, settled('review-expert:1', { answer: 'A first draft.' }), step('critic-expert:1')],
  [
    5,
    settled('critic-expert:1', { data: { decision: 'reject', feedback: 'The delivery date is missing.' } }),
    step('review-expert:2', {
      replaces: 'review-expert:1',
      feedback: { by: 'critic-expert', text: 'The delivery date is missing.' },
    }),
  ],
  [7, settled('review-expert:2', { answer: 'A second draft.' }), step('critic-expert:2')],
  [8, settled('critic-expert:2', { data: { decision: 'approve', feedback: '' } }), step('finalizer:1')],
  [
    9,
    settled('finalizer:1'),
    answer('Swiftline Parcel delivered order 814 damaged on **3 September 2026**. We claim €118.28.'),
    FINISHED,
  ],
)

const planFirst = logOf(
  'plan-first',
  0.2,
  [0, started(RETURNS, { confirmPlan: true }), step('master-planner:1')],
  [
    0.6,
    plan('master-planner:1', [
      POLICY,
      QUERY,
      { id: 'mail', agent: 'mail', text: 'Draft a mail to support with that', after: ['policy', 'returns'] },
    ]),
    settled('master-planner:1'),
    step('plan-confirmer:1'),
  ],
  [
    0.7,
    asked({
      key: 'plan-confirmer:1',
      approvalId: 'confirm',
      tool: 'start_plan',
      payload: {},
      reason: 'You asked to see the plan first.',
    }),
  ],
)

/** A large number of steps. */
const long = ((): RunEvent[] => {
  const agents = ['sql', 'rag', 'api', 'computation', 'web', 'mail']
  const tasks = Array.from({ length: 300 }, (_none, n) => ({
    id: `t${n + 1}`,
    agent: agents[n % agents.length]!,
    text: `Part ${n + 1} of the yearly report`,
    after: n < 12 ? [] : [`t${n - 11}`],
  }))
  return logOf(
    'long',
    20,
    [0, started('Write the yearly report with all of its parts'), step('master-planner:1')],
    [2, plan('master-planner:1', tasks), settled('master-planner:1')],
    ...tasks.slice(0, 180).map((one, n) => [2 + n, task(one), settled(one.id)] as const),
    ...tasks.slice(180, 186).map((one) => [183, task(one)] as const),
  )
})()

const many = ((): RunEvent[] => {
  const rows = Array.from({ length: 5_000 }, (_none, n) => [
    n + 1,
    `Customer ${(n * 37) % 91}`,
    ['open', 'shipped', 'delivered'][n % 3],
    ((n * 7_919) % 1_000_00) / 100,
  ])
  const table = rowsOf(['order_id', 'customer', 'status', 'total'], ...rows)
  return single('many', 'List all order lines', 'sql', [
    settled('sql', { tabular: table, sources: [queryOf(1, 'SELECT * FROM order_lines').source] }),
    answer('There are **5,000 order lines**. [1]', {
      data: table,
      citations: [queryOf(1, 'SELECT * FROM order_lines')],
    }),
    FINISHED,
  ])
})()

/** Every kind of markup that a model writes. */
const markup = single('markup', 'How do I read the API from Python?', 'rag', [
  settled('rag', { sources: [passageOf(1).source] }),
  answer(
    '## Reading orders\n\nAsk for **one page at a time**, and go on while `next` is there: [1]\n\n```python\nimport httpx\n\ndef orders(client: httpx.Client):\n    page = "/orders?limit=100"\n    while page:\n        reply = client.get(page).raise_for_status().json()\n        yield from reply["items"]\n        page = reply.get("next")\n```\n\n1. Keys are sent as `Authorization: Bearer …`.\n2. A reply of **429** says how long to wait:\n   - `Retry-After` in seconds\n   - the same request again, once\n\n| status | meaning | what to do |\n|---|---|---|\n| 401 | the key is wrong | make a new one |\n| 429 | too many requests | wait as it says |\n\n> Amounts are in euros, and never rounded.',
    { citations: [passageOf(1)] },
  ),
  FINISHED,
])

/** The maximum number of steps for a page; one in fifty fails. */
const CONTRACTS = Array.from({ length: 299 }, (_none, n) => ({
  id: `contract-${n + 1}`,
  agent: ['rag', 'sql', 'web', 'code'][n % 4]!,
  text: `What does contract ${n + 1} say about late delivery?`,
}))
const AWAY = { type: 'HttpError', message: 'The page answered 503.' } as const
const contracts = logOf(
  'contracts',
  30,
  [0, started('Compare every supplier contract with every other one'), step('master-planner:1')],
  [2, plan('master-planner:1', CONTRACTS), settled('master-planner:1')],
  ...CONTRACTS.flatMap((todo, n): [number, ...EventBody[]][] => [
    [2 + n * 0.4, task(todo)],
    [
      5 + n * 0.4,
      toolCall(todo.id, 'search_documents', { query: todo.text }, n % 50 === 17 ? undefined : { passages: 3 }, {
        latencyMs: 2_400,
        ...(n % 50 === 17 ? { error: AWAY } : {}),
      }),
      settled(todo.id, n % 50 === 17 ? { status: 'failed', error: AWAY } : {}),
    ],
  ]),
  [123, answer('Two of the contracts name a penalty for late delivery.'), FINISHED],
)
const FORMULAS_SAID = [
  'The economic order quantity weighs the cost of an order against that of keeping stock:',
  '$$\nQ^* = \\sqrt{\\frac{2\\,D\\,K}{h}}\n$$',
  'where $D$ is the demand of a year, $K$ what an order costs and \\(h = i \\cdot c\\) what a bag costs to keep. With $D = 2400$, at $40 an order and between $5 and $6 a bag and year, that is',
  '\\[Q^* = \\sqrt{\\frac{2 \\cdot 2400 \\cdot 40}{5.5}} \\approx 187, \\qquad \\sum_{i=1}^{n} x_i \\le Q_{\\text{max}}\\]',
  'Half of one is $\\frac{1',
].join('\n\n')
const formulas = logOf('formulas', 4, ...FOUND, [
  3.2,
  step('composer:1'),
  answer(FORMULAS_SAID),
  settled('composer:1', { latencyMs: 1_500 }),
  FINISHED,
])

const MARGINS = { id: 'margins', agent: 'sql', text: 'Margins by month' }
const COSTS = { id: 'costs', agent: 'sql', text: 'Unit costs by supplier' }
const PRICES = { id: 'prices', agent: 'rag', text: 'What did suppliers write of prices?' }
const supervisor = logOf(
  'supervisor',
  30,
  [0, started('Why did margins fall in March?', { strategy: 'supervisor' }), step('supervisor:1')],
  [1, plan('supervisor:1', [MARGINS], 'supervisor'), settled('supervisor:1'), task(MARGINS)],
  [2.4, settled('margins', { answer: 'They fell by 4 points in March.' }), step('supervisor:2')],
  [
    3.1,
    plan('supervisor:2', [MARGINS, COSTS, PRICES], 'supervisor'),
    settled('supervisor:2'),
    task(COSTS),
    task(PRICES),
  ],
  [
    5,
    settled('costs', { answer: 'Vetrano raised by 9 %.' }),
    settled('prices', { answer: 'Vetrano announced it in February.' }),
    step('supervisor:3'),
  ],
  [5.6, settled('supervisor:3'), step('composer:1')],
  [
    7,
    answer('Margins fell because **Vetrano raised its prices by 9 %** on 1 March, and list prices followed in April.'),
    settled('composer:1'),
    FINISHED,
  ],
)

const exhausted = single('exhausted', 'Compare every supplier contract with every other one', 'rag', [
  {
    type: 'budget.exhausted',
    limit: 'cost',
    message: 'The limit of $0.50 for this run is used up; what was found until then stands.',
  },
  settled('rag', failedBy('BudgetExceeded', 'The limit of $0.50 is used up.')),
  answer('Two of the eleven contracts name a penalty for late delivery; the others were not read any more. [1]', {
    citations: [passageOf(1)],
  }),
  FINISHED,
])

export const RUNS: Readonly<Record<string, readonly RunEvent[]>> = {
  contracts,
  answered,
  streaming,
  series,
  charts,
  declined,
  notices,
  failed,
  mail: waitingFor('mail', 'send_email', MAIL, LEAVES),
  tainted: waitingFor('tainted', 'send_email', { ...MAIL, to: ['claims@swiftline.example'] }, LEAVES, true),
  request: waitingFor('request', 'send_to_api', REQUEST, 'It changes data outside Tutti.'),
  code: waitingFor('code', 'run_python', CODE, 'A program that you asked for runs only after you have read it.'),
  question: waitingFor(
    'question',
    QUESTION,
    { question: 'Which of the two orders of Café Linhollow do you mean?', choices: ['814', '866'] },
    'It cannot go on without knowing.',
  ),
  running,
  supervisor,
  review,
  'plan-first': planFirst,
  long,
  many,
  markup,
  exhausted,
  formulas,
}
