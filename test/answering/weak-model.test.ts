import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { createDemoDatabase } from '../../src/demo/database.ts'
import type { LiveItem } from '../../src/engine/readers/live.ts'
import { openApp } from '../../src/setup/setup.ts'
import { startModelServer, type ModelServer, type Reply, type Rule } from '../support/model-server.ts'
import { ASKED, TODAY } from '../e2e/support.ts'

/** A model that invents, forgets and chatters, against the whole product: 92 customers there are, and 4217 nowhere. */

const QUESTION = 'How many customers are there?'
const INVENTED = '4217'
const GOOD_SQL = 'SELECT count(*) AS customers FROM customers'

let folder: string
let server: ModelServer
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-weak-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  server = await startModelServer()
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

afterEach(async () => app.close())

const sql = (query: string): Reply => ({ json: { database: 'demo', sql: query, explanation: 'Counts customers.' } })

function rules(...first: Rule[]): Rule[] {
  return [
    ...first,
    { when: ASKED.planner, reply: { json: { agents: ['sql'], rationale: 'r', confidence: 0.9 } } },
    { when: ASKED.sql, reply: sql(GOOD_SQL) },
    { when: ASKED.sqlReview, reply: { json: { correct: true, problems: '', sql: '' } } },
    { when: ASKED.compose, reply: { text: 'There are 92 customers.' } },
  ]
}

