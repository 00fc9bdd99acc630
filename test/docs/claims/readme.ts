import type { Claims } from './claim.ts'

export const claims: Claims = {
  'never looked for without this':
    'src/setup/models.test.ts › nothing set: no provider, no model, and no variable of another program counts',
  'A superuser is refused': 'src/databases/postgres-rights.test.ts › %s is refused, unless the operator allows it',
}
