import type { Claims } from './claim.ts'

export const claims: Claims = {
  'is refused before the first case':
    'test/cli/eval.test.ts › refuses a database that cannot be opened before a case is put to it',
  'a case that names sources of its own is refused':
    'test/server/evaluations.test.ts › says what is wrong with cases, and what to do where there are none',
}
