import type { Claims } from './claim.ts'

export const claims: Claims = {
  'so the level is always':
    'src/sandbox/cpython/parts.int.test.ts › are a configuration error for a job, and shown before',
}
