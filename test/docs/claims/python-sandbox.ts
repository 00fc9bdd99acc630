import type { Claims } from './claim.ts'

export const claims: Claims = {
  'so the level is always':
    'src/sandbox/cpython/parts.test.ts › is an error of configuration when a job comes, and shown before',
}
