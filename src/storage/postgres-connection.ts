import { migrate } from './migrations.ts'
import { postgresError } from './sql/postgres-errors.ts'
import { connect, type PostgresConnection, type Queryable } from './sql/postgres-pool.ts'
import type { StorageOptions } from './storage.ts'
import type { Owner } from '../domain/events.ts'
import { toPostgresQuery, sql, type SqlRunner } from './sql/query.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

const POOL_SIZE = 10
/** Readers have connections of their own, so that workers always find one. */
const READERS_POOL_SIZE = 3

/** Any number that no other program on the database is likely to lock on: "tutti" in ASCII. */
export const MIGRATION_LOCK = 0x7475747469

/**
 * Connects and brings the schema up to date; of several processes that start at once, one does it.
 * @throws TuttiError `StorageError` when the server cannot be used
 */
export async function openPostgres(url: string, onError: StorageOptions['onError']): Promise<PostgresConnection> {
  const connection = await connect(url, POOL_SIZE, 'tutti', onError)
  try {
    await connection.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
      const query = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows
      await migrate({ dialect: 'postgres', query })
    })
    return connection
  } catch (error) {
    await connection.close()
    throw postgresError(error, connection.server)
  }
}

/** Connections for readers, to a database that is up to date. Opened when they are needed. */
export function openReaders(url: string, onError: StorageOptions['onError']): Promise<PostgresConnection> {
  return connect(url, READERS_POOL_SIZE, 'tutti', onError)
}

export function sqliteRunner(connection: SqliteConnection): SqlRunner {
  return {
    dialect: 'sqlite',
    all: async (query) => connection.all(query),
    of: async (_owner, query) => connection.all(query),
    write: async (_owner, script) =>
      connection.transaction(true, () => {
        const steps = script()
        let step = steps.next()
        while (step.done !== true) step = steps.next(connection.all(step.value))
        return step.value
      }),
    emptyLog: () => connection.emptyLog(),
  }
}

export function postgresRunner(connection: PostgresConnection): SqlRunner {
  /** In a transaction that sees rows of this owner alone, see `guardOwners`. */
  const asOwner = <T>(owner: Owner, work: (client: Queryable) => Promise<T>): Promise<T> =>
    connection.withRetry(() =>
      connection.transaction(async (client) => {
        await client.query(toPostgresQuery(sql`SELECT set_config('tutti.owner', ${owner}, true)`))
        return work(client)
      }),
    )
  return {
    dialect: 'postgres',
    all: (query) => connection.all(query),
    of: (owner, query) => asOwner(owner, async (client) => (await client.query(toPostgresQuery(query))).rows as never),
    write: (owner, script) =>
      asOwner(owner, async (client) => {
        await client.query(toPostgresQuery(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tutti ${owner}`}, 0))`))
        const steps = script()
        let step = steps.next()
        while (step.done !== true) {
          step = steps.next((await client.query(toPostgresQuery(step.value))).rows as readonly object[])
        }
        return step.value
      }),
    emptyLog: () => undefined,
  }
}
