import fc from 'fast-check'
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
const SQL = agent(
  'sql',
  'database, table, tables, list, show, top, per, group, average, sum, count, trend, breakdown, report',
  {
    planning: {
      isDefault: true,
      rank: 20,
    },
  },
)
const API = agent('api', 'api, endpoint, route, http, status code, widget', { planning: { rank: 10 } })
const COMPUTATION = agent(
  'computation',
  'calculate, difference, ratio, project, simulate, compute, forecast, estimate, compare, what is, percent, share',
  { planning: { worksOnResults: true, rank: 30 } },
)
const RAG = agent(
  'rag',
  'document, docs, policy, policies, contract, handbook, manual, guideline, pdf, uploaded, knowledge base, wiki, my files, terms and conditions, warranty',
  { planning: { rank: 15 } },
)
const CODE = agent('code', 'python, code, script, plot, chart, graph, visualise, visualize, regression, histogram', {
  planning: {
    worksOnResults: true,
    rank: 35,
  },
})
const MAIL = agent('mail', 'mail, e-mail, email, inbox, reply, draft, send, forward, sent', {
  planning: { acts: true, rank: 40 },
})
const WEB = agent('web', 'web, online, internet, news, latest, google, website, competitor', { planning: { rank: 25 } })
const ALL = [SQL, API, COMPUTATION, RAG, CODE, MAIL, WEB]

interface Given {
  readonly agents?: readonly Agent[]
  readonly preferred?: readonly string[]
}

function understand(question: string, { agents = ALL, preferred = [] }: Given = {}): Understanding {
  return planByRules(question, { agents, preferred, context: {} }, TODAY)
}

