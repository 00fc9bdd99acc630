// Soak test: asks every declined question with every strategy.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import { createDemo, TODAY } from './support.ts'
import { openForAll } from '../support/opened.ts'

/** Questions that need a model, over the demo's database, documents and mailbox. Each suggested question must work. */
const DECLINED = `
Wie viele Kunden gibt es?
Lösche alle Bestellungen
顧客は何人ですか
How many blorps are there?
Is our business going well?
Forecast the revenue of next year
Write a function that sorts a list
SELECT * FROM customer WHERE 1 = 1
How many orders smell of rain?
What is the capital of France?
Top 10% of customers by revenue
How many customers & suppliers?
How many orders on 30 February 2025?
Delete all orders of 2024
Which customers owe us the most on overdue invoices?
And what about that?
`
  .trim()
  .split('\n')

const demo = openForAll(createDemo)
let app: App
beforeAll(async () => {
  await demo.configure({ databases: [{ url: `sqlite:${demo.database}` }] })
  app = await demo.open({ documents: [demo.documents] })
})
afterAll(() => app.close())

const ask = (question: string): Promise<RunResponse> => app.ask({ question, context: { current_date: TODAY } })

const offeredIn = ({ answer }: RunResponse): string[] => [...answer.matchAll(/^- (.+\?)$/gm)].map(([, one]) => one!)

/** Answered, or with the closest passages. */
const isHelpful = ({ status, citations }: RunResponse): boolean =>
  status === 'answered' || (status === 'not_answered' && citations.length > 0)

it('a question without an answer suggests one to three others, and each of them works', async () => {
  const faults: string[] = []
  const offers = new Map<string, string>()
  for (const question of DECLINED) {
    const response = await ask(question)
    const offered = offeredIn(response)
    // A refused query fails its agent, and the run if there is no other.
    if (!['not_answered', 'failed'].includes(response.status)) faults.push(`${response.status}: ${question}`)
    if (offered.length < 1 || offered.length > 3) faults.push(`offers ${offered.length}: ${question}`)
    for (const one of offered) if (!offers.has(one)) offers.set(one, question)
  }
  for (const [offer, question] of offers)
    if (!isHelpful(await ask(offer))) faults.push(`“${offer}”, offered for “${question}”, does not work`)
  expect(faults).toEqual([])
  // Suggestions for the named tables, besides the general ones.
  expect(offers.size).toBeGreaterThan(10)
}, 240_000)
