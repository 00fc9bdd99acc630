import type { Claims } from './claim.ts'

export const claims: Claims = {
  'The last admin cannot be removed':
    'src/accounts/people.int.test.ts › signs a disabled user out at once, and keeps one admin',
  'Common passwords are refused':
    'test/server/sign-in-attacks.test.ts › refuses a common password, in any case, at every endpoint',
  'A request with proxy headers is refused':
    'test/server/server.test.ts › accepts the local user when no account exists, and no page of another site',
  'A change that a page of another site sends is refused':
    'test/server/people.test.ts › refuses requests from pages of other sites',
  'an invitation is refused': 'src/accounts/people.int.test.ts › refuses to create an invitation that cannot be used',
  'A source that does not exist is refused':
    'test/server/people.test.ts › accept names or ids for limits and grants, and refuse unknown ones',
}
