import type { Claims } from './claim.ts'

export const claims: Claims = {
  'The supervisor cannot say that all is done':
    'test/e2e/supervisor.test.ts › cannot declare open parts done, nor leave them out of the plan: QA says what was not done',
  'A writer cannot make a value more trusted':
    'src/engine/calls/board.test.ts › holds who wrote what and where it comes from, and whoever reads it has seen that',
}