function team(agents: readonly Agent[]) {
  return { agents, preferred: [], context: {} }
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
    // Chain, parallel and diamond, and the demo.
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
    ['2+2', 'computation'],
    ['12 * (7 - 2)', 'computation'],
    ['Any mail from Acme this week?', 'mail'],
    ['Send a mail to bob@example.com saying "The office is closed on Monday."', 'mail'],
    ['Which endpoint returns the status code of a widget?', 'api'],
    ['What is the latest news about Brexit?', 'web'],
    ['Write a Python script that prints the first ten primes', 'code'],
    ['Good morning', 'sql'],
    ['Show the top products and list their suppliers', 'sql'],
    ['Which orders are late, which is the oldest?', 'sql'],
    ['How many orders were placed last month and how many customers signed up?', 'sql | sql-2'],
    ['At what temperature does the policy say it is roasted, and how many orders did we ship in 2025?', 'rag | sql'],
    ['How many orders are late and within how many days does the policy take goods back?', 'sql | rag'],
    ['How many customers do we have and can damaged goods be returned by our policy?', 'sql | rag'],
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

  it.each([
    // Another set, written after the rules.
    ['What is our policy on late deliveries and how many deliveries were late in May?', 'rag | sql'],
    ['Get the total revenue for 2025 and email it to finance@acme.com', 'sql → mail(sql)'],
    ['Please find the vendor contract, extract the termination clause, and send a summary to legal', 'rag → mail(rag)'],
    ['Read the Q2 report in my documents and then make a bar chart of revenue by region', 'rag → code(rag)'],
    [
      'Search the web for current steel prices, look up our purchase prices in the database and calculate the difference',
      'web | sql → computation(web sql)',
    ],
    ['Summarize the onboarding handbook', 'rag'],
    ['Which customers have not ordered since March? Draft an e-mail to them offering 10 % off.', 'sql → mail(sql)'],
    ['Did Anna reply to my mail about the invoice?', 'mail'],
    ['Check whether the warranty covers water damage; if so, draft a reply to the customer', 'rag → mail(rag)'],
    [
      'List the five most expensive products, find reviews of them online, and write a Python script that ranks them',
      'sql → web(sql) → code(sql web)',
    ],
    ['What was our best month in 2025 and why?', 'sql'],
    ['Can you tell me what the handbook says about remote work and who approves it?', 'rag'],
    ['I need the number of open tickets, the refund policy, and the latest news on tariffs', 'sql | rag | web'],
    [
      'Find all invoices from Acme in my inbox, add up their amounts and compare the sum with the orders table',
      'mail | sql → computation(mail sql)',
    ],
    ['Convert 120 EUR to USD at 1.08', 'computation'],
    ['Email me the list of overdue invoices', 'sql → mail(sql)'],
    ['Send the refund policy to bob@example.com', 'rag → mail(rag)'],
    ['Email the number of open orders to Anna', 'sql → mail(sql)'],
    ['Draft a mail to support with the number of returned orders last quarter', 'sql → mail(sql)'],
    ['What does the contract say about delivery times? Does our average delivery time meet that?', 'rag → sql(rag)'],
    ['Compare our prices with those of our competitors', 'sql | web → computation(sql web)'],
    ['Look up Q3 revenue in the docs and in the database', 'rag | sql'],
    [
      'First find the sales figures in my docs, then use Python to fit a trend, and finally send the chart to my boss',
      'rag → code(rag) → mail(code)',
    ],
    ['Take the sales figures from the PDF and plot them', 'rag → code(rag)'],
    [
      'Search my documents for the travel policy. Then check online what other companies allow. Then write an email comparing both.',
      'rag → web(rag) → mail(rag web)',
    ],
    ['Who is our largest supplier? What is the news about it? Mail me both.', 'sql → web(sql) → mail(sql web)'],
    ['Give me revenue per country and the growth rate against last year', 'sql'],
    ['What is the VAT rate in Ireland?', 'sql'],
    ['Find news about Acme, and reply to the mail from their CEO with a short summary', 'web → mail(web)'],
    ['Show orders that were placed before the policy changed', 'rag'],
    ['How do I return a damaged product?', 'sql'],
    ['Hello', 'sql'],
    ['Which products are out of stock and, for each, when will the next delivery arrive?', 'sql'],
    ['tell me a joke, then send it to Bob', 'sql → mail(sql)'],
    ['Count orders and then count customers', 'sql | sql-2'],
    ["What's the weather online and what's the policy on snow days?", 'web | rag'],
    [
      'Get sales by region from the database, benchmark data from the web, and the targets from our docs, then write code to compare all three and email the result to the board',
      'sql | web | rag → code(sql web rag) → mail(code)',
    ],
    ['Use the docs agent', 'rag'],
    [
      'Find the latest exchange rate online. How many EUR orders do we have? Convert their total to USD using that.',
      'web | sql → computation(web sql)',
    ],
    ["Reply to Anna's mail: the policy allows 30 days", 'mail'],
    ['Forward the last mail from Acme to Bob', 'mail'],
  ])('%s', (question, expected) => {
    expect(shape(question)).toBe(expected)
  })

  it.each([
    // And a third one.
    [
      'Find the SLA in the contract and the average response time in the tickets table, compare them, and if we miss it, draft a mail to the account manager',
      'rag | sql → computation(rag sql) → mail(computation)',
    ],
    ['Give me three ideas for a newsletter', 'sql'],
    ['Explain what the terms and conditions say on cancellation', 'rag'],
    ['Please summarise the attached document.pdf and email the summary to carol@example.com', 'rag → mail(rag)'],
    [
      'Show the top 10 customers by revenue, look each of them up on the web, and put the results in a table',
      'sql → web(sql)',
    ],
    ['show sales by month then plot it then mail it to Bob', 'sql → code(sql) → mail(code)'],
    [
      'search docs for refund rules and also search web for refund laws and then compare',
      'rag | web → computation(rag web)',
    ],
    ['How many customers are there, and summarise handbook.pdf', 'sql | rag'],
    ['How many units of product 7 did we sell in Q1 and Q2?', 'sql'],
    ['Is it true that orders over 500 ship for free?', 'sql'],
    ['Which policy applies to gifts over 50 euros and who approved it?', 'rag'],
    ['What are our payment terms and which invoices are overdue?', 'sql | sql-2'],
    ['Analyse the sentiment of the reviews in my docs with Python', 'rag → code(rag)'],
    [
      'What does the web say about Acme? What do our docs say about Acme? What does the database say about Acme?',
      'web | rag | sql',
    ],
    ['Make a histogram of order totals and send it to Anna', 'sql → code(sql) → mail(code)'],
    ['Draft replies to all unanswered mails', 'mail'],
    ['Find mails about the outage and summarise them', 'mail'],
    ['Find mails about the outage and send a summary to Bob', 'mail → mail-2(mail)'],
    ['Get the exchange rate from the web, get EUR revenue, multiply both', 'web | sql → computation(web sql)'],
    ['Compare the policy in the handbook with the one online', 'rag | web → computation(rag web)'],
    ['Write me a SQL query that lists all customers', 'sql'],
    [
      'According to the supplier contract, what is the penalty for late delivery, and which deliveries from them were late this year?',
      'rag',
    ],
    ['Which product had the highest return rate last month? Look up its warranty terms.', 'sql → rag(sql)'],
    ['What do the meeting notes in my docs say about Project Falcon?', 'rag'],
    ['Send Anna the refund policy and the number of refunds last month', 'rag | sql → mail(rag sql)'],
    [
      'I want to know how many employees we have, what our leave policy is, and what the legal minimum is according to the web',
      'sql | rag | web',
    ],
    ['Count the customers per country', 'sql'],
    ['Could you compute the standard deviation of 4, 8, 15, 16, 23, 42?', 'computation'],
    ['What is the average of the order totals?', 'sql'],
    ['Search the web for news about our largest customer', 'web'],
    ['Get me the price list from the docs', 'rag'],
    ['How does our revenue compare to last year?', 'sql → computation(sql)'],
    ['Read invoice.pdf and check whether the amount matches the order in the database', 'rag | sql'],
    ['Write an email to Bob.', 'mail'],
    ['Write an email to Bob thanking him for the meeting', 'mail'],
    ['Reply to the latest mail from support and include the policy on refunds', 'rag → mail(rag)'],
    ['Find the policy on refunds and reply to the latest mail from support with it', 'rag → mail(rag)'],
    [
      'Check my inbox for complaints, look up the orders they mention and draft replies',
      'mail → sql(mail) → mail-2(sql)',
    ],
    ["Forecast next month's sales and mail the forecast to the board", 'sql → computation(sql) → mail(computation)'],
    ['What is our churn?', 'sql'],
    ['Plot revenue by month', 'sql → code(sql)'],
    ['Draw a chart of the share of each product in revenue', 'sql → code(sql)'],
    ['What percentage of orders was returned last quarter?', 'sql → computation(sql)'],
    ['Tell me about the company', 'sql'],
    ['who are you', 'sql'],
    [
      'Make a table of all suppliers with their lead times, then find out online which of them are insolvent',
      'sql → web(sql)',
    ],
    [
      'List late orders; for each, say what the contract says about penalties; mail the result to legal@acme.com',
      'sql → rag(sql) → mail(rag)',
    ],
    ['Calculate 3 * (4 + 5), then tell me how many orders are open', 'computation → sql(computation)'],
    ['How many orders did we get yesterday? And the day before?', 'sql'],
    ['Revenue by country. Also the top 5 customers.', 'sql | sql-2'],
    ['Does the handbook allow pets? Email the answer to me.', 'rag → mail(rag)'],
    ['Are there any mails from Acme, and do we have open orders from them?', 'mail → sql(mail)'],
    ["What's 12% of last month's revenue?", 'sql → computation(sql)'],
    ['Using the docs, write a Python script that computes the VAT', 'rag → code(rag)'],
  ])('%s', (question, expected) => {
    expect(shape(question)).toBe(expected)
  })

  it('gives each task its part, complete in itself', () => {
    const texts = (question: string) => understand(question).tasks.map(({ id, text }) => `${id}: ${text ?? '(all)'}`)
    expect(texts('How many orders are open?')).toEqual(['sql: (all)'])
    expect(texts('Hi! check the refund policy. how many refunds were paid out? Thanks!')).toEqual([
      'rag: Check the refund policy.',
      'sql: How many refunds were paid out?',
    ])
    expect(texts('What does the policy say about refunds, and how many of them were paid in May?')).toEqual([
      'rag: What does the policy say about refunds',
      'sql: How many refunds were paid in May?',
    ])
    expect(texts('Search my docs and the web for the price of steel')).toEqual([
      'rag: Search my docs for the price of steel',
      'web: Search the web for the price of steel',
    ])
    expect(texts('Compare our prices with those of our competitors')).toEqual([
      'sql: Find our prices',
      'web: Find the prices of our competitors',
      'computation: (all)',
    ])
    expect(texts('Send the refund policy to bob@example.com')).toEqual(['rag: Show the refund policy', 'mail: (all)'])
    expect(texts('Run this and e-mail me the output:\n```python\nprint(1)\n```')).toEqual([
      'code: Run this:\n```python\nprint(1)\n```',
      'mail: E-mail me the output',
    ])
  })

  it('gives each task the entities that its part speaks of, and no others', () => {
    const { tasks, entities } = understand(
      'What do the PDF contracts of Acme say about damages, and how many orders were returned last quarter?',
    )
    expect(entities).toEqual({
      date_range: { from: '2026-07-01', to: '2026-09-30' },
      doc_type: 'pdf',
      names: ['Acme'],
    })
    expect(tasks.map((task) => task.entities)).toEqual([
      { doc_type: 'pdf', names: ['Acme'] },
      { date_range: { from: '2026-07-01', to: '2026-09-30' } },
    ])
  })

  it('says what is wanted and how it goes about it', () => {
    const { intent, rationale, confidence } = understand(
      'Search my docs for the budget, also find public benchmarks online, then write code to compare them',
    )
    expect(intent).toBe('find out, then work it out')
    expect(rationale).toBe('Planned by rules: rag and web side by side, then code.')
    expect(confidence).toBe(0.4)
  })
})

