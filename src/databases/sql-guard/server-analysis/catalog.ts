import type { PoolClient } from 'pg'
import { FUNCTIONS } from '../functions.ts'
import { OPERATORS, TYPES } from '../postgres/nodes.ts'
import { createTableCatalog } from '../tables.ts'
import { READABLE_TABLES } from '../../postgres-schema.ts'
import type { TableSchema } from '../../schema.ts'
import type { AllowedObjects } from './judge.ts'
import type { Kind } from './tree-fields.ts'

/** The allow-lists as object IDs of the server. */
export interface AllowLists {
  readonly allowed: AllowedObjects
  /** Of the database: in it the server counts the bytes of a line. */
  readonly encoding: string
}

/**
 * Extensions of PostgreSQL's own distribution that bring types for data, with operators that read their operands. Names of
 * their functions and operators are held against the same lists as the built-in ones.
 */
const DATA_EXTENSIONS = ['citext', 'hstore', 'intarray', 'isn', 'ltree', 'pg_trgm']

/** Types of constants that a call or a comparison implies, which a query cannot cast to: `to_tsvector('english', …)`. */
const CONSTANT_TYPES = ['unknown', 'record', 'regconfig', 'regdictionary']

/** `own` is what extensions brought that may be used like built-in things. */
const OBJECTS = `
  WITH own AS (
    SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
    WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = ANY ($1)
  ), functions AS (
    SELECT p.oid, p.proname FROM pg_proc p
    WHERE p.pronamespace = 'pg_catalog'::regnamespace
      OR p.oid IN (SELECT objid FROM own WHERE classid = 'pg_proc'::regclass)
  ), operators AS (
    SELECT o.oid, o.oprcode FROM pg_operator o
    WHERE o.oprname = ANY ($3) AND (o.oprnamespace = 'pg_catalog'::regnamespace
      OR o.oid IN (SELECT objid FROM own WHERE classid = 'pg_operator'::regclass))
  ), types AS (
    SELECT t.oid, t.typarray FROM pg_type t
    WHERE t.typtype = 'e' OR t.oid IN (SELECT objid FROM own WHERE classid = 'pg_type'::regclass)
      OR (t.typnamespace = 'pg_catalog'::regnamespace AND t.typname = ANY ($4))
  ), castable AS (
    SELECT oid FROM types UNION SELECT typarray FROM types WHERE typarray <> 0
  )
  SELECT 'function' AS kind, oid::text AS id, proname::text AS name FROM functions WHERE proname = ANY ($2)
  UNION ALL
  SELECT 'function', f.oid::text, '' FROM pg_cast c JOIN functions f ON f.oid = c.castfunc
  WHERE f.proname <> ALL ($2) AND c.castsource IN (SELECT oid FROM castable) AND c.casttarget IN (SELECT oid FROM castable)
  UNION ALL SELECT 'frame', oid::text, '' FROM functions WHERE proname = 'in_range'
  UNION ALL SELECT 'operator', oid::text, '' FROM operators
  UNION ALL SELECT 'operatorFunction', oprcode::oid::text, '' FROM operators
  UNION ALL SELECT 'type', oid::text, '' FROM castable
  UNION ALL SELECT 'constant', oid::text, '' FROM castable
  UNION ALL SELECT 'constant', oid::text, '' FROM pg_type
  WHERE typnamespace = 'pg_catalog'::regnamespace AND typname = ANY ($5)
  UNION ALL SELECT 'encoding', '0', getdatabaseencoding()::text`

const RELATIONS = `SELECT c.oid::text AS id, c.reltype::text AS type, n.nspname AS schema, c.relname AS name ${READABLE_TABLES}`

interface RelationRow {
  readonly id: string
  readonly type: string
  readonly schema: string
  readonly name: string
}

export interface AnalysisOptions {
  readonly schemas: readonly string[]
  /** Tables and views that may be read, as `x` or `schema.x`; absent, all of the schemas. */
  readonly tables: readonly string[] | undefined
  /** Extensions whose operators, types and allow-listed functions count as built in. */
  readonly extensions: readonly string[]
}

/** Looks up the allow-lists in the server's catalogs: two queries. */
export async function readAllowLists(client: PoolClient, options: AnalysisOptions): Promise<AllowLists> {
  const { rows } = await client.query<{ kind: Kind | 'encoding'; id: string; name: string }>(OBJECTS, [
    [...DATA_EXTENSIONS, ...options.extensions],
    [...FUNCTIONS.postgres],
    [...OPERATORS],
    [...TYPES],
    CONSTANT_TYPES,
  ])
  const { rows: relations } = await client.query<RelationRow>(RELATIONS, [options.schemas])
  const readable = allowedRelations(relations, options.tables)
  const namesByKind = (kind: Kind | 'encoding'): Map<string, string> =>
    new Map(rows.filter((row) => row.kind === kind).map(({ id, name }) => [id, name]))
  // A whole row of an allowed table is a value like its columns; so is a missing one.
  const rowTypes = readable.map(({ type, name }) => [type, name] as const)
  return {
    allowed: {
      function: namesByKind('function'),
      operator: namesByKind('operator'),
      operatorFunction: namesByKind('operatorFunction'),
      frame: namesByKind('frame'),
      relation: new Map(readable.map(({ id, name }) => [id, name])),
      type: new Map([...namesByKind('type'), ['2249', 'record']]),
      constant: new Map([...namesByKind('constant'), ...rowTypes]),
    },
    encoding: namesByKind('encoding').get('0') ?? '',
  }
}

/** By the SQL guard's own rules for the names of an allow-list. */
function allowedRelations(rows: readonly RelationRow[], tables: readonly string[] | undefined): RelationRow[] {
  const ofTable = new Map<TableSchema, RelationRow>(
    rows.map((row) => {
      const schema = row.schema === 'public' ? {} : { schema: row.schema }
      return [{ ...schema, name: row.name, kind: 'table', columns: [], foreignKeys: [] }, row]
    }),
  )
  const { allowed } = createTableCatalog({ name: '', dialect: 'postgres', tables: [...ofTable.keys()] }, tables)
  return allowed.map((table) => ofTable.get(table)!)
}
