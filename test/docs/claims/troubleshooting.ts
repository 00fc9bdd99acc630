import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Cannot connect to … at … for database': [
    'test/docs/recipes.int.test.ts › troubleshooting › quotes sentences that the product can print',
  ],
}
