import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { TuttiError } from '../../domain/errors.ts'
import { describeServer, isTransient, postgresError } from './postgres-errors.ts'
import { toPostgresQuery, type Query } from './query.ts'

const CONNECT_TIMEOUT_MS = 10_000
/**
 * When a server stops, all connections break; the pool needs a moment to notice, and must not return another dead one.
 */
const RETRY_AFTER_MS = 100

/** Type of whole numbers; `pg` would give them as texts. */
const INT8 = 20

/** Runs one statement; a pool or a client inside a transaction. */
export interface Queryable {
  query(query: QueryConfig): Promise<{ readonly rows: unknown[] }>
}

/** A pool of connections to one PostgreSQL. Errors come out as `StorageError`. */
export class PostgresConnection {
  readonly server: string
  private readonly pool: Pool

  constructor(pool: Pool, server: string) {
    this.pool = pool
    this.server = server
  }

  /** Runs a query and returns its rows. Retried once after a dropped connection. */
  all<Row>(query: Query): Promise<Row[]> {
    return this.withRetry(async () => (await this.pool.query(toPostgresQuery(query))).rows as Row[])
  }

  /** Runs one statement in a transaction of its own; tried once only. */
  async once(query: QueryConfig): Promise<unknown[]> {
    return (await this.pool.query(query)).rows as unknown[]
  }

  /** Retries `action` once if the connection failed. `again` is true for the second attempt. */
  async withRetry<T>(action: (again: boolean) => Promise<T>): Promise<T> {
    try {
      return await action(false).catch(async (error: unknown) => {
        if (!isTransient(error)) throw error
        await pause(RETRY_AFTER_MS)
        return action(true)
      })
    } catch (error) {
      throw postgresError(error, this.server)
    }
  }

  /** Runs `action` in a transaction; errors are rethrown unchanged. A connection whose rollback fails is discarded. */
  async transaction<T>(action: (client: PoolClient) => Promise<T>, begin = 'BEGIN'): Promise<T> {
    const client = await this.pool.connect()
    try {
      await client.query(begin)
      const result = await action(client)
      await client.query('COMMIT')
      client.release()
      return result
    } catch (error) {
      const broken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      )
      client.release(broken)
      throw error
    }
  }

  async close(): Promise<void> {
    if (!this.pool.ended) await this.pool.end()
  }
}

/**
 * Connections to a server, opened on demand.
 * @param name of the program, as shown by the server
 * @param onError called for connections that break while they are idle
 * @throws TuttiError `ConfigurationError` for an invalid URL
 */
export async function connect(
  url: string,
  max: number,
  name: string,
  onError: (error: TuttiError) => void,
): Promise<PostgresConnection> {
  const server = describeServer(url)
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: name,
    types: { getTypeParser: (oid) => (oid === INT8 ? Number : pg.types.getTypeParser(oid)) },
  })
  // Without these handlers a stopped server ends the process: idle connections report to the pool, others to
  // themselves.
  const report = (error: Error): void => onError(postgresError(error, server))
  pool.on('error', report)
  pool.on('connect', (client) => client.on('error', report))
  return new PostgresConnection(pool, server)
}
