import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { childProcesses, isAlive } from '../../test/support/child-processes.ts'
import { testDriver } from '../../test/support/database-driver.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { openDatabase, type Database } from './database.ts'

const LINUX = process.platform === 'linux'
const NUMBERS = 'WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)'
const ENDLESS = `${NUMBERS} SELECT count(*) FROM c`
/** The other protections are tested with SQLite's analysis off. */
const BARE = { serverCheck: false }

describe('SQLite', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'shop.db')
  const opened: Database[] = []

  beforeAll(() => {
    const database = new Libsql(file)
    database.exec(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, born DATE, seen DATETIME, active BOOLEAN);
      CREATE TABLE lines (order_id INT, line_no INT, amount NUMERIC(10,2), PRIMARY KEY (order_id, line_no));
      CREATE TABLE notes (id INTEGER PRIMARY KEY, order_id INT, line_no INT, customer INT REFERENCES customers,
        place POINT, extra JSON, length INT GENERATED ALWAYS AS (id * 2),
        FOREIGN KEY (order_id, line_no) REFERENCES lines (order_id, line_no));
      CREATE VIEW names AS SELECT name FROM customers;
      CREATE VIEW broken AS SELECT * FROM gone;
      CREATE VIRTUAL TABLE words USING fts5 (body);
      INSERT INTO customers VALUES (1, 'Ada', '1815-12-10', '2024-03-31 02:30:00', 1), (2, 'Bob', NULL, NULL, 0);
      INSERT INTO lines VALUES (1, 1, 12.5);`)
    database.close()
  })

  const open = (path = file): Database => {
    const database = openDatabase(`sqlite:${path}`, BARE)
    opened.push(database)
    return database
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()))
  })

  it('returns tables, views, columns and keys', async () => {
    const schema = await open().schema()
    expect(schema).toMatchObject({ name: 'shop', dialect: 'sqlite' })
    expect(schema.tables.map((table) => [table.name, table.kind])).toEqual([
      ['customers', 'table'],
      ['lines', 'table'],
      ['names', 'view'],
      ['notes', 'table'],
      ['words', 'table'],
    ])
    const [customers, lines, , notes, words] = schema.tables
    expect(customers!.columns).toEqual([
      { name: 'id', type: 'integer', kind: 'number', nullable: false, primaryKey: true },
      { name: 'name', type: 'varchar(40)', kind: 'text', nullable: false, primaryKey: false },
      { name: 'born', type: 'date', kind: 'date', nullable: true, primaryKey: false },
      { name: 'seen', type: 'datetime', kind: 'datetime', nullable: true, primaryKey: false },
      { name: 'active', type: 'boolean', kind: 'boolean', nullable: true, primaryKey: false },
    ])
    expect(lines!.columns.map((column) => column.primaryKey)).toEqual([true, true, false])
    expect(notes!.columns.map((column) => [column.name, column.kind]).slice(4)).toEqual([
      ['place', 'other'],
      ['extra', 'json'],
      ['length', 'number'],
    ])
    expect(notes!.foreignKeys).toEqual([
      { columns: ['order_id', 'line_no'], table: 'lines', referencedColumns: ['order_id', 'line_no'] },
      { columns: ['customer'], table: 'customers', referencedColumns: ['id'] },
    ])
    expect(words!.columns.map((column) => column.name)).toEqual(['body'])
  })

  const manyRows = `${NUMBERS} SELECT n, name FROM c, customers`

  testDriver({
    address: () => `sqlite:${file}`,
    options: BARE,
    cells: [
      ['9007199254740991', 9007199254740991],
      ['9007199254740993', '9007199254740993'],
      ['1.5', 1.5],
      ['1e999', 'Infinity'],
      ['NULL', null],
      ["x'00ff10'", "x'00ff10'"],
      ["'ü€😀'", 'ü€😀'],
      ["date('2024-03-31')", '2024-03-31'],
      [
        "replace(hex(zeroblob(6000)), '00', 'xx')",
        expect.stringMatching(/^x{10000}… \[cut: 12000 characters in all\]$/),
      ],
    ],
    refused: [
      ['a write', "INSERT INTO customers (name) VALUES ('Eve')"],
      ['a write that returns rows', "INSERT INTO customers (name) VALUES ('Eve') RETURNING *"],
      ['a definition', 'CREATE TABLE other (a)'],
      ['a temporary table', 'CREATE TEMP TABLE customers (a)'],
      ['ATTACH of a new file', `ATTACH '${folder}/new.db' AS other`],
      ['ATTACH behind a comment', `/* x */ ATTACH '${folder}/new.db' AS other`],
      ['VACUUM INTO', `VACUUM INTO '${folder}/new.db'`],
      ['two statements', `SELECT 1; ATTACH '${folder}/new.db' AS other`],
      ['two statements, odd quotes', "SELECT ';' -- ;\n; DELETE FROM customers"],
      ['BEGIN', 'BEGIN EXCLUSIVE'],
      ['a switch to writing', 'PRAGMA query_only = 0'],
      ['a switch of the journal', 'PRAGMA journal_mode = DELETE'],
      ['a lock kept for good', 'PRAGMA locking_mode = EXCLUSIVE'],
      ['more memory', 'PRAGMA hard_heap_limit = 4000000000'],
      ['a checkpoint', 'PRAGMA wal_checkpoint(TRUNCATE)'],
      ['a WITH that deletes', 'WITH x AS (SELECT 1) DELETE FROM customers RETURNING *'],
      ['a bracket that opens a second statement', '(SELECT 1); DETACH main'],
      ['an extension', `SELECT load_extension('${folder}/x.so')`],
      ['a NUL', 'SELECT 1\0; DELETE FROM customers'],
      ['nothing', '-- nothing'],
    ],
    state: () => [readFileSync(file).toString('latin1'), readdirSync(folder)],
    manyRows,
    endless: ENDLESS,
    unknownColumn: /no such column: nam/,
  })

  describe('protections, with the SQL guard off', () => {
    it('reads semicolons in strings, names and comments correctly', async () => {
      const sql = `SELECT ';a' AS "x;y", 'it''s; "b' AS [q;r] /* ; */ -- ; z`
      expect(await open().query(sql)).toMatchObject({ columns: ['x;y', 'q;r'], data: [[';a', `it's; "b`]] })
    })

    it('lets writers continue after a query that it cut', async () => {
      expect(await open().query(manyRows, { maxRows: 7 })).toMatchObject({ truncated: true })
      const writer = new Libsql(file)
      writer.exec('BEGIN EXCLUSIVE; ROLLBACK')
      writer.close()
    })

    it('kills on abort, but never the query of another', async () => {
      const database = open()
      await database.query('SELECT 1')
      const first = new AbortController()
      const second = new AbortController()
      const running = database.query(ENDLESS, { signal: first.signal })
      const waiting = database.query('SELECT 2', { signal: second.signal })
      const last = database.query('SELECT 3')
      second.abort()
      await expect(waiting).rejects.toMatchObject({ code: 'Cancelled' })
      first.abort()
      await expect(running).rejects.toMatchObject({ code: 'Cancelled' })
      expect((await last).data).toEqual([[3]])
    })

    it('reports a time limit of the caller, not a cancellation', async () => {
      const query = open().query(ENDLESS, { signal: AbortSignal.timeout(50) })
      await expect(query).rejects.toMatchObject({ code: 'Timeout' })
    })

    it('limits memory', async () => {
      const database = open()
      await expect(database.query('SELECT length(randomblob(600000000))')).rejects.toThrow('out of memory')
      const huge = database.query(`${NUMBERS} SELECT hex(zeroblob(5000000)) FROM c`)
      await expect(huge).rejects.toThrow('needs too much memory')
      const wide = await database.query(`${NUMBERS} SELECT hex(zeroblob(4500)) FROM c`)
      expect(wide.truncated).toBe(true)
      expect(wide.rowCount).toBeLessThan(1000)
    })

    it('sorts more than it may hold in memory', async () => {
      const sql = `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 300000)
        SELECT n FROM c ORDER BY hex(randomblob(8)) || hex(zeroblob(1000)) LIMIT 1`
      expect((await open().query(sql)).rowCount).toBe(1)
    })

    it('survives text that is not UTF-8, and suggests a fix', async () => {
      const database = open()
      await expect(database.query("SELECT CAST(x'ff41' AS TEXT)")).rejects.toMatchObject({
        code: 'QueryError',
        message: expect.stringContaining('not valid UTF-8'),
      })
      expect((await database.query('SELECT 1')).data).toEqual([[1]])
    })

    it.skipIf(!LINUX)('passes no environment to the process (skipped where there is no /proc)', async () => {
      const database = open()
      await database.query('SELECT 1')
      const environment = childProcesses('sqlite-process').map(({ pid }) =>
        readFileSync(`/proc/${pid}/environ`, 'utf8'),
      )
      expect(environment.length).toBeGreaterThan(0)
      for (const text of environment) expect(text).not.toMatch(/PATH=|HOME=/)
    })
  })

  it('reads a file with a write-ahead log while another process writes', async () => {
    const path = join(folder, 'wal.db')
    const writer = new Libsql(path)
    writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    const database = open(path)
    expect((await database.query('SELECT count(*) FROM t')).data).toEqual([[1]])
    writer.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (2)')
    expect((await database.query('SELECT count(*) FROM t')).data).toEqual([[1]])
    writer.exec('COMMIT')
    expect((await database.query('SELECT count(*) FROM t')).data).toEqual([[2]])
    writer.close()
  })

  it('opens paths with odd characters', async () => {
    const path = join(folder, 'ä b?mode=rwc#%41.db')
    new Libsql(`file:${path.replace(/[%?#]/g, encodeURIComponent)}`).exec('CREATE TABLE t (a)')
    expect((await open(path).schema()).tables).toHaveLength(1)
  })

  describe('configuration errors', () => {
    it.each([
      ['a missing file', 'nowhere.db', () => {}, 'there is no such file', 'SourceNotFound'],
      ['a folder', 'folder.db', (path: string) => mkdirSync(path), 'it is a directory'],
      [
        'another format',
        'text.db',
        (path: string) => writeFileSync(path, 'x'.repeat(5000)),
        'is not an SQLite database',
      ],
    ])('reports %s', async (_, name, make, text, code = 'ConfigurationError') => {
      const path = join(folder, name)
      make(path)
      const before = readdirSync(folder)
      await expect(open(path).query('SELECT * FROM t')).rejects.toMatchObject({
        code,
        message: expect.stringContaining(text),
      })
      expect(readdirSync(folder)).toEqual(before)
    })

    it.skipIf(process.getuid?.() === 0)('reports a file that it may not read (skipped for root)', async () => {
      const path = join(folder, 'secret.db')
      writeFileSync(path, '')
      chmodSync(path, 0)
      await expect(open(path).query('SELECT 1')).rejects.toMatchObject({
        code: 'ConfigurationError',
        message: expect.stringContaining('may not be read'),
      })
    })
  })

  it.skipIf(!LINUX)(
    'ends in an endless query when the program is killed (skipped where there is no /proc)',
    async () => {
      const script = `
      const { openDatabase } = await import('${new URL('./database.ts', import.meta.url).href}')
      const database = openDatabase('${file}')
      await database.query('SELECT 1')
      database.query('${ENDLESS}')
      console.log('running')`
      const program = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      await new Promise((resolve) => program.stdout.once('data', resolve))
      const [started] = childProcesses('sqlite-process', program.pid)
      expect(isAlive(started!.pid)).toBe(true)
      program.kill('SIGKILL')
      await expect.poll(() => isAlive(started!.pid)).toBe(false)
    },
  )
})
