import type { Claims } from './claim.ts'

export const claims: Claims = {
  'With nobody to ask, such a call is refused':
    'src/engine/approvals/refusals.int.test.ts › asks nobody: the call fails at once, the others continue, and the response names the reason',
  'A late answer is refused':
    'src/engine/approvals/approvals.int.test.ts › counts once; a late decision is refused with the reason',
  "Words of strangers cannot cause an irreversible call without a user's approval of exactly that call":
    'test/e2e/hidden-instructions.test.ts › sends nothing without an approval that shows payload and origin, %s',
}
