import type { Claims } from './claim.ts'

export const claims: Claims = {
  'internal addresses are refused':
    'src/engine/calls/door.test.ts › does not reach this machine unless the operator allows it',
  'A call that nobody decides on is refused':
    'src/engine/approvals/approvals.int.test.ts › expires by the clock; the job fails and the others continue',
  'Relative paths are refused': 'src/app/create-app.test.ts › %j is reported in one sentence',
}
