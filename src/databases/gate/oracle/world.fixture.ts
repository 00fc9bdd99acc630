import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { createTestDatabase } from '../../../../test/support/postgres.ts'
import { openDatabase } from '../../database.ts'
import type { DatabaseSchema } from '../../schema.ts'
import { chinook } from '../chinook.fixture.ts'
import { CALLED } from './forms.fixture.ts'
import { readTree, type Resolved } from './tree.fixture.ts'

/** Tables of the shop, and what invites mistakes: names that are also functions, rows in columns, functions that take rows. */
const PLANTED = `
  CREATE TABLE named (id int, name text, date date, count int, year int, upper text, pg_read_file text, value text, f text);
  CREATE TYPE address AS (city text, zip text, lower text);
  CREATE TABLE people (id int, home address, name text, tags text[], salary int);
  CREATE VIEW titles AS SELECT title AS upper, album_id, title FROM album;
  CREATE VIEW leaky AS SELECT password AS title FROM secret;
  CREATE FUNCTION evil_col(album) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION evil_col(text) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION evil_col(int) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION evil_any(anyelement) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION evil_row(record) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'x'; END $$;
  CREATE FUNCTION x(text) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION n(int) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION e(jsonb) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION id(anyelement) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION title(anyelement) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION column1(record) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'x'; END $$;
  CREATE FUNCTION ordinality(record) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'x'; END $$;
  CREATE FUNCTION salary(people) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION initcap(album) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION json_value(jsonb, text) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  CREATE FUNCTION evil_mod(album, int) RETURNS text LANGUAGE sql AS $$ SELECT password FROM secret LIMIT 1 $$;
  DO $$ BEGIN
    IF EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'dblink') THEN CREATE EXTENSION dblink;
    ELSE
      CREATE FUNCTION dblink(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
      CREATE FUNCTION dblink_exec(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
    END IF;
  END $$;
  CREATE OPERATOR % (LEFTARG = album, RIGHTARG = int, FUNCTION = evil_mod);
`

const READER = `
  CREATE ROLE oracle_reader LOGIN;
  ALTER ROLE oracle_reader SET log_min_messages = panic;
  GRANT USAGE ON SCHEMA finance TO oracle_reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA public, finance TO oracle_reader;
  REVOKE SELECT ON people, veiled FROM oracle_reader;
  GRANT SELECT (id) ON veiled TO oracle_reader;
  GRANT SELECT (id, home, name, tags) ON people TO oracle_reader;`

export interface World {
  readonly schema: DatabaseSchema
  readonly allowedTables: readonly string[]
  /** What the server makes of a query, by its own parse analysis; undefined where it does not accept it. Nothing is run. */
  resolve(sql: string): Promise<Resolved | undefined>
  close(): Promise<void>
}

/** Makes the database for the comparison on a throw-away server, with a plain role that may read. */
export async function createWorld(adminUrl: string): Promise<World> {
  const url = await createTestDatabase(adminUrl)
  const admin = new Client({ connectionString: url })
  await admin.connect()
  const role = `reader_${randomUUID().replaceAll('-', '')}`
  await admin.query('CREATE SCHEMA finance')
  for (const table of chinook('postgres').tables) {
    const columns = table.columns.map((column) => `"${column.name}" ${column.type}`).join(', ')
    const name = `"${table.schema ?? 'public'}"."${table.name}"`
    await admin.query(`CREATE TABLE ${name} (${columns})`)
  }
  for (const name of ['decoy', 'veiled']) {
    await admin.query(`CREATE TABLE ${name} (id int, ${CALLED.map((column) => `"${column}" text`).join(', ')})`)
  }
  await admin.query(PLANTED)
  await admin.query(READER.replaceAll('oracle_reader', role))
  const catalogue = await readCatalogue(admin)
  await admin.end()

  const readerUrl = new URL(url)
  readerUrl.username = role
  const database = openDatabase(readerUrl.href, { schemas: ['public', 'finance'] })
  const schema = await database.schema()
  await database.close()
  const reader = new Client({ connectionString: readerUrl.href })
  await reader.connect()
  await reader.query(
    'SET default_transaction_read_only = on; SET search_path = pg_catalog, public, finance, pg_temp; ' +
      'SET debug_pretty_print = off; SET debug_print_parse = on; SET client_min_messages = log',
  )
  const trees: string[] = []
  reader.on('notice', ({ message, detail }) => {
    if (message === 'parse tree:' && detail !== undefined) trees.push(detail)
  })

  return {
    schema,
    allowedTables: schema.tables
      .filter(({ name }) => name !== 'secret')
      .map((table) => (table.schema === undefined ? table.name : `${table.schema}.${table.name}`)),
    async resolve(sql) {
      trees.length = 0
      const prefix = 'PREPARE q AS '
      try {
        await reader.query(`${prefix}${sql}\n`)
      } catch {
        return undefined
      }
      const found = trees.find((one) => one.includes(':commandType 1'))
      await reader.query('DEALLOCATE q')
      if (found === undefined) throw new Error(`The server printed no tree for: ${sql}`)
      return readTree(found, Buffer.from(prefix + sql), catalogue)
    },
    async close() {
      await reader.end()
      const again = new Client({ connectionString: url })
      await again.connect()
      await again.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
      await again.end()
    },
  }
}

async function readCatalogue(admin: Client) {
  const named = async (sql: string): Promise<Map<string, string>> => {
    const { rows } = await admin.query<{ oid: string; name: string }>(sql)
    return new Map(rows.map(({ oid, name }) => [oid, name]))
  }
  const path = `CASE nspname WHEN 'pg_catalog' THEN '' ELSE nspname || '.' END`
  return {
    functions: await named(
      `SELECT p.oid::text, ${path} || proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace`,
    ),
    operators: await named(
      `SELECT o.oid::text, ${path} || oprname AS name FROM pg_operator o JOIN pg_namespace n ON n.oid = oprnamespace`,
    ),
    types: await named(
      `SELECT t.oid::text, ${path} || typname AS name FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace`,
    ),
    relations: await named(
      `SELECT c.oid::text, CASE nspname WHEN 'public' THEN '' ELSE nspname || '.' END || relname AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace`,
    ),
    /** Functions behind casts between built-in types. */
    casts: await named(
      `SELECT castfunc::text AS oid, castfunc::regproc::text AS name FROM pg_cast WHERE castfunc < 16384`,
    ),
  }
}

export type Catalogue = Awaited<ReturnType<typeof readCatalogue>>
