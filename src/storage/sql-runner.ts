import type { Owner } from '../domain/events.ts'
import type { PostgresConnection, Queryable } from './sql/postgres-pool.ts'
import { toPostgresQuery, sql } from './sql/query.ts'
import type { SqlRunner } from './sql/script.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

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
  }
}

export function postgresRunner(connection: PostgresConnection): SqlRunner {
  /** In a transaction that sees rows of this owner alone, see `guardOwners`. */
  const within = <T>(owner: Owner, work: (client: Queryable) => Promise<T>): Promise<T> =>
    connection.withRetry(() =>
      connection.transaction(async (client) => {
        await client.query(toPostgresQuery(sql`SELECT set_config('tutti.owner', ${owner}, true)`))
        return work(client)
      }),
    )
  return {
    dialect: 'postgres',
    all: (query) => connection.all(query),
    of: (owner, query) => within(owner, async (client) => (await client.query(toPostgresQuery(query))).rows as never),
    write: (owner, script) =>
      within(owner, async (client) => {
        await client.query(toPostgresQuery(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tutti ${owner}`}, 0))`))
        const steps = script()
        let step = steps.next()
        while (step.done !== true) {
          step = steps.next((await client.query(toPostgresQuery(step.value))).rows as readonly object[])
        }
        return step.value
      }),
  }
}
