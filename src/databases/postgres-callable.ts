import type { PoolClient } from 'pg'
import type { CallableNames } from './schema.ts'

/** `x.name` calls a function of that name, or converts x to a type of that name; row types of tables take no part in it. */
const ANY = `
  SELECT proname::text AS name FROM pg_catalog.pg_proc WHERE pronargs >= 1 AND pronargs - pronargdefaults <= 1
  UNION SELECT typname::text FROM pg_catalog.pg_type WHERE typrelid = 0
  ORDER BY 1`

/** Extensions are installed by whoever runs the server; their functions do not count as the database's own. */
const OWN = `
  SELECT p.proname::text AS name FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = ANY ($1) AND n.nspname <> 'pg_catalog'
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d
                    WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  UNION
  SELECT o.oprname::text FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
  WHERE n.nspname = ANY ($1) AND n.nspname <> 'pg_catalog'
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d
                    WHERE d.classid = 'pg_catalog.pg_operator'::regclass AND d.objid = o.oid AND d.deptype = 'e')
  ORDER BY 1`

/** Reads which names a query could call; names without a schema are looked up in `schemas`. */
export async function readCallableNames(client: PoolClient, schemas: readonly string[]): Promise<CallableNames> {
  const any = await client.query<{ name: string }>(ANY)
  const own = await client.query<{ name: string }>(OWN, [schemas])
  return { any: any.rows.map(({ name }) => name), own: own.rows.map(({ name }) => name) }
}