describe('the choice of an agent', () => {
  it('follows preferences where nothing speaks for another agent, and leaves out who is not there', () => {
    expect(shape('How many orders are open?', { preferred: ['api'] })).toBe('api')
    expect(shape('What does the policy say?', { preferred: ['api'] })).toBe('rag')
    expect(shape('How many orders are open?', { preferred: ['mail'] })).toBe('sql')
    expect(shape('Show revenue by month', { preferred: ['computation'] })).toBe('sql → computation(sql)')
    expect(shape('Search the web for news', { agents: [SQL, RAG] })).toBe('sql')
    expect(understand('Anything', { agents: [] }).tasks).toEqual([])
    expect(understand('Compute the average', { agents: [COMPUTATION] }).tasks).toMatchObject([{ agent: 'computation' }])
  })

  it('knows a new agent by its declaration alone, also by its use cases', () => {
    const weather = agent('weather', 'forecast for, rain, temperature')
    expect(
      planByRules('Will it rain in Cork? How many orders are open?', team([...ALL, weather]), TODAY).tasks,
    ).toMatchObject([{ agent: 'weather' }, { agent: 'sql' }])
    const described = { ...agent('travel', ''), keywords: [], useCases: ['flights and hotels for a business trip'] }
    expect(planByRules('Which flights leave for Rome?', team([...ALL, described]), TODAY).tasks).toMatchObject([
      { agent: 'travel' },
    ])
  })

  it('takes a name for a name only where an agent is spoken of', () => {
    const agents = [SQL, { ...CODE, keywords: ['python'] }]
    expect(shape('Ask the code agent for the first ten primes', { agents })).toBe('code')
    expect(shape('List the customers of that postal code', { agents })).toBe('sql')
  })

  it('asks another source when the default one cannot work', () => {
    const agents = [{ ...SQL, unavailable: 'No database.' }, RAG, MAIL]
    expect(shape('What is the VAT rate?', { agents })).toBe('rag')
    expect(shape('List the tables of the database', { agents })).toBe('sql')
  })
})

