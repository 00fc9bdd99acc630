import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Always into a conversation of its own, marked as new':
    'test/server/schedules.test.ts › runs at the time of its zone, once a day, and puts the answer into the inbox',
  'Private addresses are refused': 'test/server/schedules.test.ts › refuses %j',
}
