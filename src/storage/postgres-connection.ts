import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import { migrate } from './migrations.ts'
import { describeServer, isTransient, postgresError } from './sql/postgres-errors.ts'
import { forPostgres, type Query } from './sql/query.ts'
import type { StorageOptions } from './storage.ts'

const POOL_SIZE = 10
/** Readers have connections of their own, so that workers always find one. */
const READERS_POOL_SIZE = 3
const CONNECT_TIMEOUT_MS = 10_000
/** When a server goes away, all connections break; the pool needs a moment to notice, and must not hand out the next dead one. */
const RETRY_AFTER_MS = 100

/** Type of whole numbers; `pg` would give them as texts. */
const INT8 = 20

/** Any number that no other program on the database is likely to lock on: "tutti" in ASCII. */
export const MIGRATION_LOCK = 0x7475747469

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

  /** Runs a query and gives its rows. After a dropped connection it is tried once more. */
  all<Row>(query: Query): Promise<Row[]> {
    return this.withRetry(async () => (await this.pool.query(forPostgres(query))).rows as Row[])
  }

  /** Runs one statement in a transaction of its own; tried once only. */
  async once(query: QueryConfig): Promise<unknown[]> {
    return (await this.pool.query(query)).rows as unknown[]
  }

  /** Tries `action` a second time when the connection was at fault. `again` tells it that this is the second time. */
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

  /** Runs `action` in a transaction. A connection on which even the rollback fails is thrown away. */
  async transaction<T>(action: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect()
    try {
      await client.query('BEGIN')
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
 * Connects and brings the schema up to date; of several processes that start at once, one does it.
 * @throws TuttiError `StorageError` when the server cannot be used
 */
export async function openPostgres(url: string, onError: StorageOptions['onError']): Promise<PostgresConnection> {
  const connection = await connect(url, POOL_SIZE, onError)
  try {
    await connection.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
      await migrate({
        dialect: 'postgres',
        query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
      })
    })
    return connection
  } catch (error) {
    await connection.close()
    throw postgresError(error, connection.server)
  }
}

/** Connections for readers, to a database that is up to date. Opened when they are needed. */
export function openReaders(url: string, onError: StorageOptions['onError']): Promise<PostgresConnection> {
  return connect(url, READERS_POOL_SIZE, onError)
}

async function connect(url: string, max: number, onError: StorageOptions['onError']): Promise<PostgresConnection> {
  const server = describeServer(url)
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'tutti',
    types: { getTypeParser: (oid) => (oid === INT8 ? Number : pg.types.getTypeParser(oid)) },
  })
  // Without these a server that goes away ends the process: an idle connection reports to the pool, one in use to itself.
  const report = (error: Error): void => onError(postgresError(error, server))
  pool.on('error', report)
  pool.on('connect', (client) => client.on('error', report))
  return new PostgresConnection(pool, server)
}
