import type { Claims } from './claim.ts'

const HANGING = 'test/tracing/tracing.test.ts › a receiver that never answers › delays no run, and fails none'

export const claims: Claims = {
  'A run never waits for a receiver': HANGING,
  'and never fails by one': [
    HANGING,
    'test/cli/tracing.soak.test.ts › a command with a receiver of traces › answers, and reports dropped spans, when nothing listens',
  ],
}
