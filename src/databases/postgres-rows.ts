import type { PoolClient, QueryArrayConfig } from 'pg'
import type { ConnectTarget, QueryOutput } from './database.ts'
import { RowCollector } from './rows.ts'
import { bytesCell, floatCell, jsonCell, numberCell, textCell, timestampCell } from './cells.ts'
import { connect, Socket } from 'node:net'

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
  for (let hasMore = true; hasMore;) {
    const { fields, rows } = await client.query<unknown[]>(extended(`FETCH ${batch} FROM tutti_rows`))
    const own = ownTypes(fields.map(({ dataTypeID }) => dataTypeID))
    if (columns.length === 0 && own.length > 0) {
      const { rows: found } = await client.query<{ oid: number; typelem: number }>(ARRAY_TYPES, [own])
      for (const { oid, typelem } of found) ownElements.set(oid, typelem)
    }
    columns = fields.map((field) => field.name)
    hasMore = rows.length === batch
    for (const row of rows) {
      const cells = row.map((text, i) => (typeof text === 'string' ? readCell(fields[i]!.dataTypeID, text) : null))
      if (!collector.add(cells)) hasMore = false
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

const BOOL = 16
const BYTEA = 17
const INTEGERS = new Set([20, 21, 23, 26])
const FLOATS = new Set([700, 701])
const NUMERIC = 1700
const TIMESTAMPS = new Set([1114, 1184])
const JSONS = new Set([114, 3802])

/** Object ids of array types and of their elements, from pg_type.dat; they never change. */
const ELEMENT_OF: Readonly<Record<number, number>> = {
  1000: BOOL,
  1001: BYTEA,
  1005: 21,
  1007: 23,
  1016: 20,
  1021: 700,
  1022: 701,
  1231: NUMERIC,
  1115: 1114,
  1185: 1184,
  1182: 1082,
  1009: 25,
  1014: 1042,
  1015: 1043,
  2951: 2950,
  199: 114,
  3807: 3802,
  // Of these the elements are text: points, times, networks, intervals and ranges.
  1017: 600,
  1041: 869,
  1183: 1083,
  1187: 1186,
  1270: 1266,
  3905: 3904,
  3907: 3906,
  3909: 3908,
  3911: 3910,
  3913: 3912,
  3927: 3926,
}
/** Types that a database defines itself begin here. */
const FIRST_OWN = 16_384

/** Types whose element type must be looked up. */
function ownTypes(types: readonly number[]): number[] {
  return types.filter((type) => type >= FIRST_OWN)
}

type Nested = string | null | Nested[]
type ParseTextArray = (literal: string) => Nested[]
/** By the object id of the type. */
type ReadCell = (type: number, text: string) => unknown

/**
 * Makes the reader that turns a value in PostgreSQL's text format into a JSON cell; types it does not know stay text.
 * @param parseTextArray node-pg's own parser of array literals
 * @param ownElements elements of the array types that the database defines
 */
function postgresCells(parseTextArray: ParseTextArray, ownElements: ReadonlyMap<number, number>): ReadCell {
  const read: ReadCell = (type, text) => {
    const element = ELEMENT_OF[type] ?? ownElements.get(type)
    if (element === undefined) return scalarCell(type, text)
    const cut = textCell(text)
    return cut === text ? items(element, parseTextArray(text)) : cut
  }
  const items = (element: number, values: Nested[]): unknown[] =>
    values.map((value) => {
      if (Array.isArray(value)) return items(element, value)
      return value === null ? null : read(element, value)
    })
  return read
}

function scalarCell(type: number, text: string): unknown {
  if (type === BOOL) return text === 't'
  if (type === BYTEA) return bytesCell(text.slice(2), ['\\x', ''])
  if (INTEGERS.has(type) || type === NUMERIC) return numberCell(text)
  if (FLOATS.has(type)) return floatCell(Number(text))
  if (TIMESTAMPS.has(type)) return timestampCell(text)
  if (JSONS.has(type)) return jsonCell(text)
  return textCell(text)
}

/** What node-pg keeps of a connection and leaves out of its types. */
interface ClientInternals {
  readonly host: string
  readonly port: number
  readonly processID: number
  readonly secretKey: number
  readonly connection: { readonly stream: Socket }
}

/** Magic number of a CancelRequest, PostgreSQL protocol 3.0 section "Message Formats". */
const CANCEL_REQUEST_CODE = 80_877_102
const CANCEL_TIMEOUT_MS = 5_000

/** The socket under a client, after a switch to TLS the encrypted one. */
export function postgresSocket(client: PoolClient): Socket {
  return internals(client).connection.stream
}

/** A socket for pg, which connects it by port and host. */
export function socketTo(target: ConnectTarget): Socket {
  const socket = new Socket()
  const connectTo = socket.connect.bind(socket)
  return Object.assign(socket, {
    connect(port: number, host: string): Socket {
      try {
        return connectTo(target(host, port))
      } catch (thrown) {
        return socket.destroy(thrown as Error)
      }
    },
  })
}

/**
 * Asks the server to cancel the current query of this client, as libpq does: on a separate connection, with the secret
 * key. Best effort: if this fails, `statement_timeout` still ends the query.
 */
export function sendCancelRequest(client: PoolClient, target: ConnectTarget = (host, port) => ({ host, port })): void {
  const { host, port, processID, secretKey } = internals(client)
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(target(host, port))
  socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.end(request)
}

function internals(client: PoolClient): ClientInternals {
  return client as unknown as ClientInternals
}
