import { Client } from 'pg'
import { createReader, createTestDatabase } from '../../../test/support/postgres.ts'
import { allowedTables, chinook } from '../gate/chinook.fixture.ts'

/** The music shop of the gate's tests on a live server, with what honest databases hold besides, and with what attacks need. */
export interface World {
  readonly superuserUrl: string
  readonly readerUrl: string
  readonly schemas: readonly string[]
  /** Everything but `secret`. */
  readonly tables: readonly string[]
  /** Runs statements as superuser. */
  admin(sql: string): Promise<unknown[]>
  close(): Promise<void>
}

/** What `secret` holds: no error and no result may show it. */
export const PLANTED = 'planted-secret-4711'

const HONEST_THINGS = `
  CREATE TYPE mood AS ENUM ('glad', 'sad');
  CREATE DOMAIN grade AS int CHECK (VALUE BETWEEN 1 AND 6);
  CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION pg_trgm; CREATE EXTENSION seg;
  CREATE TABLE person (id int, name text, mail citext, mood mood, moods mood[], grade grade, tags text[], extra hstore, span seg,
    born date, at timestamptz, "First Name" text, "date" date, "count" int, "year" int, words tsvector, doc xml);
  CREATE TABLE sale (id int, day date, amount numeric) PARTITION BY RANGE (day);
  CREATE TABLE sale_2024 PARTITION OF sale FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
  CREATE MATERIALIZED VIEW totals AS SELECT count(*) AS n FROM person;
  CREATE VIEW hidden AS SELECT password FROM secret;
  CREATE VIEW who AS SELECT current_user AS "user", pg_backend_pid() AS pid;
  INSERT INTO person (id, name, mail, mood, grade) VALUES (1, 'Ada', 'ADA@example.org', 'glad', 1);
  INSERT INTO sale VALUES (1, '2024-05-05', 10);`

/** Functions of the database's own: each leaves a trace in \`called\` when it runs. */
const EVIL_THINGS = `
  CREATE EXTENSION dblink;
  CREATE SEQUENCE called;
  CREATE FUNCTION evil(text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$ SELECT password FROM public.secret LIMIT 1 $$;
  CREATE FUNCTION evil_col(album) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$ SELECT password FROM public.secret LIMIT 1 $$;
  CREATE FUNCTION evil_plus(text, text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
    AS $$ SELECT password FROM public.secret LIMIT 1 $$;
  CREATE FUNCTION lower(int) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$ SELECT password FROM public.secret LIMIT 1 $$;
  CREATE OPERATOR <%%> (LEFTARG = text, RIGHTARG = text, FUNCTION = evil_plus);
  CREATE OPERATOR + (LEFTARG = text, RIGHTARG = text, FUNCTION = evil_plus);
  CREATE TYPE pair AS (a text, b text);
  CREATE FUNCTION to_text(pair) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$ SELECT password FROM public.secret LIMIT 1 $$;
  CREATE CAST (pair AS text) WITH FUNCTION to_text(pair);
  CREATE FUNCTION to_grade(text) RETURNS bool LANGUAGE sql AS $$ SELECT true $$;
  CREATE DOMAIN checked AS text CHECK (to_grade(VALUE));
  CREATE AGGREGATE evil_sum(text) (SFUNC = evil_plus, STYPE = text);`

export async function createWorld(adminUrl: string): Promise<World> {
  const superuserUrl = await createTestDatabase(adminUrl)
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query('CREATE SCHEMA finance')
  for (const table of chinook('postgres').tables) {
    const name = `${table.schema ?? 'public'}."${table.name}"`
    const columns = table.columns.map((column) => `"${column.name}" ${column.type}`).join(', ')
    const isView = table.kind === 'view'
    await client.query(
      isView
        ? `CREATE VIEW ${name} AS SELECT billing_country AS country, total FROM invoice`
        : `CREATE TABLE ${name} (${columns})`,
    )
  }
  await client.query(
    `INSERT INTO secret VALUES (1, '${PLANTED}'); INSERT INTO album VALUES (1, 'Let There Be Rock', 1)`,
  )
  await client.query(HONEST_THINGS + EVIL_THINGS)
  const schemas = ['public', 'finance']
  return {
    superuserUrl,
    readerUrl: await createReader(superuserUrl, { schemas }),
    schemas,
    tables: [...allowedTables('postgres'), 'person', 'sale', 'totals', 'hidden', 'who'],
    admin: async (sql) => (await client.query(sql)).rows,
    close: () => client.end(),
  }
}
