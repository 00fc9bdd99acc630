import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { createDemo, TODAY, type Demo } from '../e2e/support.ts'

/** A contract as plain text beside a database, asked for by its file name, without a model. */

const CONTRACT = `SERVICE AGREEMENT

1. Services
The Provider maintains the till software of the Client and answers calls on working days.
Larger changes are ordered in writing.

2. Fees
The Client pays 480 EUR a month, within 14 days of the invoice.

3. Term and notice
This agreement begins on 1 March 2026. It may be terminated by either party with three months' notice to the end of a quarter, in writing.

4. Probation
During the first six months either party may end this agreement with two weeks' notice.
`
/** Of another one, which no question names. */
const OTHER = CONTRACT.replace('three months', 'nine months').replace('480', '720')

let demo: Demo
let app: App
beforeAll(async () => {
  demo = await createDemo()
  await writeFile(join(demo.folder, 'hollin.txt'), CONTRACT)
  await writeFile(join(demo.folder, 'contract.txt'), OTHER)
  app = await demo.open({
    inMemory: true,
    databases: [{ url: `sqlite:${demo.database}` }],
    documents: ['hollin.txt', 'contract.txt'],
  })
})
afterAll(async () => {
  await app.close()
  await demo.remove()
})

it.each([
  ['What is the notice period in contract.txt?', 'contract.txt (3. Term and notice)', 'nine months'],
  ['What is the notice period in hollin.txt?', 'hollin.txt (3. Term and notice)', 'three months'],
  ['According to hollin.txt, what is the notice period?', 'hollin.txt (3. Term and notice)', 'three months'],
  ['How long is the notice period during probation in “contract.txt”?', 'contract.txt (4. Probation)', 'two weeks'],
  ['What are the fees in the file contract.txt?', 'contract.txt (2. Fees)', '720 EUR'],
  ['How many orders are open, and what are the fees in hollin.txt?', 'hollin.txt (2. Fees)', '480 EUR'],
])('%s', async (question, place, says) => {
  const { answer, metadata } = await app.ask({ question, context: { current_date: TODAY } })
  expect(metadata.isAnswered).toBe(true)
  expect(answer).toContain(place)
  expect(answer).toContain(says)
  const isOfHollin = question.includes('hollin')
  expect(answer).not.toMatch(isOfHollin ? /contract\.txt|720|nine/ : /hollin|480|three/)
  // What stands in other clauses is none of it.
  expect(answer.includes('till software')).toBe(false)
})

it('no file of the name, and another period than the one that is asked for, are answered by nothing', async () => {
  for (const question of ['What is the payment period in hollin.txt?', 'What is the notice period in the lease.txt?']) {
    const { metadata } = await app.ask({ question, context: { current_date: TODAY } })
    expect(metadata.isAnswered).toBe(false)
  }
})
