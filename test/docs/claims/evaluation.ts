import type { Claims } from './claim.ts'

export const claims: Claims = {
  'is refused before the first case':
    'test/cli/eval.int.test.ts › refuses an unreadable database before the first case',
  'a case that names sources of its own is refused':
    'test/server/evaluations.int.test.ts › reports invalid cases, and explains what to do without any',
}
