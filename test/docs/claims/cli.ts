import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Text from models and databases cannot send control codes':
    'test/cli/ask.int.test.ts › prints its answer without control codes, its calls and its tokens',
  'without it the request is refused':
    'test/cli/api.int.test.ts › is refused when a file names it, and allowed by the operator',
}
