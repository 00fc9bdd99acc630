import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A file that is named after no prompt is refused': 'test/answering/wordings.test.ts › refused is › %s',
}
