// Soak test: random queries, checked by SQLite.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type DatabaseOptions, openDatabase } from '../../database.ts'
import { SQLITE_ATTACKS } from '../../../../test/fixtures/databases/sql-guard/attacks-sqlite.ts'
import { allowedTables, chinook } from '../../../../test/fixtures/databases/sql-guard/chinook.ts'
import { HONEST } from '../../../../test/fixtures/databases/sql-guard/honest.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { type Instruction, violationOf } from './sqlite-analysis.ts'

/** Attacks that only the text shows. The database reads them as harmless queries, or its limits stop them. */
const OF_THE_TEXT = new Set(['size', 'length', 'character', 'literal', 'variable', 'parse', 'comment', 'encoding'])

/** The SQL guard refuses these by their form; SQLite reads no other table and calls no other function for them. */
const HARMLESS_HERE = new Set([
  'SELECT 1 ORDER BY (SELECT password FROM secret)',
  'WITH a AS (SELECT * FROM secret), secret AS (SELECT 1) SELECT * FROM a',
  `SELECT "lower"('x')`,
  'SELECT CAST(1 AS evil)',
])

describe('the check by SQLite, with the SQL guard off', () => {
  const folder = temporaryFolder()
  const opened: Database[] = []
  const open = (options: DatabaseOptions = {}): Database => {
    const database = openDatabase(join(folder, 'shop.db'), { tables: allowedTables('sqlite'), ...options })
    opened.push(database)
    return database
  }
  let shop: Database

  beforeAll(() => {
    const database = new Libsql(join(folder, 'shop.db'))
    for (const { name, kind, columns } of chinook('sqlite').tables) {
      if (kind === 'view') continue
      database.exec(`CREATE TABLE ${name} (${columns.map((column) => `"${column.name}" ${column.type}`).join(', ')})`)
    }
    database.exec(`
      CREATE VIEW revenue AS SELECT billing_country AS country, sum(total) AS total FROM invoice GROUP BY 1;
      CREATE VIEW hidden AS SELECT password, hex(randomblob(1)) FROM secret;
      CREATE TABLE "json_tree" (x); CREATE TABLE "a ""b" ("c ""d" TEXT, e GENERATED ALWAYS AS (1));
      CREATE VIRTUAL TABLE notes USING fts5 (body);
      CREATE INDEX by_title ON album (title);
      INSERT INTO secret VALUES (1, 'planted');
      INSERT INTO album VALUES (1, 'Back in Black', 1);
      ANALYZE`)
    database.close()
    shop = open()
  })
  afterAll(() => Promise.all(opened.map((database) => database.close())))

  const outcome = (database: Database, sql: string): Promise<unknown> =>
    database.query(sql, { timeoutMs: 10_000 }).catch((error: unknown) => error)

  it.each(HONEST.sqlite.filter((sql) => !sql.includes('json_tree')))('%s', async (sql) => {
    expect(await outcome(shop, sql)).toMatchObject({ columns: expect.any(Array) })
  })

  it.each([
    `SELECT "c ""d", e FROM "a ""b"`,
    `SELECT body, rowid FROM notes`,
    `SELECT count(*) FROM hidden`,
    `SELECT x FROM json_tree`,
    `SELECT title FROM album WHERE title = 'x' OR album_id IN (SELECT album_id FROM track) ORDER BY title DESC LIMIT 3`,
    `SELECT percent_rank() OVER w, sum(total) OVER (w ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM invoice WINDOW w AS (ORDER BY total)`,
    `SELECT name FROM track WHERE milliseconds BETWEEN 1 AND 2 INTERSECT SELECT name FROM artist EXCEPT SELECT title FROM album`,
    `SELECT a.name FROM artist a FULL JOIN album b USING (artist_id) RIGHT JOIN genre g ON g.name = a.name GROUP BY 1 HAVING min(b.title) > ''`,
  ])('%s is honest, too', async (sql) => {
    expect(
      await outcome(open({ tables: [...allowedTables('sqlite'), 'a "b', 'notes', 'hidden', 'json_tree'] }), sql),
    ).toMatchObject({
      columns: expect.any(Array),
    })
  })

  it.each([
    ...SQLITE_ATTACKS.filter(([rule, sql]) => !OF_THE_TEXT.has(rule) && !HARMLESS_HERE.has(sql)).map(([, sql]) => sql),
    `SELECT 1 FROM album WHERE album_id IN secret`,
    `SELECT 1 FROM album WHERE album_id IN main.secret`,
    `SELECT 1 FROM album WHERE album_id IN pragma_table_info('secret')`,
    `SELECT (SELECT password FROM secret)`,
    `SELECT password FROM hidden`,
    `SELECT * FROM sqlite_stat1`,
    `SELECT * FROM notes_content`,
    `SELECT * FROM sqlite_dbpage`,
    `SELECT * FROM sqlite_stmt`,
    `SELECT * FROM pragma_function_list`,
    `SELECT value FROM generate_series(1, 3)`,
    `SELECT * FROM json_tree('[1]')`,
    `SELECT name FROM fsdir('.')`,
    `SELECT title FROM album ORDER BY randomblob(1)`,
    `SELECT 1 FROM album WHERE title = zeroblob(1)`,
    `SELECT 1 FROM album GROUP BY sqlite_source_id()`,
    `SELECT title REGEXP 'a' FROM album`,
    `SELECT title MATCH 'a' FROM album`,
    `SELECT * FROM album WHERE title = ?1`,
    `SELECT fts5(1)`,
    `SELECT json_group_array(load_extension('x')) OVER () FROM album`,
  ])('%j is refused', async (sql) => {
    expect(await outcome(shop, sql)).toMatchObject({
      code: expect.stringMatching(/^Query(Blocked|Error)$/),
      retryable: false,
    })
  })

  it('exposes nothing to queries that only the SQL guard refuses', async () => {
    for (const [rule, sql] of SQLITE_ATTACKS) {
      if (!OF_THE_TEXT.has(rule) && !HARMLESS_HERE.has(sql)) continue
      expect({ sql, output: JSON.stringify(await outcome(shop, sql)) }).toMatchObject({
        output: expect.not.stringContaining('planted'),
      })
    }
  })

  it('without this protection many of them run, so the tests above are meaningful', async () => {
    const bare = open({ serverCheck: false })
    const outcomes = await Promise.all(
      SQLITE_ATTACKS.filter(([rule]) => rule === 'table').map(([, sql]) => outcome(bare, sql)),
    )
    expect(outcomes.filter((one) => !(one instanceof Error)).length).toBeGreaterThan(10)
    expect(await outcome(bare, 'SELECT password FROM hidden')).toMatchObject({ data: [['planted']] })
    // This build of SQLite can write files from a SELECT, on a read-only handle: the two protections in front have to stop it.
    const file = join(folder, 'written')
    const writing = `SELECT writefile('${file}', 'x')`
    expect(await outcome(shop, writing)).toMatchObject({ code: 'QueryBlocked' })
    expect(existsSync(file)).toBe(false)
    await outcome(bare, writing)
    expect(existsSync(file)).toBe(true)
  })

  it('names the operations that SQLite would run', async () => {
    await expect(shop.query('SELECT * FROM secret')).rejects.toMatchObject({
      code: 'QueryBlocked',
      message: 'SQLite would read the table "secret" for this query; that is not on the allow-list.',
    })
    await expect(shop.query('SELECT randomblob(1)')).rejects.toThrow('call the function "randomblob"')
    await expect(shop.query('SELECT * FROM sqlite_schema')).rejects.toThrow("a table of SQLite's own")
    await expect(shop.query('SELECT 1 FROM pragma_database_list')).rejects.toThrow('table-valued function')
  })

  it('treats a view as a view, whatever it contains', async () => {
    expect(await outcome(open({ tables: ['hidden'] }), 'SELECT count(*) FROM hidden')).toMatchObject({ data: [[1]] })
    expect(await outcome(open({ tables: ['hidden'] }), 'SELECT count(*) FROM secret')).toMatchObject({
      code: 'QueryBlocked',
    })
    expect(await outcome(open({ tables: ['secret'] }), 'SELECT count(*) FROM hidden')).toMatchObject({
      code: 'QueryBlocked',
    })
  })

  it('notices that the schema has changed', async () => {
    const all = openDatabase(join(folder, 'shop.db'))
    opened.push(all)
    await all.query('SELECT 1 FROM album')
    const writer = new Libsql(join(folder, 'shop.db'))
    writer.exec('CREATE TABLE late (id INTEGER)')
    writer.close()
    expect(await all.query('SELECT count(*) FROM late')).toMatchObject({ data: [[0]] })
    expect((await all.protections()).standing).toContain("SQLite's analysis")
  })

  it('refuses an unknown step, and one that writes', () => {
    const lists = { functions: new Set<string>(), tables: new Map(), virtualTables: new Set<string>() }
    const step = (opcode: string, p2 = 0): Instruction => ({ opcode, p1: 0, p2, p3: 0, p4: null })
    expect(violationOf([step('Init'), step('Transaction'), step('Halt')], lists)).toBeUndefined()
    for (const one of [
      step('OpenWrite'),
      step('Transaction', 1),
      step('Vacuum'),
      step('NewInVersion9'),
      step('Function'),
    ]) {
      expect(violationOf([step('Init'), one], lists)).toBeTypeOf('string')
    }
  })
})
