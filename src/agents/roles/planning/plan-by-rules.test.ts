import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../core/actor.ts'
import { stages, validatePlan } from '../../../core/plan.ts'
import { planByRules, type Understanding } from './plan-by-rules.ts'

const TODAY = '2026-11-22'

function agent(name: string, keywords: string, more: Partial<Agent> = {}): Agent {
  const words = keywords.split(',').map((word) => word.trim())
  return { name, description: '', capabilities: [], useCases: [], keywords: words, run: async () => ({}), ...more }
}

/** What the agents of the product declare. Nothing in the planner knows their names. */
const SQL = agent('sql', 'table, tables, list, show, top, per, group, average, sum, count, trend, breakdown, report', {
  isDefault: true,
  rank: 20,
})
const API = agent('api', 'api, endpoint, route, http, status code, widget', { rank: 10 })
const COMPUTATION = agent(
  'computation',
  'calculate, difference, ratio, project, simulate, compute, forecast, estimate, compare, what is, percent, share',
  { worksOnResults: true, rank: 30 },
)
const RAG = agent(
  'rag',
  'document, docs, policy, policies, contract, handbook, manual, guideline, pdf, uploaded, knowledge base, wiki, my files, terms and conditions, warranty',
  { rank: 15 },
)
const CODE = agent('code', 'python, code, script, plot, chart, graph, visualise, visualize, regression, histogram', {
  worksOnResults: true,
  rank: 35,
})
const MAIL = agent('mail', 'mail, e-mail, email, inbox, reply, draft, send, forward, sent', { acts: true, rank: 40 })
const WEB = agent('web', 'web, online, internet, news, latest, google, website, competitor', { rank: 25 })
const ALL = [SQL, API, COMPUTATION, RAG, CODE, MAIL, WEB]

interface Given {
  readonly agents?: readonly Agent[]
  readonly preferred?: readonly string[]
}

function understand(question: string, { agents = ALL, preferred = [] }: Given = {}): Understanding {
  return planByRules(question, { agents, preferred, context: {} }, TODAY)
}

/** `rag | sql → mail(rag sql)`: stages, with what each task waits for. */
function shape(question: string, given?: Given): string {
  const { tasks } = understand(question, given)
  const plan = validatePlan({ tasks }, new Set(ALL.map(({ name }) => name)))
  return stages(plan)
    .map((stage) =>
      stage.map(({ id, dependsOn }) => (dependsOn.length === 0 ? id : `${id}(${dependsOn.join(' ')})`)).join(' | '),
    )
    .join(' → ')
}

