import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../support/length.ts'
import { createGate } from '../../src/databases/gate/index.ts'
import { rowsOf } from '../../src/terms/sqlite.fixture.ts'
import { answered, saidOf } from './lying.ts'
import { mutantsOf } from './mutants.ts'
import { pairedDatabases, type Paired } from './pairs.ts'
import { dice } from './world.ts'

/** Queries of a model that is wrong in one way, and of one that is right in other words, through the whole agent. */

const gate = createGate()
let folder: string
let all: readonly Paired[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-held-'))
  all = await pairedDatabases(folder)
})
afterAll(async () => {
  for (const { db } of all) db.close()
  await rm(folder, { recursive: true, force: true })
})

/** What a query gives, whatever the order; undefined where it cannot be run. */
function resultOf({ db }: Paired, sql: string): string | undefined {
  try {
    const rows = rowsOf(db, sql).map((row) => row.map((v) => (typeof v === 'number' ? Math.round(v * 100) / 100 : v)))
    return rows
      .map((row) => JSON.stringify(row))
      .sort()
      .join()
  } catch {
    return undefined
  }
}

/** One question of so many, for the time that all of them take. */
const SHARE = isLong ? 4 : 12

interface Tried {
  readonly kind: string
  readonly question: string
  readonly sql: string
  readonly said: string
  /** There is one reading of the question that is right. */
  readonly isSure: boolean
}

/** Every pair's query in the changes of each kind: those that give the same as it, or those that give something else. */
async function tried(seed: number, isRight: boolean): Promise<Tried[]> {
  const found: Tried[] = []
  for (const one of all) {
    const d = dice(seed)
    const value = (table: string, column: string): string | undefined => {
      const rows = rowsOf(
        one.db,
        `SELECT DISTINCT "${column}" FROM "${table}" WHERE "${column}" IS NOT NULL ORDER BY 1`,
      )
      const values = rows.map(([own]) => String(own)).filter((own) => !own.includes("'"))
      return values.length === 0 ? undefined : d.pick(values)
    }
    for (const pair of one.pairs.filter((_, at) => at % SHARE === 0)) {
      const right = new Set(pair.right.map((sql) => resultOf(one, sql)))
      for (const sql of pair.right) {
        const own = isRight ? [{ kind: 'as it is', sql }] : []
        for (const mutant of [...own, ...mutantsOf(sql, one.schema, d, value, isRight)]) {
          const result = resultOf(one, mutant.sql)
          if (result === undefined || right.has(result) !== isRight) continue
          const said = saidOf(await answered(one, gate, pair, mutant.sql))
          found.push({ ...mutant, question: pair.question, said, isSure: pair.right.length === 1 })
        }
      }
    }
  }
  return found
}

/** What is more than an assumption that is told. */
const HELD = /not what was asked|not allowed|another one|could be used|unanswered|declined/

describe('SQL that a model wrote', () => {
  it('is told of where it is wrong', { timeout: 900_000 }, async () => {
    const wrong = await tried(1, false)
    expect(wrong.length).toBeGreaterThan(1000 / SHARE)
    const silent = wrong.filter(({ said }) => said === '')
    expect(silent.length / wrong.length, JSON.stringify(silent, undefined, 1)).toBeLessThan(0.06)
    // What changes which rows are taken, or what is computed of them, hardly ever passes.
    const kinds = /^(?:period|value|or|and|aggregate|summed|direction|extreme|bound|text|join)/
    const changed = wrong.filter(({ kind }) => kinds.test(kind))
    expect(changed.filter(({ said }) => said === '').length / changed.length).toBeLessThan(0.05)
  })

  it('is not held back where it is right, in whatever words', { timeout: 900_000 }, async () => {
    const right = await tried(1, true)
    expect(right.length).toBeGreaterThan(800 / SHARE)
    // Of a question with several right readings, another one may be told.
    const held = right.filter(({ said, isSure }) => (isSure ? HELD : /not what was asked/).test(said))
    expect(held).toEqual([])
  })
})
