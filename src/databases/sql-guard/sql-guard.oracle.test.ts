import fc from 'fast-check'
import Database from 'libsql'
import { afterAll, describe, expect, it } from 'vitest'
import { bare } from '../../../test/fixtures/databases/sql-guard/bare.ts'
import { allowedTables, chinook } from '../../../test/fixtures/databases/sql-guard/chinook.ts'
import { HONEST } from '../../../test/fixtures/databases/sql-guard/honest.ts'
import { createSqlGuard, type Verdict } from './index.ts'
import type { Dialect } from '../schema.ts'

// What passes the SQL guard is compared with what SQLite itself would do with the text, read from its compiled program: the tables it
// opens are OpenRead instructions with the root page of a table, a function that it calls is named by the instruction, and anything
// that writes has an instruction of its own.

const gate = createSqlGuard()
const database = scratchDatabase()
afterAll(() => void database.close())

function scratchDatabase() {
  const made = new Database(':memory:')
  for (const table of chinook('sqlite').tables) {
    const columns = table.columns.map((column) => `"${column.name}" ${column.type}`).join(', ')
    made.exec(`CREATE TABLE "${table.name}" (${columns})`)
  }
  return made
}

interface Instruction {
  readonly opcode: string
  readonly p2: number
  readonly p3: number
  readonly p4: string | null
}

interface Program {
  readonly tables: readonly string[]
  readonly functions: readonly string[]
}

const tableOfPage = new Map(
  (database.prepare('SELECT name, rootpage FROM sqlite_master').all([]) as { name: string; rootpage: number }[]).map(
    (row) => [row.rootpage, row.name],
  ),
)

/** Functions that operators mean: `LIKE`, `GLOB`, `->` and `->>`. */
const OPERATOR_FUNCTIONS = new Set(['like', 'glob', '->', '->>'])

/** What SQLite reads and calls; undefined where it does not accept the query. Fails on anything but reading. */
function compiled(sql: string): Program | undefined {
  let program: Instruction[]
  try {
    program = database.prepare(`EXPLAIN ${sql}`).all([]) as Instruction[]
  } catch {
    return undefined // no such column, wrong number of arguments: nothing would run
  }
  const writing = program.filter((step) =>
    /^(OpenWrite|Destroy|Clear|ParseSchema|Vacuum|SetCookie|Function.*load)/.test(step.opcode),
  )
  expect(writing).toEqual([])
  return {
    tables: program
      .filter((step) => step.opcode === 'OpenRead')
      .map((step) => tableOfPage.get(step.p2) ?? `page ${step.p2} of database ${step.p3}`),
    functions: program
      .filter((step) => /^(Function|PureFunc|Agg(Step|Final|Value|Inverse))/.test(step.opcode))
      .map((step) => (step.p4 ?? '').replace(/\(-?\d+\)$/, '').toLowerCase())
      .filter((name) => !OPERATOR_FUNCTIONS.has(name)),
  }
}

/** Tables and functions that SQLite uses and the SQL guard did not name. */
function unseen(sql: string, verdict: Verdict): string[] {
  const program = compiled(sql)
  if (program === undefined || !verdict.allowed) return []
  return [
    ...program.tables.filter((table) => !verdict.tables.includes(table)),
    ...program.functions.filter((name) => !verdict.functions.includes(name)),
  ]
}

const check = (dialect: Dialect, sql: string): Promise<Verdict> =>
  gate.check(sql, chinook(dialect), { allowedTables: allowedTables(dialect) })

/** Fragments that often keep a query valid. Without them too few mutants are valid for the comparison. */
const HARMLESS = [
  ' ',
  '\n',
  ' /* c */ ',
  ' -- c\n',
  ' 1 ',
  ' NULL ',
  " 'x' ",
  ' "x" ',
  ' `x` ',
  ' + 1 ',
  ' AND 1 = 1 ',
  ', 1 ',
  ' AS x ',
  ' album ',
  ' (SELECT 1) ',
  ' FROM album ',
  ' NOT ',
  ' DISTINCT ',
]

const HARMFUL = [
  '(SELECT id FROM secret)',
  ' UNION SELECT id FROM secret',
  ', (SELECT password FROM secret)',
  '; SELECT password FROM secret',
  '; DROP TABLE album',
  ' AND EXISTS (SELECT 1 FROM secret)',
  ' */ SELECT id FROM secret -- ',
  "' UNION SELECT id FROM secret -- ",
  '" UNION SELECT id FROM secret -- ',
  '` UNION SELECT id FROM secret -- ',
  ' FROM secret',
  ' JOIN secret',
  ' JOIN sqlite_master ',
  ' IN secret ',
  "'",
  '"',
  '`',
  '[',
  ']',
  '/*',
  '*/',
  '--',
  '#',
  '$$',
  '$a$',
  '\\',
  '\r',
  '\u00a0',
  '\0',
  ';',
  '(',
  ')',
  ' WITH secret AS (SELECT 1) ',
  ' pg_sleep(1) ',
  '.5',
  '1e',
  'x',
  "E'",
  "x'",
  '@',
  ':',
  '{',
  '!',
]

