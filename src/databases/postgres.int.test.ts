import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { testServerDriver } from '../../test/support/database-driver.ts'
import { createReader, createTestDatabase } from '../../test/support/postgres.ts'
import { openDatabase, type Database } from './database.ts'
import { connectError } from './postgres-errors.ts'

const adminUrl = inject('postgresUrl')
/** Tests the protections with the SQL guard and the server check off, as a superuser. */
const BARE = { allowSuperuser: true, serverCheck: false }

describe.skipIf(adminUrl === '')('PostgreSQL (skipped where no PostgreSQL is installed)', () => {
  let url: string
  let admin: Client
  let database: Database

  beforeAll(async () => {
    url = await createTestDatabase(adminUrl)
    admin = new Client({ connectionString: url })
    await admin.connect()
    await admin.query(`
      CREATE TYPE mood AS ENUM ('glad', 'sad');
      CREATE DOMAIN count AS int;
      CREATE TABLE customers (id int PRIMARY KEY, name varchar(40) NOT NULL, mood mood);
      COMMENT ON TABLE customers IS 'People who buy';
      COMMENT ON COLUMN customers.name IS 'As on the invoice';
      CREATE TABLE lines (order_id int, line_no int, amount numeric(10,2), PRIMARY KEY (order_id, line_no));
      CREATE TABLE notes (id int PRIMARY KEY, order_id int, line_no int, customer int REFERENCES customers, body text,
        FOREIGN KEY (order_id, line_no) REFERENCES lines (order_id, line_no));
      CREATE VIEW names AS SELECT name FROM customers;
      CREATE MATERIALIZED VIEW totals AS SELECT sum(amount) AS total FROM lines;
      CREATE SCHEMA sales; CREATE TABLE sales.orders (id int PRIMARY KEY, placed timestamptz);
      INSERT INTO customers VALUES (1, 'Ada', 'glad'), (2, 'Bob', NULL);
      INSERT INTO lines VALUES (1, 1, 12.50);
      ANALYZE customers;
      CREATE SEQUENCE numbers;
      CREATE FUNCTION add_customer() RETURNS int LANGUAGE sql VOLATILE SECURITY DEFINER
        AS $$ INSERT INTO customers VALUES (9, 'Eve'); SELECT 1 $$;
      CREATE PROCEDURE grow() LANGUAGE plpgsql
        AS $$ BEGIN COMMIT; INSERT INTO customers VALUES (9, 'Eve'); COMMIT; END $$`)
    database = openDatabase(url, { ...BARE, name: 'shop' })
  })

  afterAll(async () => {
    await database?.close()
    await admin?.end()
  })

  const rows = async (sql: string): Promise<unknown[][]> => (await database.query(sql)).data
  const value = async (sql: string): Promise<unknown> => (await rows(sql))[0]?.[0]

  /** Active queries of Tutti in this database. A query is listed as the FETCH that runs it. */
  const running = async (): Promise<number> => {
    const { rows: found } = await admin.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'FETCH%'",
    )
    return found.length
  }

  describe('schema', () => {
    it('returns tables, views, columns, keys, comments and estimates', async () => {
      const schema = await database.schema()
      expect(schema).toMatchObject({ name: 'shop', dialect: 'postgres' })
      expect(schema.tables.map((table) => [table.name, table.kind])).toEqual([
        ['customers', 'table'],
        ['lines', 'table'],
        ['names', 'view'],
        ['notes', 'table'],
        ['totals', 'view'],
      ])
      const [customers, lines, , notes] = schema.tables
      expect(customers).toMatchObject({ comment: 'People who buy', approximateRows: 2 })
      expect(customers!.columns).toEqual([
        { name: 'id', type: 'integer', kind: 'number', nullable: false, primaryKey: true },
        {
          name: 'name',
          type: 'character varying(40)',
          kind: 'text',
          nullable: false,
          primaryKey: false,
          comment: 'As on the invoice',
        },
        { name: 'mood', type: 'mood', kind: 'text', nullable: true, primaryKey: false },
      ])
      expect(lines!.columns.map((column) => column.primaryKey)).toEqual([true, true, false])
      expect(notes!.foreignKeys).toEqual([
        { columns: ['customer'], table: 'customers', referencedColumns: ['id'] },
        { columns: ['order_id', 'line_no'], table: 'lines', referencedColumns: ['order_id', 'line_no'] },
      ])
    })

    it('returns no estimate for a table with row-level security', async () => {
      await admin.query(`CREATE TABLE deals (id int PRIMARY KEY); CREATE TABLE talks (id int PRIMARY KEY);
        INSERT INTO deals SELECT generate_series(1, 40); INSERT INTO talks SELECT generate_series(1, 40); ANALYZE deals, talks;
        ALTER TABLE deals ENABLE ROW LEVEL SECURITY;`)
      const reader = openDatabase(await createReader(url))
      const estimates = async (of: Database) => {
        const { tables } = await of.schema()
        return tables.flatMap(({ name, approximateRows }) =>
          /deals|talks/.test(name) ? [[name, approximateRows]] : [],
        )
      }
      expect(await estimates(reader)).toEqual([
        ['deals', undefined],
        ['talks', 40],
      ])
      await reader.close()
      await admin.query('DROP TABLE deals, talks')
    })

    it('shows the named schemas, and searches them', async () => {
      const both = openDatabase(url, { ...BARE, schemas: ['sales', 'public'] })
      const { tables } = await both.schema()
      expect(tables.find((table) => table.name === 'orders')).toMatchObject({ schema: 'sales' })
      expect(tables.find((table) => table.name === 'customers')).not.toHaveProperty('schema')
      expect(await both.query('SELECT count(*) FROM orders')).toMatchObject({ data: [[0]] })
      await both.close()
    })
  })

  testServerDriver({
    address: () => url,
    options: BARE,
    cells: [
      ["DATE '2024-03-31'", '2024-03-31'],
      ["TIMESTAMP '2024-03-31 02:30:00.123456'", '2024-03-31T02:30:00.123456'],
      [
        "(TIMESTAMPTZ '2024-03-31 02:30:00+05:30')::timestamptz",
        expect.stringMatching(/^2024-03-3\dT.*[+-]\d\d:\d\d$/),
      ],
      ["'infinity'::timestamp", 'infinity'],
      ["TIME '10:20:30'", '10:20:30'],
      ['9007199254740991::bigint', 9007199254740991],
      ['9007199254740993::bigint', '9007199254740993'],
      ['12.50::numeric(10,2)', 12.5],
      ['0.1::numeric', 0.1],
      ['12345678901234567.89::numeric', '12345678901234567.89'],
      ['avg(x) FROM (VALUES (1.0), (1.0), (2.0)) v(x)', 1.3333333333333333],
      ['1.123456789012345678::numeric(38,18)', '1.123456789012345678'],
      ["'NaN'::numeric", 'NaN'],
      ["'NaN'::float8", 'NaN'],
      ["'-infinity'::float8", '-Infinity'],
      ['0.1::float4', 0.1],
      ["'\\x00ff10'::bytea", '\\x00ff10'],
      ["decode(repeat('ab', 65), 'hex')", '<65 bytes>'],
      ["ARRAY['glad', 'sad']::mood[]", ['glad', 'sad']],
      ["'{1,2}'::count[]", [1, 2]],
      ["ARRAY[interval '1 day 2 hours']", ['1 day 02:00:00']],
      ["ARRAY['[1,3)'::int4range]", ['[1,3)']],
      ['point(1, 2)', '(1,2)'],
      ['true', true],
      ['NULL::int', null],
      [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
      [`'{"a": 12345678901234567890}'::jsonb`, { a: '12345678901234567890' }],
      [`ARRAY[DATE '2024-03-31', NULL]`, ['2024-03-31', null]],
      [
        'ARRAY[[1,2],[3,4]]',
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [`ARRAY['a,b', 'c"d', 'NULL', NULL]`, ['a,b', 'c"d', 'NULL', null]],
      [`'7d444840-9dc0-11d1-b245-5ffdce74fad2'::uuid`, '7d444840-9dc0-11d1-b245-5ffdce74fad2'],
      ["'a' || chr(10) || 'ü€😀'", 'a\nü€😀'],
      ["repeat('x', 20001)", expect.stringMatching(/^x{10000}… \[cut: 20001 characters in all\]$/)],
    ],
    refused: [
      ['a write', "INSERT INTO customers VALUES (9, 'Eve')"],
      ['a write in WITH', "WITH x AS (INSERT INTO customers VALUES (9, 'Eve') RETURNING *) SELECT * FROM x"],
      ['a write by a function', 'SELECT add_customer()'],
      ['a write by a block', "DO $$ BEGIN INSERT INTO customers VALUES (9, 'Eve'); END $$"],
      ['a block that opens the transaction', 'DO $$ BEGIN SET TRANSACTION READ WRITE; END $$'],
      [
        'a function that opens the transaction',
        "SELECT set_config('transaction_read_only', 'off', true), add_customer()",
      ],
      ['two statements', 'SELECT 1; DELETE FROM customers'],
      ['leaving the transaction', 'COMMIT; DELETE FROM customers'],
      ['COMMIT alone', 'COMMIT'],
      ['SET alone', 'SET statement_timeout = 0'],
      ['COPY to a program', "COPY customers TO PROGRAM 'cat'"],
      ['SELECT INTO', 'SELECT * INTO copied FROM customers'],
      ['row locks', 'SELECT * FROM customers FOR UPDATE'],
      ['a procedure', 'CALL grow()'],
      ['a temporary table', 'CREATE TEMP TABLE customers AS SELECT 1 AS id'],
      ['a sequence', "SELECT nextval('numbers')"],
      ['a NUL', 'SELECT 1\0; DELETE FROM customers'],
      ['nothing', '  '],
    ],
    state: async () =>
      (
        await admin.query(
          "SELECT count(*)::int, to_regclass('copied'), (SELECT last_value FROM numbers) FROM customers",
        )
      ).rows,
    manyRows: 'SELECT generate_series(1, 1000000)',
    endless: 'SELECT pg_sleep(60)',
    unknownColumn: /column "nam" does not exist.*Hint: Perhaps you meant/s,
    running,
    async lock() {
      const blocker = new Client({ connectionString: url })
      await blocker.connect()
      await blocker.query('BEGIN; LOCK TABLE customers IN ACCESS EXCLUSIVE MODE')
      return () => blocker.end()
    },
    connectionId: 'SELECT pg_backend_pid()',
    kill: (pid) => admin.query('SELECT pg_terminate_backend($1)', [pid]),
  })

  describe('protections, with the SQL guard off', () => {
    it('stops a query that disabled its own statement timeout', async () => {
      const sql = "SELECT set_config('statement_timeout', '0', false), pg_sleep(1) FROM generate_series(1, 600)"
      await expect(database.query(sql, { timeoutMs: 300 })).rejects.toThrow('longer than 0.3 s')
      await expect.poll(running).toBe(0)
    })

    it('leaves nothing in the session', async () => {
      const one = openDatabase(url, BARE)
      const pid = (await one.query('SELECT pg_backend_pid()')).data
      await one.query("SELECT set_config('work_mem', '99MB', false), set_config('search_path', 'sales', false)")
      await one.query('SELECT pg_advisory_lock(4711)')
      await one.query("SELECT set_config('tutti.secret', 'x', false)")
      // The same connection must be reused, otherwise the test proves nothing.
      expect((await one.query('SELECT pg_backend_pid()')).data).toEqual(pid)
      expect(
        (await one.query("SELECT current_setting('work_mem') <> '99MB', current_setting('tutti.secret', true)")).data,
      ).toEqual([[true, '']])
      expect((await admin.query('SELECT pg_try_advisory_lock(4711) AS free')).rows).toEqual([{ free: true }])
      await admin.query('SELECT pg_advisory_unlock_all()')
      await one.close()
    })

    it('aborts a result that would fill the memory', async () => {
      // The memory limit ends it, not the time limit.
      const large = database.query("SELECT repeat('x', 200000000)", { timeoutMs: 150_000 })
      await expect(large).rejects.toMatchObject({
        code: 'QueryError',
        message: expect.stringContaining('64 MB'),
        retryable: false,
      })
      const wide = await database.query("SELECT repeat('x', 9000) FROM generate_series(1, 1000)")
      expect(wide.truncated).toBe(true)
      expect(wide.rowCount).toBeLessThan(1000)
    })

    it('reads only what the role may read', async () => {
      await admin.query('DROP ROLE IF EXISTS tutti_reader')
      await admin.query('CREATE ROLE tutti_reader; GRANT SELECT ON customers TO tutti_reader')
      const limited = openDatabase(url, { ...BARE, role: 'tutti_reader' })
      expect((await limited.schema()).tables.map((table) => table.name)).toEqual(['customers'])
      expect((await limited.query('SELECT count(*) FROM customers')).data).toEqual([[2]])
      await expect(limited.query('SELECT * FROM lines')).rejects.toThrow('permission denied for table lines')
      await limited.close()
      await admin.query('DROP OWNED BY tutti_reader; DROP ROLE tutti_reader')
      const wrong = openDatabase(url, { ...BARE, role: 'nobody_of_that_name' })
      await expect(wrong.query('SELECT 1')).rejects.toThrow('nobody_of_that_name')
      await wrong.close()
    })

    it('searches system objects first and temporary ones last, so that none can shadow a real one', async () => {
      expect(await value("SELECT current_setting('search_path')")).toBe('"pg_catalog", "public", "pg_temp"')
    })
  })

  it('runs more parallel queries than it has connections', async () => {
    const outputs = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => value(`SELECT ${n} FROM pg_sleep(0.05)`)))
    expect(outputs).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('reports a connection that broke as retryable', async () => {
    const broken = database.query('SELECT pg_sleep(60)')
    broken.catch(() => {})
    await expect.poll(running).toBe(1)
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'FETCH%'")
    await expect(broken).rejects.toMatchObject({ code: 'QueryError', retryable: true })
  })

  describe('configuration errors', () => {
    const failure = async (address: string): Promise<unknown> => {
      const wrong = openDatabase(address)
      try {
        return await wrong.query('SELECT 1').catch((error: unknown) => error)
      } finally {
        await wrong.close()
      }
    }

    it('names a missing database', async () => {
      const address = new URL(url)
      address.pathname = '/nowhere'
      expect(await failure(address.href)).toMatchObject({
        code: 'ConfigurationError',
        message: expect.stringContaining('no database "nowhere"'),
      })
    })

    it('never prints the password', async () => {
      const error = (await failure('postgres://bob:hunter2@127.0.0.1:1/shop')) as Error
      expect(error).toMatchObject({ code: 'ConfigurationError', message: expect.stringContaining('nothing listens') })
      expect(`${error.message} ${error.stack}`).not.toContain('hunter2')
    })

    it('reports a wrong user or password', () => {
      const refused = Object.assign(new Error('password authentication failed for user "bob"'), { code: '28P01' })
      expect(connectError(refused, new URL('postgres://bob:hunter2@127.0.0.1/shop'), false)).toMatchObject({
        code: 'ConfigurationError',
        message: expect.stringContaining('refused user "bob"'),
      })
    })
  })
})