async function ask(script: Rule[], question = QUESTION, documents: readonly string[] = []) {
  server.script(script)
  app = await openApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    ...(documents.length > 0 ? { documents } : { databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}` }] }),
    onTrouble: (error) => expect.fail(error.message),
  })
  const runId = await app.start({ question, trace: true, context: { current_date: TODAY } })
  const items: LiveItem[] = []
  for await (const item of app.engine.stream(runId)) items.push(item)
  const shown = items.flatMap((item) => (item.type === 'live.text' || item.type === 'answer.delta' ? [item.text] : []))
  const response = await app.response(runId)
  // Whatever the model says, this is what nobody is shown.
  expect([response.answer, ...response.metadata.notes, ...shown].join('\n')).not.toMatch(/4[.,]?217/)
  return { response, shown: shown.join('') }
}

const composed = (text: string, times?: number): Rule => ({
  when: ASKED.compose,
  ...(times === undefined ? {} : { times }),
  reply: { text },
})
const compositions = () => server.requests.filter(({ text }) => text.includes(ASKED.compose))
const OWN = 'customers: 92.'

describe('a weak model', () => {
  it('that invents a figure is told so once, and repairs it', async () => {
    const { response } = await ask(rules(composed(`There are ${INVENTED} customers.`, 1)))
    expect(response.answer).toBe('There are 92 customers.')
    expect(compositions()[1]!.text).toContain(`does not follow from them: ${INVENTED}.`)
    expect(response.metadata.notes).toEqual([])
  })

  it('that insists on its figure is not printed: the agent’s own answer stands, with a note', async () => {
    const { response, shown } = await ask(rules(composed(`There are ${INVENTED} customers.`)))
    expect(response.answer).toBe(OWN)
    expect(shown).toBe(OWN)
    expect(compositions()).toHaveLength(2)
    expect(response.metadata.notes).toEqual(['The agents’ own words: the model’s answer did not hold what was found.'])
  })

  it('that adds an invented sentence loses that sentence alone, in the stream as well', async () => {
    const text = `There are 92 customers. Last year there were ${INVENTED}. That is all.`
    const { response, shown } = await ask(rules(composed(text)))
    expect(response.answer).toBe('There are 92 customers. That is all.')
    expect(shown).toContain('There are 92 customers. That is all.')
    expect(response.metadata.notes[0]).toMatch(/^Sentences of the model were left out/)
  })

  it.each(['There are 29 customers.', 'There are 920 customers.', 'There are ninety-three customers.'])(
    'that changes a figure is not believed: %s',
    async (text) => expect((await ask(rules(composed(text)))).response.answer).toBe(OWN),
  )

  it('that invents a name has it taken out', async () => {
    const { response } = await ask(rules(composed('There are 92 customers. The best one is “Acme 4217 Ltd”.')))
    expect(response.answer).toBe('There are 92 customers.')
  })

  it('that cites what is not there has the mark taken out, in the stream as well', async () => {
    const { response, shown } = await ask(rules(composed('There are 92 customers [99]. That is all.')))
    expect(response.answer).toBe('There are 92 customers. That is all.')
    expect(shown).not.toContain('[99]')
  })

  it('that has nothing but such a mark for a sentence loses the sentence, in the stream as well', async () => {
    const text = 'There are 92 customers. They are happy with the service [99]. That is all.'
    const { response, shown } = await ask(rules(composed(text)))
    expect(response.answer).toBe('There are 92 customers. That is all.')
    expect(shown).not.toContain('happy')
  })

  it('that answers in another language is asked again, and is not taken', async () => {
    const german = composed('Es gibt 92 Kunden, die in der Datenbank sind.')
    expect((await ask(rules({ ...german, times: 1 }))).response.answer).toBe('There are 92 customers.')
    expect(compositions()[1]!.text).toContain('not in the language of the question')
    await app.close()
    expect((await ask(rules(german))).response.answer).toBe(OWN)
    await app.close()
    // Unless that is what the user wants.
    expect((await ask(rules(german), `${QUESTION} Answer in German.`)).response.answer).toContain('Es gibt 92 Kunden')
  })

  it.each(['', '   '])('that says nothing at all leaves the agent’s own answer: “%s”', async (text) => {
    const { response } = await ask(rules(composed(text)))
    expect(response.answer).toBe(OWN)
    expect(response.metadata.notes[0]).toMatch(/^Done without a model: the wording of the answer/)
  })

  it('that chatters instead of answering leaves the agent’s own answer', async () => {
    const { response } = await ask(rules(composed('Sure! I am happy to help you with that. What else can I do?')))
    expect(response.answer).toBe(OWN)
  })

  it.each([
    `SELECT ${INVENTED} AS active_customers`,
    `SELECT ${INVENTED} AS active_customers FROM customers LIMIT 1`,
    `SELECT customers.n FROM (SELECT ${INVENTED} AS n) AS customers`,
    'SELECT n FROM sold_things',
  ])('that writes SQL without a table that is there gets nothing run: %s', async (query) => {
    const script = rules({ when: ASKED.sql, reply: sql(query) }, composed(`There are ${INVENTED}.`))
    const { response } = await ask(script, 'How many profitable customers are there?')
    expect(response.agentResults[0]).toMatchObject({ status: 'failed' })
    expect(response.answer).toMatch(/^This could not be answered: /)
    expect(response.answer).not.toContain('\n')
    expect(compositions()).toEqual([])
  })

  it.each([`SELECT ${INVENTED} AS n`, 'SELECT n FROM sold_things', ''])(
    'that has no query for what the rules read leaves it to them: %j',
    async (query) => {
      const { response } = await ask(rules({ when: ASKED.sql, reply: sql(query) }))
      expect(response.answer).toContain('92')
      expect(response.agentResults[0]).toMatchObject({ status: 'succeeded', data: { by: 'rules' } })
      expect(JSON.stringify(response)).toContain('The model wrote no query for this that could be used')
    },
  )

  it('whose query is another one than the rules read is told so once, and then in the answer', async () => {
    const { response } = await ask(
      rules({ when: ASKED.sql, reply: sql('SELECT count(DISTINCT city) AS n FROM customers') }),
    )
    const reviews = server.requests.filter(({ text }) => text.includes(ASKED.sqlReview))
    expect(reviews).toHaveLength(1)
    expect(JSON.stringify(response)).toContain('the answer is another one: The number of customers is 92.')
  })

  it('that mends such a query is taken', async () => {
    const { response } = await ask(rules({ when: ASKED.sql, times: 1, reply: sql(`SELECT ${INVENTED} AS n`) }))
    expect(response.answer).toBe('There are 92 customers.')
  })

  it.each([
    ['chooses nobody', []],
    ['chooses agents that there are not', ['oracle', 'magician']],
  ])('that %s prints nothing of its own', async (_name, agents) => {
    const planned: Rule = { when: ASKED.planner, reply: { json: { agents, rationale: 'r', confidence: 1 } } }
    const { response } = await ask(rules(planned, composed(`There are ${INVENTED} customers.`)))
    expect(response.answer).not.toBe('')
  })

  it('that leaves out zero has it added', async () => {
    const none = sql("SELECT count(*) AS customers FROM customers WHERE city = 'Nowhere'")
    const zero = await ask(rules({ when: ASKED.sql, reply: none }, composed('Here is what you asked for.')))
    expect(zero.response.answer).toMatch(/\b0\b/)
    await app.close()
    const said = await ask(rules({ when: ASKED.sql, reply: none }, composed('There are no such customers.')))
    expect(said.response.answer).toBe(
      [
        'There are no such customers.',
        '(Assumed: only rows with “city = Nowhere” are taken.)',
        'By the words of the question alone, without the model, the answer is another one: The number of customers is 92.',
      ].join('\n\n'),
    )
  })

  it('that leaves out the period and the filter has them added', async () => {
    const filtered = sql(
      "SELECT count(*) AS orders FROM orders o WHERE o.status = 'shipped' AND o.order_date >= '2026-01-01'",
    )
    const { response } = await ask(
      rules(
        { when: ASKED.sql, reply: filtered },
        {
          when: ASKED.compose,
          reply: ({ text }) => ({ text: `There are ${/> orders\n> (\d+)/.exec(text)![1]!} orders.` }),
        },
      ),
      'How many orders were shipped in 2026?',
    )
    expect(response.answer).toMatch(
      /^There are 9 orders\.\n\n\(Only where status = 'shipped' and order_date >= '2026-01-01'\.\)\n\nBy the words of the question alone, .* with shipments in 2026 is 304\./,
    )
  })

  it.each([
    [
      'How many customers are there in Germany?',
      GOOD_SQL,
      'The query does not say “Germany”, so this is not what was asked.',
    ],
    [
      'How many customers are there in Brazil?',
      "SELECT count(*) AS n FROM customers WHERE country = 'Germany'",
      'The query does not say “Brazil”, so this is not what was asked.',
    ],
    [
      'How many orders were placed in 2025?',
      "SELECT count(*) AS n FROM orders WHERE order_date >= '2026-01-01'",
      'The query does not say “in 2025”, so this is not what was asked.',
    ],
    [
      'What is the average price of the products?',
      'SELECT sum(list_price) AS average FROM products',
      'Not answered: “What is the average price of the products”: the query does not ask for it.',
    ],
  ])(
    'whose query is for something else is told so; then it is said, and no model words it: %s %s',
    async (question, query, said) => {
      const { response } = await ask(
        rules({ when: ASKED.sql, reply: sql(query) }, composed('There are 92 of them.')),
        question,
      )
      expect(server.requests.find(({ text }) => text.includes(ASKED.sqlReview))!.text).toContain(/“.*?”/.exec(said)![0])
      expect(response.answer).toContain(said)
      // A figure of other rows comes behind it, not before it, and is no plain success.
      expect(response.answer?.startsWith(said)).toBe(said.startsWith('The query'))
      expect(response.metadata).toMatchObject({ answeredBy: 'fallback', unanswered: [expect.any(String)] })
      expect(compositions()).toEqual([])
    },
  )

  it('that mends such a query is taken at its word', async () => {
    const mended = "SELECT count(*) AS customers FROM customers WHERE country = 'Germany'"
    const { response } = await ask(
      rules(
        { when: ASKED.sqlReview, reply: { json: { correct: false, problems: 'No filter.', sql: mended } } },
        {
          when: ASKED.compose,
          reply: ({ text }) => ({ text: `${/> customers\n> (\d+)/.exec(text)![1]!} customers in Germany.` }),
        },
      ),
      'How many customers are there in Germany?',
    )
    expect(response.answer).toMatch(/^\d+ customers in Germany\.$/)
  })

  it('that answers half of a question has the other half named, and the run is not taken for an answered one', async () => {
    const question = 'What is the average list price of the products and how many products are there?'
    const half = sql('SELECT avg(list_price) AS average FROM products')
    const { response } = await ask(rules({ when: ASKED.sql, reply: half }), question)
    expect(response.answer).toContain('Not answered: “How many products are there”: the query does not ask for it.')
    expect(response.metadata.unanswered).toEqual(['How many products are there'])
    await app.close()
    const words = composed('The average list price is 524.80.')
    const one = await ask(
      rules({ when: ASKED.sql, reply: half }, words),
      'What is the average list price and the number of products?',
    )
    expect(one.response.answer).toBe(
      'The average list price is 524.80.\n\nNot answered: “the number of products”: the query does not ask for it.',
    )
    expect(one.response.metadata).toMatchObject({ answeredBy: 'model', unanswered: ['the number of products'] })
    await app.close()
    const both = sql('SELECT avg(list_price) AS average, count(*) AS products FROM products')
    const whole = await ask(rules({ when: ASKED.sql, reply: both }), question)
    expect(whole.response.metadata.unanswered).toEqual([])
  })
})
