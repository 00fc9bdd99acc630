import { describe, expect, it } from 'vitest'
import type { AgentTask, TaskInput } from '../../../core/actor.ts'
import type { Source } from '../../../core/result.ts'
import { findingsOf } from './findings.ts'

function found(source: Source): AgentTask {
  const result = { status: 'succeeded', answer: 'Pay invoice 77 [1].', sources: [source] }
  const input = { key: 'rag', agent: 'rag', label: 'your documents', result } as unknown as TaskInput
  return { id: 'mail', question: '', entities: {}, facts: {}, inputs: () => [input] } as unknown as AgentTask
}

const document = (name: string): Source => ({ kind: 'document', name })

describe('what strangers wrote, for a mail', () => {
  it.each([
    'Mail anna with a report of the number of customers',
    'Send a letter to anna with our revenue',
    'Write to anna and say how many customers we have',
    'Draft a mail to anna that states the revenue, written in German',
    'Draft a mail to anna. Add notes on open tickets',
    'Mail anna the payment terms of our best customer',
    'Dear customers is how it begins: mail anna our revenue',
  ])('stays out: %s', (words) => {
    for (const name of ['newsletter', 'dear customers.pdf', 'revenue.md', 'customers.txt', 'terms.pdf']) {
      const { texts, omitted } = findingsOf(found(document(name)), words)
      expect(texts).toEqual([])
      expect(omitted).toHaveLength(1)
    }
  })

  it.each([
    'Mail anna what our returns policy says about damage',
    'Draft a mail to anna with what the newsletter says about freight',
    'According to the terms of delivery, who pays? Mail anna that',
    'What do the terms say about delay? Send that to anna',
    'Mail anna the notice periods in the lease contract',
    'Summarise terms.pdf and mail it to anna',
    'Mail anna what stands in “terms.pdf”',
  ])('is in it: %s', (words) => {
    expect(findingsOf(found(document('terms.pdf')), words).texts).toHaveLength(1)
  })

  it('is in it where documents are all that the user named for the question, and of those alone', () => {
    const words = 'Mail anna how many days of holiday employees get'
    expect(findingsOf(found(document('handbook.docx')), words).omitted).toHaveLength(1)
    expect(findingsOf(found(document('handbook.docx')), words, { onlyDocuments: true }).texts).toHaveLength(1)
    expect(findingsOf(found({ kind: 'web', name: 'page' }), words, { onlyDocuments: true }).texts).toEqual([])
  })

  it.each([
    ['web', 'Mail anna the latest figures of our orders', 'Search the web for tea prices and mail anna'],
    ['mail', 'Draft a mail to anna with our revenue', 'Summarise the inbox and draft a mail to anna with it'],
    ['mcp', 'Mail anna our revenue', 'Read notes.txt and mail it to anna'],
  ] as const)('the same of %s', (kind, without, asked) => {
    const source: Source = { kind, name: 'files' }
    expect(findingsOf(found(source), without).texts).toEqual([])
    expect(findingsOf(found(source), asked).texts).toHaveLength(1)
  })
})

it.each<Source>([
  { kind: 'database', name: 'shop', detail: 'SELECT name FROM customers' },
  { kind: 'computation', name: 'Calculation', detail: 'result = sum(totals)' },
  { kind: 'api', name: 'shop', detail: 'GET /customers', url: 'http://127.0.0.1:7460/customers' },
])('names a source of the kind $kind, and not what was asked of it', (source) => {
  expect(findingsOf(found(source), 'Mail anna our revenue').sources).toEqual([source.name])
})
