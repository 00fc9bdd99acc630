import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A writer cannot make a value more trusted':
    'src/engine/calls/board.int.test.ts › holds author and provenance of each entry, and a reader inherits the provenance',
}
