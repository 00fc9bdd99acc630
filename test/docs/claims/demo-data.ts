import type { Claims } from './claim.ts'

export const claims: Claims = {
  'These rules always hold': 'test/demo/data.test.ts › adds up from lines to invoices',
  'is never below zero':
    'test/demo/data.test.ts › follows from purchases, shipments and returns, and is never negative on any day',
  'Payments never exceed the invoice':
    'test/demo/data.test.ts › is never paid twice or too much, and the status of an invoice matches its payments',
}
