// Soak test: asks every declined question with every strategy.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import { createDemo, TODAY, type Demo } from './support.ts'

/** Questions that need a model, over the demo's database, documents and mailbox. Each suggested question must work. */
const DECLINED = `
Wie viele Kunden gibt es?
Umsatz nach Land
Wie viele Urlaubstage haben Mitarbeiter?
Welche Kunden haben am meisten bestellt?
Was kostet House Espresso?
Wann endet der Liefervertrag?
Offene Rechnungen
Zeige mir alle Bestellungen
Lösche alle Bestellungen
Combien de clients avons-nous ?
Quel est le chiffre d'affaires par pays ?
Montre-moi les factures impayées
¿Cuántos clientes tenemos?
Quanti ordini ci sono?
Hoeveel klanten zijn er?
顧客は何人ですか
asdf qwer
blorps
How many blorps are there?
?!?
🙂🙂
the of and
Is our business going well?
Which customers are unhappy?
Should we raise our prices?
Why did revenue fall in August?
Who is our best employee and why?
Summarise the support tickets
What is the trend of orders?
Forecast the revenue of next year
Write a function that sorts a list
def f(x): return x
SELECT * FROM customer WHERE 1 = 1
for i in range(10): print(i)
How many orders smell of rain?
How many vegan customers are there?
Revenue by galaxy
Customers with a red logo
List the shoe sizes of employees
Which suppliers sponsor football clubs?
What is the capital of France?
How tall is the Eiffel Tower?
Translate “good morning” into Latin
Tell me a joke
Top 10% of customers by revenue
How many orders where status <> open?
How many orders where status != shipped?
Orders > 5
Revenue ~ country
How many customers & suppliers?
revenue / orders
How many orders in the Jurassic?
Revenue in the 37th month of 2025
How many orders on 30 February 2025?
Invoices of the next full moon
How many orders as of 2024?
Revenue before breakfast
Delete all orders of 2024
Update the price of House Espresso to 5
Drop table customers
Book a flight to Lisbon
Send it to everybody
Which customers owe us the most on overdue invoices?
And what about that?
`
  .trim()
  .split('\n')

let demo: Demo
let app: App
beforeAll(async () => {
  demo = await createDemo()
  await demo.configure({ databases: [{ url: `sqlite:${demo.database}` }] })
  app = await demo.open({ documents: [demo.documents] })
})
afterAll(async () => {
  await app.close()
  await demo.remove()
})

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
    if (response.status !== 'not_answered') faults.push(`${response.status}: ${question}`)
    if (offered.length < 1 || offered.length > 3) faults.push(`offers ${offered.length}: ${question}`)
    for (const one of offered) if (!offers.has(one)) offers.set(one, question)
  }
  for (const [offer, question] of offers)
    if (!isHelpful(await ask(offer))) faults.push(`“${offer}”, offered for “${question}”, does not work`)
  expect(faults).toEqual([])
  // Suggestions for the named tables, besides the general ones.
  expect(offers.size).toBeGreaterThan(10)
}, 240_000)
