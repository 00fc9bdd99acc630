import Database from 'libsql'
import { expect, it } from 'vitest'
import { containsText, equalsAny } from './case-folding.ts'

it('finds texts without regard to case, and other letters than ASCII as they are stored', () => {
  const db = new Database(':memory:')
  const isTrue = (sql: string): boolean =>
    (db.prepare(`SELECT ${sql} AS found`).get([]) as { found: number }).found === 1
  expect(isTrue(equalsAny(`'Lyon'`, ['Paris', 'LYON'], 'sqlite'))).toBe(true)
  expect(isTrue(equalsAny(`'Ärzte'`, ['ÄRZTE', 'Ärzte'], 'sqlite'))).toBe(true)
  expect(isTrue(equalsAny(`'Lyon'`, ['Lyo', '*'], 'sqlite'))).toBe(false)
  expect(isTrue(containsText(`'50% off in Østerhus'`, '% OFF in Ø', 'sqlite'))).toBe(true)
  expect(isTrue(containsText(`'abc'`, 'a_c', 'sqlite'))).toBe(false)
  db.close()
})
