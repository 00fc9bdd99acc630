// Soak test: random queries, checked by the server.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { HONEST } from '../../../test/fixtures/databases/sql-guard/honest.ts'
import { createSqlGuard } from './index.ts'
import { compareGate, complaints } from '../../../test/fixtures/databases/sql-guard/oracle/compare.ts'
import { CALL_FORMS, callBy, CALLED } from '../../../test/fixtures/databases/sql-guard/oracle/forms.ts'
import { createWorld, type World } from '../../../test/fixtures/databases/sql-guard/oracle/world.ts'
import { times } from '../../../test/support/length.ts'

// What passes the SQL guard is compared with what PostgreSQL itself makes of the text: its parse tree names every function, operator,
// table and type by object id. The SQL guard is alone here; nothing is run. `npm run fuzz` does the same at length.

const SEED = 8
const QUERIES = times(3000, 3)

const adminUrl = inject('postgresUrl')
const gate = createSqlGuard()

describe.skipIf(adminUrl === '')('the SQL guard compared with PostgreSQL (skipped where none is installed)', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld(adminUrl)
  })
  afterAll(async () => {
    await world?.close()
  })

  const check = (sql: string) => gate.check(sql, world.schema, { allowedTables: world.allowedTables })

  it('allows nothing that the server resolves differently', { timeout: 300_000 }, async () => {
    const done = await compareGate(gate, world, SEED, ({ generated }) => generated >= QUERIES)
    const { failures, refused: _, ...counts } = done
    console.log(`Oracle, seed ${SEED}:`, counts)
    expect(failures).toEqual([])
    // Otherwise the comparison is too small, or the SQL guard refuses harmless queries.
    expect(counts.compared).toBeGreaterThan(QUERIES / 5)
    expect(counts.harmlessAllowed / counts.harmless).toBeGreaterThan(0.85)
  })

  it('sees every call by a name after a dot as the server does, and refuses it', { timeout: 120_000 }, async () => {
    for (const form of CALL_FORMS) {
      const resolved = await world.resolve(callBy(form, 'evil_any'))
      expect({ form, calls: resolved?.calls.map(({ name }) => name) }).toEqual({
        form,
        calls: expect.arrayContaining(['public.evil_any']),
      })
      for (const name of CALLED) {
        const sql = callBy(form, name)
        expect({ sql, verdict: await check(sql) }).toMatchObject({ sql, verdict: { allowed: false } })
      }
    }
  })

  it('refuses calls that planted functions and operators take over from built-in ones', async () => {
    for (const sql of [
      `SELECT initcap(a) FROM album a`,
      `SELECT a % 1 FROM album a`,
      `SELECT json_value(attrs, '$.a') FROM track`,
      `SELECT a.evil_col FROM album a`,
    ]) {
      const resolved = await world.resolve(sql)
      expect({ sql, why: resolved && complaints(resolved, { tables: world.allowedTables, functions: [] }) }).toEqual({
        sql,
        why: [expect.stringContaining('public.')],
      })
      expect({ sql, verdict: await check(sql) }).toMatchObject({ sql, verdict: { allowed: false } })
    }
  })

  it('allows the honest questions of the shop that this server understands', async () => {
    let understood = 0
    for (const sql of HONEST.postgres) {
      const resolved = await world.resolve(sql.replace(/;$/, ''))
      if (resolved === undefined) continue
      understood += 1
      const verdict = await check(sql)
      expect({ sql, verdict }).toMatchObject({ sql, verdict: { allowed: true } })
      expect({ sql, why: verdict.allowed ? complaints(resolved, verdict) : [] }).toEqual({ sql, why: [] })
    }
    expect(understood).toBeGreaterThan(50)
  })
})