/** Honest queries with fragments inserted, appended, prepended or in place of a word. */
const mutated = (dialect: Dialect) =>
  fc
    .record({
      sql: fc.constantFrom(...HONEST[dialect]),
      other: fc.constantFrom(...HONEST[dialect]),
      edits: fc.array(
        fc.record({
          at: fc.nat(9999),
          fragment: fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...HARMLESS) }, fc.constantFrom(...HARMFUL)),
          replace: fc.constantFrom(true, false, false),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      join: fc.constantFrom('', '', '', '; ', ' UNION ', ' '),
    })
    .map(({ sql, other, edits, join }) => {
      let text = join === '' ? sql : sql + join + other
      for (const { at, fragment, replace } of edits) {
        const words = text.split(/(?<=\W)|(?=\W)/)
        const index = Math.floor((at / 10_000) * words.length)
        words.splice(index, replace ? 1 : 0, fragment)
        text = words.join('')
      }
      return text
    })

/** A second statement, or a forbidden table or function, outside quotes and comments. */
function forbiddenIn(sql: string, dialect: Dialect): string[] {
  const left = bare(sql, dialect)
  const found = /[^\s;][\s;]*;\s*[^\s;]|sqlite_master|pg_sleep/i.exec(left)
  // A CTE may be called secret; `a.join secret` is a column and its alias.
  const read = /\bWITH secret\b/i.test(left) ? null : /SELECT \w+ FROM secret|(?<!\.\s*)\bJOIN secret\b/i.exec(left)
  return [found, read].flatMap((match) => match?.[0] ?? [])
}

describe('the SQL guard compared with SQLite', () => {
  it('names the tables that SQLite opens and the functions that it calls for the honest questions', async () => {
    for (const sql of HONEST.sqlite) {
      const verdict = await check('sqlite', sql)
      expect({ sql, program: compiled(sql) }).not.toMatchObject({ program: undefined })
      expect({ sql, extra: unseen(sql, verdict) }).toEqual({ sql, extra: [] })
    }
  })

  it(
    'allows nothing for which SQLite would open another table, call another function or write',
    { timeout: 300_000 },
    async () => {
      let passed = 0
      await fc.assert(
        fc.asyncProperty(mutated('sqlite'), async (sql) => {
          const verdict = await check('sqlite', sql)
          if (!verdict.allowed) return
          passed += 1
          expect(verdict.tables).not.toContain('secret')
          expect(unseen(sql, verdict)).toEqual([])
        }),
        { numRuns: 1500 },
      )
      expect(passed).toBeGreaterThan(50)
    },
  )
})

describe.each(['postgres', 'mysql', 'sqlite'] as const)('mutated questions in %s', (dialect) => {
  it('never pass with a second statement or a forbidden table outside quotes', { timeout: 300_000 }, async () => {
    let passed = 0
    await fc.assert(
      fc.asyncProperty(mutated(dialect), async (sql) => {
        const verdict = await check(dialect, sql)
        if (!verdict.allowed) return
        passed += 1
        expect(verdict.tables).not.toContain('secret')
        expect({ sql, forbidden: forbiddenIn(sql, dialect) }).toEqual({ sql, forbidden: [] })
      }),
      { numRuns: 1000 },
    )
    expect(passed).toBeGreaterThan(50)
  })
})

describe.each(['postgres', 'mysql', 'sqlite'] as const)('every place of the honest questions in %s', (dialect) => {
  const forbidden = '(SELECT id FROM secret)'
  const places = HONEST[dialect].flatMap((sql) =>
    [...sql.matchAll(/\b(\d+|name|total|title|composer|invoice_date|country|customer_id|artist_id)\b/g)].map(
      ({ index, 0: word }) => sql.slice(0, index) + forbidden + sql.slice(index + word.length),
    ),
  )

  it('is searched for forbidden tables', async () => {
    let found = 0
    for (const sql of places) {
      if (!bare(sql, dialect).includes(forbidden)) continue
      const verdict = await check(dialect, sql)
      expect({ sql, allowed: verdict.allowed }).toEqual({ sql, allowed: false })
      if (!verdict.allowed && verdict.rule === 'table') found += 1
    }
    expect(found).toBeGreaterThan(50)
  })
})
