import type { Claims } from './claim.ts'

export const claims: Claims = {
  'These rules always hold': 'test/demo/data.test.ts › invoices add up from their lines',
  'is never below zero':
    'test/demo/data.test.ts › stock follows from purchases, shipments and returns, and is never negative on any day',
  'Payments never exceed the invoice': 'test/demo/data.test.ts › invoices are never paid twice or too much',
}
