import type { CompiledQuery } from 'kysely'
import type { RunId } from '../core/events.ts'
import type { Owner } from '../core/owner.ts'
import type { PostgresConnection, Queryable } from './postgres-connection.ts'
import type { ValueRow } from './rows.ts'
import { postgresValues, sqliteValues } from './run-values.ts'
import type { Dialect } from './schema.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Yields queries and receives their rows, so that one script works with a synchronous and with an asynchronous driver. */
export type Script<T> = Generator<CompiledQuery, T, readonly unknown[]>

/** One query of a script, with the type of its rows. */
export function* rowsOf<Row>(query: CompiledQuery): Script<readonly Row[]> {
  return (yield query) as readonly Row[]
}

/** A database for what is not on the hot path of a run. */
export interface SqlRunner {
  readonly dialect: Dialect
  all<Row>(query: CompiledQuery): Promise<readonly Row[]>
  /** The large values of a run that are kept under these hashes. */
  values(runId: RunId, hashes: readonly string[]): Promise<readonly ValueRow[]>
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
    values: async (runId, hashes) => sqliteValues(connection, runId, hashes),
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
    values: (runId, hashes) => postgresValues(connection, runId, hashes),
    write: (owner, script) =>
      connection.withRetry(() => connection.transaction((client) => runScript(client, owner, script))),
  }
}

async function runScript<T>(client: Queryable, owner: Owner, script: () => Script<T>): Promise<T> {
  await client.query({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`tutti ${owner}`] })
  const steps = script()
  let step = steps.next()
  while (step.done !== true) {
    const { sql: text, parameters } = step.value
    const { rows } = await client.query({ text, values: [...parameters] })
    step = steps.next(rows)
  }
  return step.value
}

/** Opens the database when it is first used. */
export function lazyRunner(dialect: Dialect, open: () => Promise<SqlRunner>): SqlRunner {
  let opened: Promise<SqlRunner> | undefined
  const runner = (): Promise<SqlRunner> => (opened ??= open())
  return {
    dialect,
    all: async (query) => (await runner()).all(query),
    values: async (runId, hashes) => (await runner()).values(runId, hashes),
    write: async (owner, script) => (await runner()).write(owner, script),
  }
}
