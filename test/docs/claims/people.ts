import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Common passwords are refused':
    'test/server/sign-in-attacks.test.ts › takes no common password, in whatever case, wherever one is chosen',
  'A proxy in front of it is refused by what proxies add to':
    'test/server/server.test.ts › lets the user of this machine in where nobody has an account, and no page of another site',
  'A change that a page of another site asks for is refused':
    'test/server/people.test.ts › does nothing for pages of other sites',
  'an invitation is refused when it is to be made':
    'src/people/people.test.ts › makes no invitation that nobody could use',
  'A source that is not there is refused':
    'test/server/people.test.ts › limit and give by name or id, and refuse what is nobody',
}
