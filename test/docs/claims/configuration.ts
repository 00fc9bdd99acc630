import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Files of the data folder are always refused':
    'src/app/connections/connect-limits.test.ts › files that may be connected › exclude the data folder for operators and users alike: %s',
  'are refused unless [`server.allowContextKeys`]':
    'test/server/context-keys.test.ts › are refused by %s, which names key and setting',
  'a URL that could be read in two ways is refused':
    'test/secrets/server-urls.test.ts › of %s is refused with a hint, without showing it',
  'Python is refused with the reason':
    'src/sandbox/cpython/parts.int.test.ts › are a configuration error for a job, and shown before',
  'never looked for without this':
    'src/app/config/models.test.ts › nothing set: no provider, no model, and variables of other programs are ignored',
}
