import type { Claims } from './claim.ts'

export const claims: Claims = {
  'or has started a run of its own is never sent back':
    'src/engine/calls/send-back.int.test.ts › is not repeated after an irreversible call, here or in a nested run',
}
