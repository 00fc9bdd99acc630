import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Vectors of two models are never mixed':
    'src/documents/search/retriever.test.ts › goes by words and says how to mend it: %s',
  'What it tells a model to do is never an order':
    'test/e2e/hidden-instructions.test.ts › sends nothing without an approval that shows payload and origin, %s',
}
