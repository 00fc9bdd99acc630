import type { PoolClient, QueryArrayConfig } from 'pg'
import type { QueryOutput } from './database.ts'
import { ownTypes, postgresCells, type ParseTextArray } from './postgres-cells.ts'
import { RowCollector } from './rows.ts'

const BATCH = 200
/** `text[]`, whose parser in node-pg splits any array literal without interpreting its elements. */
const TEXT_ARRAY = 1009
/** The type declarations have only the object IDs of scalars. */
type ParserOf = (objectId: number) => ParseTextArray

/** Elements of a domain have the type under it. */
const ARRAY_TYPES = `SELECT a.oid, COALESCE(NULLIF(e.typbasetype, 0), e.oid) AS typelem
  FROM pg_catalog.pg_type a JOIN pg_catalog.pg_type e ON e.oid = a.typelem
  WHERE a.oid = ANY ($1) AND a.typcategory = 'A'`

/**
 * Keep every value as the text sent by the server. `postgresCell` converts it, so that no date is shifted and no number
 * rounded.
 */
const asText = { getTypeParser: () => String }

/**
 * Runs one SELECT (or VALUES, TABLE, WITH … SELECT) through a cursor and keeps at most `maxRows`. The extended protocol
 * rejects a second statement, and the grammar of DECLARE CURSOR rejects everything that is not a query, such as COMMIT,
 * SET, COPY, DO or CALL.
 */
export async function fetchRows(client: PoolClient, sql: string, maxRows: number): Promise<QueryOutput> {
  const { default: pg } = await import('pg')
  const ownElements = new Map<number, number>()
  const readCell = postgresCells((pg.types.getTypeParser as ParserOf)(TEXT_ARRAY), ownElements)
  const collector = new RowCollector(maxRows)
  await client.query(extended(`DECLARE tutti_rows NO SCROLL CURSOR FOR ${sql}`))
  const batch = Math.min(BATCH, maxRows + 1)
  let columns: string[] = []
  for (let more = true; more;) {
    const { fields, rows } = await client.query<unknown[]>(extended(`FETCH ${batch} FROM tutti_rows`))
    const own = ownTypes(fields.map(({ dataTypeID }) => dataTypeID))
    if (columns.length === 0 && own.length > 0) {
      const { rows: found } = await client.query<{ oid: number; typelem: number }>(ARRAY_TYPES, [own])
      for (const { oid, typelem } of found) ownElements.set(oid, typelem)
    }
    columns = fields.map((field) => field.name)
    more = rows.length === batch
    for (const row of rows) {
      const cells = row.map((text, i) => (typeof text === 'string' ? readCell(fields[i]!.dataTypeID, text) : null))
      if (!collector.add(cells)) more = false
      if (collector.full) break
    }
  }
  return collector.output(columns)
}

function extended(text: string): QueryArrayConfig {
  const query: QueryArrayConfig & { queryMode: 'extended' } = {
    text,
    values: [],
    rowMode: 'array',
    types: asText,
    queryMode: 'extended',
  }
  return query
}
