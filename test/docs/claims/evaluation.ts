import type { Claims } from './claim.ts'

export const claims: Claims = {
  'is refused before the first case':
    'test/cli/eval.test.ts › refuses a database that cannot be opened before a case is put to it',
}
