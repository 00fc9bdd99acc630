import { expect, it } from 'vitest'
import { composeByRules } from './compose-by-rules.ts'

const findings = { texts: ['There are 92 customers.'], sources: ['brindlemoor'], failures: [] }

it.each([
  ['Send a mail to support with the number of customers', 'Number of customers'],
  ['Send a mail to support about the returns policy', 'Returns policy'],
  ['Send a mail to support with that', ''],
])('takes the subject of "%s" from what it is to hold', (text, subject) => {
  const mail = { text, question: text, from: 'Lars <lars@x.example>', to: ['support@x.example'], subject: '' }
  expect(composeByRules({ ...mail, findings }).subject).toBe(subject)
})
