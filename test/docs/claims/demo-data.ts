import type { Claims } from './claim.ts'

export const claims: Claims = {
  'These things always hold': 'src/demo/demo.test.ts › adds up from lines to invoices',
  'was never below zero':
    'src/demo/demo.test.ts › follows from purchases, shipments and returns, and is never negative on any day',
  'payments never exceed it':
    'src/demo/demo.test.ts › is never paid twice or too much, and the status of an invoice says what was paid',
}
