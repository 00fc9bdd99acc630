import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A writer cannot make a value more trusted':
    'src/engine/calls/board.test.ts › holds who wrote what and where it comes from, and whoever reads it has seen that',
}
