import type { Claims } from './claim.ts'

export const claims: Claims = {
  'a URL that could be read in two ways is refused':
    'test/secrets/server-urls.test.ts › of %s is refused with the hint, and nothing of it is shown',
  'Python is refused with the reason':
    'src/sandbox/cpython/parts.test.ts › is an error of configuration when a job comes, and shown before',
  'never looked for without this':
    'src/setup/models.test.ts › nothing set: no provider, no model, and no variable of another program counts',
}
