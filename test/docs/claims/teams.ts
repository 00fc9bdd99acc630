import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Only after its checks have passed is it used':
    'src/storage/teams.int.test.ts › are used after they have passed, and not before',
}
