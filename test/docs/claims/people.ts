import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A change that a page of another site asks for is refused':
    'test/server/people.test.ts › does nothing for pages of other sites',
}
