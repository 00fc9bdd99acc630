import { expect, it } from 'vitest'
import type { DatabaseSchema } from '../../databases/schema.ts'
import { runRule } from './run-rule.ts'

/** Parsing time grows with the number of tables. This many take several seconds. */
const HUGE: DatabaseSchema = {
  name: 'shop',
  dialect: 'sqlite',
  tables: Array.from({ length: 12_000 }, (_, at) => ({
    name: `orders${at}`,
    kind: 'table',
    columns: [
      { name: 'id', type: 'int', kind: 'number', nullable: false, primaryKey: true },
      { name: 'before', type: 'int', kind: 'number', nullable: false, primaryKey: false },
    ],
    foreignKeys: [{ columns: ['before'], table: `orders${at + 1}`, referencedColumns: ['id'] }],
  })),
}
const LONG = `How many orders1${' of orders2'.repeat(300)}`

it('returns the result of the rule', async () => {
  expect(await runRule('compute', 'What is 6 * 7?')).toMatchObject({ kind: 'finding', value: 42 })
})

it('returns nothing for a rule that takes too long, keeps the event loop free, and works afterwards', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 20)
  const [fits, computed] = await Promise.all([
    runRule('fits', LONG, HUGE, { today: '2026-11-28' }),
    runRule('compute', 'What is 6 * 7?'),
  ])
  clearInterval(timer)
  expect(fits).toBeUndefined()
  expect(computed).toMatchObject({ value: 42 })
  expect(ticks).toBeGreaterThan(5)
})

it('throws the error of the rule', async () => {
  await expect(runRule('compute', undefined as never)).rejects.toMatchObject({ code: 'Internal' })
})
