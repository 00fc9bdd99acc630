import type { PoolClient } from 'pg'
import { groupBy } from './group-by.ts'
import { kindsByName, type ColumnSchema, type ForeignKey, type TableSchema } from './schema.ts'

/** Tables, views, materialized views and foreign tables the user may read; partitions show as their parent alone. */
export const READABLE_TABLES = `
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND has_schema_privilege(n.oid, 'USAGE')
    AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))`

const TABLES = `
  SELECT c.oid::text AS id, n.nspname AS schema, c.relname AS name, c.relkind IN ('v', 'm') AS "isView",
         obj_description(c.oid, 'pg_class') AS comment, c.reltuples::float8 AS rows,
         c.relrowsecurity AS "isCut"
  ${READABLE_TABLES} ORDER BY n.nspname, c.relname`

const COLUMNS = `
  SELECT a.attrelid::text AS id, a.attname AS name, lower(format_type(a.atttypid, a.atttypmod)) AS type,
         coalesce(b.typname, t.typname) AS base, coalesce(b.typtype, t.typtype) AS family, NOT a.attnotnull AS nullable,
         coalesce(a.attnum = ANY (k.conkey), false) AS "primaryKey", col_description(a.attrelid, a.attnum) AS comment
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype
    LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p'
  WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
    AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
  ORDER BY a.attrelid, a.attnum`

/** Without the copies that PostgreSQL keeps for partitions. */
const FOREIGN_KEYS = `
  SELECT k.conrelid::text AS id, n.nspname AS schema, c.relname AS "table",
         (SELECT array_agg(a.attname::text ORDER BY o.i) FROM unnest(k.conkey) WITH ORDINALITY o(num, i)
            JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = o.num) AS columns,
         (SELECT array_agg(a.attname::text ORDER BY o.i) FROM unnest(k.confkey) WITH ORDINALITY o(num, i)
            JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = o.num) AS "referencedColumns"
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.confrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE k.contype = 'f' AND k.conparentid = 0 AND k.conrelid = ANY ($1::oid[])
  ORDER BY k.conrelid, k.conname`

interface TableRow {
  id: string
  schema: string
  name: string
  isView: boolean
  comment: string | null
  rows: number
  /** Row-level security may show the user some of them, or none. */
  isCut: boolean
}

interface ColumnRow {
  id: string
  name: string
  type: string
  base: string
  family: string
  nullable: boolean
  primaryKey: boolean
  comment: string | null
}

interface ForeignKeyRow {
  id: string
  schema: string
  table: string
  columns: string[]
  referencedColumns: string[]
}

/** Reads the catalog of the given schemas, with three queries for any size. */
export async function readPostgresSchema(client: PoolClient, schemas: readonly string[]): Promise<TableSchema[]> {
  const { rows: tables } = await client.query<TableRow>(TABLES, [schemas])
  const ids = tables.map((table) => table.id)
  const { rows: columns } = await client.query<ColumnRow>(COLUMNS, [ids])
  const { rows: foreignKeys } = await client.query<ForeignKeyRow>(FOREIGN_KEYS, [ids])
  const columnsOf = groupBy(columns, (row) => row.id)
  const foreignKeysOf = groupBy(foreignKeys, (row) => row.id)
  return tables.map((table) => ({
    ...(table.schema === 'public' ? {} : { schema: table.schema }),
    name: table.name,
    kind: table.isView ? 'view' : 'table',
    columns: (columnsOf.get(table.id) ?? []).map(toColumn),
    foreignKeys: (foreignKeysOf.get(table.id) ?? []).map(toForeignKey),
    ...(table.comment === null ? {} : { comment: table.comment }),
    // -1 means never analysed. A view has no rows of its own, so 0 means nothing. The number of rows is not shown if
    // row-level security may hide rows from the user.
    ...(table.rows < 0 || table.isView || table.isCut ? {} : { approximateRows: table.rows }),
  }))
}

function toColumn(row: ColumnRow): ColumnSchema {
  const { name, type, nullable, primaryKey, comment } = row
  const kind = row.family === 'e' ? 'text' : kindOf(row.base)
  return { name, type, kind, nullable, primaryKey, ...(comment === null ? {} : { comment }) }
}

function toForeignKey({ schema, table, columns, referencedColumns }: ForeignKeyRow): ForeignKey {
  return { columns, table: schema === 'public' ? table : `${schema}.${table}`, referencedColumns }
}

/** By the name of the base type in pg_type. */
const kindOf = kindsByName({
  number: 'int2 int4 int8 float4 float8 numeric',
  text: 'text varchar bpchar char name citext uuid',
  date: 'date',
  datetime: 'timestamp timestamptz',
  time: 'time timetz',
  boolean: 'bool',
  json: 'json jsonb',
})