describe('a plan without a model', () => {
  it.each([
    // The seed's three, and the demo.
    [
      'What does the returns policy say about damaged goods, how many orders were returned last quarter and what did they cost? Draft a mail to support with that.',
      'rag | sql → mail(rag sql)',
    ],
    ['Search my docs for Q3 revenue AND find the latest news about our competitor', 'rag | web'],
    [
      'Find sales data in my docs, write Python code to analyze the trend, then email the report to my manager',
      'rag → code(rag) → mail(code)',
    ],
    [
      'Search my docs for the budget, also find public benchmarks online, then write code to compare them',
      'rag | web → code(rag web)',
    ],
    // One agent.
    ['How many orders are open?', 'sql'],
    ['How many orders were returned last quarter and what did they cost?', 'sql'],
    ['What is the returns policy?', 'rag'],
    ['Show me what the handbook says about overtime', 'rag'],
    ['List all tables in the database', 'sql'],
    ['Who are our biggest customers and what are their open orders?', 'sql'],
    ['Calculate 15 % of 230', 'computation'],
    ['What is 2 + 2?', 'computation'],
    ['Any mail from Acme this week?', 'mail'],
    ['Send a mail to bob@example.com saying "The office is closed on Monday."', 'mail'],
    ['Which endpoint returns the status code of a widget?', 'api'],
    ['What is the latest news about Brexit?', 'web'],
    ['Write a Python script that prints the first ten primes', 'code'],
    ['Good morning', 'sql'],
    ['Show the top products and list their suppliers', 'sql'],
    ['Which orders are late, which is the oldest?', 'sql'],
    ['How many orders were placed last month and how many customers signed up?', 'sql'],
    // Side by side.
    ['How many customers are there? How many suppliers are there?', 'sql | sql-2'],
    ['How many orders are open and how many customers are in Ireland?', 'sql | sql-2'],
    ['What does our warranty cover, and what is in the news about battery recalls?', 'rag | web'],
    ['Tell me how many orders are open and look up the refund policy', 'sql | rag'],
    ['Search my docs and the web for the price of steel', 'rag | web'],
    ['Find mentions of Acme both online and in our uploaded files', 'web | rag'],
    ['What is our returns policy and the latest news about Acme?', 'rag | web'],
    ['Search the docs for leave rules; search the docs for travel rules', 'rag | rag-2'],
    ['Check the contract with Acme, the latest news about Acme', 'rag | web'],
    ['Is there a policy on gifts? Also, how many orders came from Japan?', 'rag | sql'],
    // Chains.
    ['List the ten largest orders, then draft a mail about them to Anna', 'sql → mail(sql)'],
    ['Look up the refund rule in the handbook. Send that to support@example.com.', 'rag → mail(rag)'],
    ['Which supplier has the most late deliveries, and what does its contract say about penalties?', 'sql → rag(sql)'],
    ['Find our top customer and search the web for news about them', 'sql → web(sql)'],
    ['Show revenue by month and forecast the next quarter', 'sql → computation(sql)'],
    ['How many orders were returned? Compute the share of all orders that is.', 'sql → computation(sql)'],
    ['Get the headcount from the handbook, then compute the cost per head', 'rag → computation(rag)'],
    ['Forecast revenue for next quarter', 'sql → computation(sql)'],
    ['Calculate the total of the invoices in my docs', 'rag → computation(rag)'],
    ['Plot the trend of sales per month in a chart', 'sql → code(sql)'],
    ['Find overdue invoices, and after that send a reminder e-mail to each customer', 'sql → mail(sql)'],
    ['Look up what the warranty says about batteries. Using that, draft a reply to the customer.', 'rag → mail(rag)'],
    ['Read the mail from Acme and draft a reply to it', 'mail → mail-2(mail)'],
    ['Count the open tickets, plot them by week, then send the chart to Anna', 'sql → code(sql) → mail(code)'],
    [
      'Search the docs for the target, then get the actual revenue from the database, then compute the difference, then mail it to Bob',
      'rag → sql(rag) → computation(sql) → mail(computation)',
    ],
    // Diamonds.
    [
      'Find the budget in my docs and the actual spend in the tables, then calculate the difference',
      'rag | sql → computation(rag sql)',
    ],
    [
      'Search my docs for the budget, then compare it with public benchmarks online',
      'rag | web → computation(rag web)',
    ],
    [
      'How many orders were returned last year? What does the policy say about returns? E-mail both answers to Anna and Bob.',
      'sql | rag → mail(sql rag)',
    ],
    [
      'What does the policy say about refunds, how many were paid out in May, and what do competitors do? Summarise everything in a mail to the board.',
      'rag | sql | web → mail(rag sql web)',
    ],
    [
      'Count the orders per country, calculate the share of each, and e-mail all of that to Bob',
      'sql → computation(sql) → mail(sql computation)',
    ],
    ['List the open orders over 500 and what share of all orders they are', 'sql | sql-2 → computation(sql sql-2)'],
    // Independent in spite of appearances.
    ['How many orders are open? Send a mail to bob@example.com saying "Lunch is at noon."', 'sql | mail'],
    ['What does the handbook say about leave and what is 15 % of 230?', 'rag | computation'],
    ['Send a mail to bob@example.com saying "see you" and tell me how many orders are open', 'mail | sql'],
    // Left to the composer.
    ['Search the docs for Q3 revenue, search the web for Q3 news, then summarize both', 'rag | web'],
    ['How many orders are open? Explain the result in two sentences.', 'sql'],
    // Courtesy, punctuation, code.
    ['Hi! Could you please check the policy on refunds, and also list the refunds of May? Thanks', 'rag | sql'],
    [
      'Run this and e-mail the output to bob@example.com:\n```python\nprint("a, then b. And find c")\n```',
      'code → mail(code)',
    ],
    ['If the stock of widgets is below 10, send a mail to the buyer', 'mail'],
  ])('%s', (question, expected) => {
    expect(shape(question)).toBe(expected)
  })
})
