import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql, { type Connection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testServerDriver } from '../../test/support/database-driver.ts'
import { createSqlGuard } from './sql-guard/index.ts'
import { openDatabase, type Database } from './database.ts'
import { freePort } from '../../test/support/free-port.ts'

const SERVER = ['/usr/sbin/mariadbd', '/usr/bin/mariadbd', '/usr/local/sbin/mariadbd'].find((path) => existsSync(path))

/** Most protections are tested with all privileges. */
const BARE = { allowSuperuser: true }

interface Server {
  readonly port: number
  stop(): Promise<void>
}

/** Runs the server until its stdin closes, however the test run ends; then ends it and removes the folder (`$0`). */
const GUARD = `"$@" >/dev/null 2>&1 & server=$!; read -r _; kill -9 $server; wait $server; rm -rf "$0"`

/** A throw-away MariaDB on a free loopback port, with its files in a temporary folder. */
async function startMariaDb(binary: string): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-mariadb-'))
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? Number(spawnSync('id', ['-u', 'mysql'], { encoding: 'utf8' }).stdout) : undefined
  if (user !== undefined) await chown(folder, user, -1)
  const asUser = isRoot ? ['--user=mysql'] : []
  const data = join(folder, 'data')
  const made = spawnSync(
    'mariadb-install-db',
    ['--no-defaults', ...asUser, `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stdout} ${made.stderr}`)
  const port = await freePort()
  const guard = spawn(
    'sh',
    [
      '-c',
      GUARD,
      folder,
      binary,
      '--no-defaults',
      ...asUser,
      `--datadir=${data}`,
      `--socket=${join(folder, 'socket')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-log-bin',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=32M',
      '--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES',
    ],
    { stdio: ['pipe', 'ignore', 'ignore'] },
  )
  const stop = async (): Promise<void> => {
    const gone = new Promise((resolve) => guard.once('exit', resolve))
    guard.stdin.end()
    await gone
  }
  const reachable = async (): Promise<void> => {
    const connection = await mysql.createConnection({ host: '127.0.0.1', port, user: 'root' })
    await connection.end()
  }
  await vi.waitFor(reachable, { timeout: 60_000, interval: 100 }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { port, stop }
}

describe.skipIf(SERVER === undefined)('MySQL (skipped where mariadbd is not installed)', () => {
  let server: Server
  let admin: Connection
  let database: Database
  let url: string

  beforeAll(async () => {
    server = await startMariaDb(SERVER!)
    admin = await mysql.createConnection({
      host: '127.0.0.1',
      port: server.port,
      user: 'root',
      multipleStatements: true,
    })
    await admin.query(`
      CREATE DATABASE shop CHARACTER SET utf8mb4;
      USE shop;
      CREATE TABLE customers (id int PRIMARY KEY, name varchar(40) NOT NULL COMMENT 'As on the invoice',
        active tinyint(1) NOT NULL DEFAULT 1, photo blob) COMMENT 'People who buy';
      CREATE TABLE \`lines\` (order_id int, line_no int, amount decimal(10,2), PRIMARY KEY (order_id, line_no));
      CREATE TABLE notes (id bigint unsigned PRIMARY KEY, order_id int, line_no int, customer int,
        CONSTRAINT a FOREIGN KEY (customer) REFERENCES customers (id),
        CONSTRAINT b FOREIGN KEY (order_id, line_no) REFERENCES \`lines\` (order_id, line_no));
      CREATE VIEW names AS SELECT name FROM customers;
      INSERT INTO customers VALUES (1, 'Ada', 1, x'00ff'), (2, 'Bob', 0, NULL);
      INSERT INTO \`lines\` VALUES (1, 1, 12.50);
      CREATE TABLE plain (id int) ENGINE=MyISAM;
      CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'p@ss:w/rd';
      GRANT ALL ON *.* TO reader@'127.0.0.1';
      CREATE PROCEDURE grow() BEGIN COMMIT; SET SESSION TRANSACTION READ WRITE; START TRANSACTION READ WRITE;
        INSERT INTO customers VALUES (9, 'Eve', 1, NULL); COMMIT; SELECT 1; END;
      CREATE FUNCTION sneak() RETURNS int MODIFIES SQL DATA BEGIN
        INSERT INTO customers VALUES (9, 'Eve', 1, NULL); RETURN 1; END;
      CREATE FUNCTION Any_Value(x int) RETURNS int DETERMINISTIC RETURN 4711;
      CREATE SEQUENCE numbers;`)
    url = `mysql://reader:${encodeURIComponent('p@ss:w/rd')}@127.0.0.1:${server.port}/shop`
    database = openDatabase(url, BARE)
  })

  afterAll(async () => {
    await database?.close()
    await admin?.end()
    await server?.stop()
  })

  const value = async (sql: string): Promise<unknown> => (await database.query(sql)).data[0]?.[0]

  /** Connections other than this one that are running something. */
  const running = async (): Promise<number> => {
    const [found] = await admin.query<mysql.RowDataPacket[]>(
      "SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND command <> 'Sleep' AND user = 'reader'",
    )
    return found.length
  }

  it('returns tables, views, columns, keys and comments', async () => {
    const schema = await database.schema()
    expect(schema).toMatchObject({ name: 'shop', dialect: 'mysql' })
    expect(schema.tables.map((table) => [table.name, table.kind])).toEqual([
      ['customers', 'table'],
      ['lines', 'table'],
      ['names', 'view'],
      ['notes', 'table'],
      ['plain', 'table'],
    ])
    const [customers, lines, names, notes] = schema.tables
    expect(customers).toMatchObject({ comment: 'People who buy', approximateRows: 2 })
    expect(customers!.columns).toEqual([
      { name: 'id', type: 'int(11)', kind: 'number', nullable: false, primaryKey: true },
      {
        name: 'name',
        type: 'varchar(40)',
        kind: 'text',
        nullable: false,
        primaryKey: false,
        comment: 'As on the invoice',
      },
      { name: 'active', type: 'tinyint(1)', kind: 'boolean', nullable: false, primaryKey: false },
      { name: 'photo', type: 'blob', kind: 'other', nullable: true, primaryKey: false },
    ])
    expect(lines!.columns.map((column) => column.primaryKey)).toEqual([true, true, false])
    expect(names).not.toHaveProperty('comment')
    expect(notes!.foreignKeys).toEqual([
      { columns: ['customer'], table: 'customers', referencedColumns: ['id'] },
      { columns: ['order_id', 'line_no'], table: 'lines', referencedColumns: ['order_id', 'line_no'] },
    ])
  })

  testServerDriver({
    address: () => url,
    options: BARE,
    cells: [
      ["DATE '2024-03-31'", '2024-03-31'],
      ["TIMESTAMP '2024-03-31 02:30:00.123456'", '2024-03-31T02:30:00.123456'],
      ["TIME '10:20:30'", '10:20:30'],
      ['9007199254740991', 9007199254740991],
      ['9007199254740993', '9007199254740993'],
      ['18446744073709551615', '18446744073709551615'],
      ['CAST(12.50 AS decimal(10,2))', 12.5],
      ['CAST(12345678901234567.89 AS decimal(20,2))', '12345678901234567.89'],
      ['CAST(0.1 AS float)', 0.1],
      ['1e300', 1e300],
      ["x'00ff10'", '0x00ff10'],
      ["b'101'", expect.anything()],
      ['NULL', null],
      ["'ü€😀'", 'ü€😀'],
      ["'a\\nb'", 'a\nb'],
      ['"text"', 'text'],
      ["JSON_EXTRACT('{\"a\": [1, null]}', '$')", expect.anything()],
      ["REPEAT('x', 10001)", expect.stringMatching(/… \[cut: 10001 characters in all\]$/)],
    ],
    refused: [
      ['a write', "INSERT INTO customers VALUES (9, 'Eve', 1, NULL)"],
      ['a write that returns rows', "INSERT INTO customers VALUES (9, 'Eve', 1, NULL) RETURNING *"],
      ['a write to a table without transactions', 'INSERT INTO plain VALUES (1) RETURNING *'],
      ['a write by a function', 'SELECT sneak()'],
      ['a procedure that commits', 'CALL grow()'],
      ['a procedure behind a comment', '/*! CALL grow() */'],
      ['a WITH that deletes', 'WITH x AS (SELECT 1) DELETE FROM customers'],
      ['two statements', 'SELECT 1; DELETE FROM customers'],
      ['COMMIT', 'COMMIT'],
      ['SET', 'SET SESSION TRANSACTION READ WRITE'],
      ['a setting for one statement', 'SET STATEMENT max_statement_time = 0 FOR SELECT 1'],
      ['a definition', 'DROP TABLE customers'],
      ['SELECT into a file', "SELECT * FROM customers INTO OUTFILE '/tmp/tutti-leak'"],
      ['SELECT into a variable', 'SELECT 1 INTO @x'],
      ['LOCK TABLES', 'LOCK TABLES customers WRITE'],
      ['a local file', "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE plain"],
      ['a prepared text', "EXECUTE IMMEDIATE 'DELETE FROM customers'"],
      ['a sequence', 'SELECT NEXTVAL(numbers)'],
      ['maintenance', 'ANALYZE TABLE customers'],
      ['a NUL', 'SELECT 1\0; DELETE FROM customers'],
    ],
    state: async () => [
      (await admin.query('SELECT count(*) FROM shop.customers'))[0],
      (await admin.query('SELECT count(*) FROM shop.plain'))[0],
      existsSync('/tmp/tutti-leak'),
    ],
    manyRows:
      'WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 900) SELECT a.n FROM c a, c b, c d',
    endless: 'SELECT SLEEP(60)',
    unknownColumn: /^Unknown column 'nam'/,
    running,
    async lock() {
      await admin.query('LOCK TABLES shop.customers WRITE')
      return () => admin.query('UNLOCK TABLES')
    },
    connectionId: 'SELECT CONNECTION_ID()',
    kill: (id) => admin.query(`KILL ${Number(id)}`),
  })

  describe('protections, with the SQL guard off and all rights granted', () => {
    it('reports a truncated recursion, which MariaDB reports only as a warning', async () => {
      const steps = (condition: string) =>
        `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c ${condition}) SELECT count(*) FROM c`
      expect(await database.query(steps(''))).toMatchObject({ rowCount: 1, truncated: true })
      expect(await database.query(steps('WHERE n < 5000'))).toMatchObject({ rowCount: 1, truncated: true })
      expect(await database.query(steps('WHERE n < 900'))).toMatchObject({ data: [[900]], truncated: false })
      expect(await database.query('SELECT id FROM customers')).toMatchObject({ truncated: false })
    })

    it('leaves nothing in the session', async () => {
      const one = openDatabase(url, BARE)
      const first = (await one.query('SELECT CONNECTION_ID()')).data
      await one.query("SELECT @secret := 'x', GET_LOCK('tutti', 1)")
      expect((await one.query('SELECT CONNECTION_ID(), @secret')).data).toEqual([[...first[0]!, null]])
      expect((await admin.query("SELECT IS_FREE_LOCK('tutti') AS free"))[0]).toEqual([{ free: 1 }])
      await one.close()
    })

    it('fixes the meaning of quotes and backslashes for any server setting', async () => {
      expect((await admin.query('SELECT @@global.sql_mode AS mode'))[0]).toEqual([
        { mode: 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES' },
      ])
      expect((await database.query(`SELECT "a\\"b", 'c\\'d'`)).data).toEqual([['a"b', "c'd"]])
    })
  })

  it('returns its stored functions, which the SQL guard refuses although their names are listed', async () => {
    expect(await value('SELECT any_value(id) FROM customers')).toBe(4711) // MariaDB has no such function built in
    const schema = await database.schema()
    expect(schema.callable?.own).toEqual(expect.arrayContaining(['Any_Value', 'sneak']))
    const gate = createSqlGuard()
    const verdicts = await Promise.all(
      ['any_value', 'ANY_VALUE', 'max'].map((name) => gate.check(`SELECT ${name}(id) FROM customers`, schema)),
    )
    expect(verdicts).toMatchObject([{ rule: 'function' }, { rule: 'function' }, { allowed: true }])
  })

  it.each(['Asia/Kolkata', 'UTC'])('uses the time zone %s, also when the server knows no names', async (timeZone) => {
    const zoned = openDatabase(url, { ...BARE, timeZone })
    const sql = 'SELECT TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(), NOW()) AS minutes'
    expect((await zoned.query(sql)).data).toEqual([[timeZone === 'UTC' ? 0 : 330]])
    await zoned.close()
  })

  describe('rights of the account', () => {
    const account = async (name: string, grants: readonly string[]): Promise<Database> => {
      await admin.query(
        `CREATE USER ${name}@'127.0.0.1'; ${grants.map((grant) => `GRANT ${grant} TO ${name}@'127.0.0.1';`).join('')}`,
      )
      const made = openDatabase(`mysql://${name}@127.0.0.1:${server.port}/shop`)
      accounts.push(made)
      return made
    }
    const accounts: Database[] = []
    afterAll(() => Promise.all(accounts.map((one) => one.close())))

    it.each([
      ['filer', ['FILE ON *.*', 'SELECT ON shop.*'], 'FILE'],
      ['super', ['SUPER, PROCESS ON *.*', 'SELECT ON shop.*'], 'SUPER'],
      ['lord', ['ALL ON *.*'], 'ALL PRIVILEGES'],
    ])('%s with %j is refused', async (name, grants, right) => {
      const database = await account(name, grants)
      const refused = {
        code: 'ConfigurationError',
        message: expect.stringMatching(/has the right .+CREATE USER .+GRANT SELECT .+"allowSuperuser: true"/),
      }
      await expect(database.query('SELECT 1')).rejects.toMatchObject(refused)
      await expect(database.schema()).rejects.toThrow(right)
      const allowed = openDatabase(`mysql://${name}@127.0.0.1:${server.port}/shop`, BARE)
      expect(await allowed.query('SELECT 1')).toMatchObject({ data: [[1]] })
      expect((await allowed.protections()).weak.join()).toContain(right)
      await allowed.close()
    })

    it('names missing protections with statements that fix them, and these work', async () => {
      const writer = await account('writer', ['SELECT, INSERT (id), UPDATE ON shop.customers'])
      const { standing, weak, advice } = await writer.protections()
      expect(standing).toEqual(['SQL guard', 'read-only transaction', 'limits'])
      expect(weak).toEqual([expect.stringContaining('UPDATE')])
      expect(advice).toEqual([expect.stringContaining('CREATE USER'), expect.stringContaining('GRANT SELECT')])
      for (const statement of advice) await admin.query(statement)
      const reader = openDatabase(`mysql://tutti_reader:${encodeURIComponent('…')}@127.0.0.1:${server.port}/shop`)
      accounts.push(reader)
      expect(await reader.protections()).toMatchObject({ weak: [], advice: [] })
      // Privileges that MariaDB grants to every user.
      const everybody = [
        'SELECT ON shop.*',
        'INSERT, DROP ON `test`.*',
        'INSERT ON `sh\\_p%`.*',
        'DELETE ON `other%`.*',
      ]
      expect(await (await account('guest', everybody)).protections()).toMatchObject({ weak: [], advice: [] })
      for (const [name, grant] of [
        ['patterned', 'INSERT ON `s_o%`.*'],
        ['narrow', 'DELETE ON `shop`.`customers`'],
      ] as const)
        expect((await (await account(name, ['SELECT ON shop.*', grant])).protections()).weak).toHaveLength(1)
      expect(await reader.query('SELECT count(*) FROM customers')).toMatchObject({ data: [[2]] })
    })
  })

  describe('configuration errors', () => {
    const failure = async (address: string): Promise<Error> => {
      let wrong: Database | undefined
      try {
        wrong = openDatabase(address, BARE)
        await wrong.query('SELECT 1')
        return new Error('it worked')
      } catch (error) {
        return error as Error
      } finally {
        await wrong?.close()
      }
    }

    it.each([
      ['a wrong password', () => url.replace(/:[^:@]+@/, ':hunter2@'), 'refused user "reader"'],
      ['an unknown database', () => url.replace('/shop', '/nowhere'), 'no database "nowhere"'],
      ['a closed port', () => 'mysql://bob:hunter2@127.0.0.1:1/shop', 'nothing listens'],
      ['an unknown ssl-mode', () => `${url}?ssl-mode=SOME`, 'ssl-mode "SOME" is unknown'],
    ])('reports %s, without the password', async (_, address, text) => {
      const error = await failure(address())
      expect(error).toMatchObject({ code: 'ConfigurationError', message: expect.stringContaining(text) })
      expect(error.message).not.toMatch(/hunter2|p@ss|p%40ss/)
    })
  })
})
