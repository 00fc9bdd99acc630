import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Vectors of two models are never mixed':
    'src/documents/search/retriever.test.ts › searches by keywords and reports how to fix it: %s',
  'What it tells a model to do is never an order':
    'test/e2e/hidden-instructions.test.ts › sends nothing without an approval that shows payload and origin, %s',
}
