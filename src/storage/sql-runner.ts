import type { Owner } from '../core/owner.ts'
import type { PostgresConnection } from './sql/postgres-pool.ts'
import { forPostgres, sql, type Dialect, type Query } from './sql/query.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Yields queries and receives their rows, so that one script works with a synchronous and with an asynchronous driver. */
export type Script<T> = Generator<Query, T, readonly object[]>

/** One query of a script, with the type of its rows. */
export function* rowsOf<Row>(query: Query): Script<readonly Row[]> {
  return (yield query) as readonly Row[]
}

/** A database for what is not on the hot path of a run. */
export interface SqlRunner {
  readonly dialect: Dialect
  all<Row extends object>(query: Query): Promise<readonly Row[]>
  /**
   * Runs a script in a durable transaction; scripts of one owner run one after the other. It may run twice when a
   * connection breaks, so it must not matter whether the first run was committed.
   */
  write<T>(owner: Owner, script: () => Script<T>): Promise<T>
}

export function sqliteRunner(connection: SqliteConnection): SqlRunner {
  return {
    dialect: 'sqlite',
    all: async (query) => connection.all(query),
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
  return {
    dialect: 'postgres',
    all: (query) => connection.all(query),
    write: (owner, script) =>
      connection.withRetry(() =>
        connection.transaction(async (client) => {
          await client.query(forPostgres(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tutti ${owner}`}, 0))`))
          const steps = script()
          let step = steps.next()
          while (step.done !== true) step = steps.next((await client.query(forPostgres(step.value))).rows)
          return step.value
        }),
      ),
  }
}

/** Opens the database when it is first used. */
export function lazyRunner(dialect: Dialect, open: () => Promise<SqlRunner>): SqlRunner {
  let opened: Promise<SqlRunner> | undefined
  const runner = (): Promise<SqlRunner> => (opened ??= open())
  return {
    dialect,
    all: async (query) => (await runner()).all(query),
    write: async (owner, script) => (await runner()).write(owner, script),
  }
}
