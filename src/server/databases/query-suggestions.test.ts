import { expect, it } from 'vitest'
import { allowedVariants, refusedPosition } from './query-suggestions.ts'

/** In which a search at each place again takes longer than a test may: with a tenth of it, it took seconds. */
const LENGTH = 200_000

it('a query with many unclosed brackets is checked quickly, because it is checked while typing', () => {
  for (const open of ['[', '/*', '`', '[`', '"', "'"]) {
    const sql = open.repeat(LENGTH / open.length)
    const refused = { allowed: false, rule: 'table', reason: 'There is no table "shop".', name: 'shop' } as const
    refusedPosition(sql, refused)
    expect([...allowedVariants(sql, refused, [])]).toEqual([])
  }
})