describe('any text', () => {
  const word = fc.constantFrom(
    ...'and then also , . ? ! ; : " ``` \n find send draft compute it them that docs web orders policy mail python how many what which 5 % 2025 last month compare with to a@b.co'.split(
      ' ',
    ),
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
  )

  it('makes a plan that can be run, the same each time', () => {
    fc.assert(
      fc.property(text, fc.subarray(ALL), fc.subarray(ALL.map(({ name }) => name)), (question, agents, preferred) => {
        const plan = () => planByRules(question, { agents, preferred, context: {} }, TODAY)
        const { tasks } = plan()
        expect(validatePlan({ tasks }, new Set(agents.map(({ name }) => name))).tasks).toHaveLength(tasks.length)
        expect(plan().tasks).toEqual(tasks)
      }),
      { numRuns: 2_000 },
    )
  })

  it('of great length goes to one agent as it stands, and holds nobody up', () => {
    const pasted = `Which clauses of this contract are unusual?\n${'And find the place, then compare it. '.repeat(3_000)}`
    expect(understand(pasted).tasks).toEqual([{ id: 'rag', agent: 'rag', dependsOn: [] }])
    expect(understand('find the docs; '.repeat(100)).tasks).toHaveLength(1)
    const start = performance.now()
    for (const text of [' ', 'a', 'and ', 'x and find y ', '"', 'a.b', 'a/', 'a@', '1.', ',', ' - ', '```', 'Aa ']) {
      understand(text.repeat(4_000 / text.length))
    }
    // A few milliseconds each on a machine with nothing else to do.
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

it('leaves the source of a computation to one that has it, and takes “5 minutes” for no minutes of a meeting', () => {
  const minutes = { ...RAG, keywords: [...RAG.keywords, 'minutes'] }
  const empty = { ...minutes, unavailable: 'No documents have been added.' }
  expect(shape('Compare the policies per region', { agents: [SQL, COMPUTATION, minutes] })).toContain('rag')
  expect(shape('Compare the policies per region', { agents: [SQL, COMPUTATION, empty] })).not.toContain('rag')
  expect(
    shape('What share of tracks is longer than 5 minutes?', { agents: [SQL, COMPUTATION, minutes] }),
  ).not.toContain('rag')
  expect(shape('What share of the minutes is signed?', { agents: [SQL, COMPUTATION, minutes] })).toContain('rag')
})

it('plans nothing for somebody who only tells of themself', () => {
  expect(understand('My name is Anna').tasks).toEqual([])
  expect(understand('My name is Anna. List the orders.').tasks).toHaveLength(1)
})

it('does not look for the words “in the attached contract” in the file that they mean', () => {
  const team = (hasFiles: boolean) => ({ agents: [SQL, RAG], preferred: [], context: {}, hasFiles })
  for (const place of ['in the attached contract', 'of the contract that I attached', 'in the attachment'])
    expect(planByRules(`What is the notice period ${place}?`, team(true), TODAY).tasks[0]!.text).toBe(
      'What is the notice period?',
    )
  // Without a file it may be a thing that is kept somewhere.
  expect(planByRules('How many orders are in the attachment?', team(false), TODAY).tasks[0]!.text).toBeUndefined()
})
