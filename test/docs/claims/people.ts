import type { Claims } from './claim.ts'

export const claims: Claims = {
  'The last admin cannot be removed':
    'src/accounts/people.test.ts › signs a disabled user out at once, and keeps one admin',
  'Common passwords are refused':
    'test/server/sign-in-attacks.test.ts › takes no common password, in whatever case, wherever one is chosen',
  'A request with proxy headers is refused':
    'test/server/server.test.ts › lets the user of this machine in where nobody has an account, and no page of another site',
  'A change that a page of another site sends is refused':
    'test/server/people.test.ts › does nothing for pages of other sites',
  'an invitation is refused': 'src/accounts/people.test.ts › refuses to create an invitation that cannot be used',
  'A source that does not exist is refused':
    'test/server/people.test.ts › limit and give by name or id, and refuse what is nobody',
}
