import type { Claims } from './claim.ts'

export const claims: Claims = {
  'or has started a run of its own is never sent back':
    'src/engine/calls/send-back.test.ts › is left as it is once something was done that cannot be undone, here or in a run of its own',
}
