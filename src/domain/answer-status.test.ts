import { expect, it } from 'vitest'
import { usedModel, isWordedByModel } from './answer-status.ts'

const models = ['p:m']
const tabular = { columns: ['name'], rows: [{ name: '*a* | [x](y)' }], rowCount: 1 }

it.each([
  ['rows of a query that a model wrote', { models, tabular, sources: [{ kind: 'database', name: 'shop' }] }, false],
  ['what a model made of documents', { models, sources: [{ kind: 'document', name: 'faq' }] }, true],
  ['a table that a model made of documents', { models, tabular, sources: [{ kind: 'document', name: 'faq' }] }, true],
  ['what no model had a part in', { sources: [{ kind: 'document', name: 'faq' }] }, false],
] as const)('%s', (_what, result, isWorded) => {
  expect(isWordedByModel(result)).toBe(isWorded)
  expect(usedModel(result)).toBe('models' in result)
})
