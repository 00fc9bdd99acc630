import type { Owner } from '../../domain/events.ts'
import type { Dialect, Query } from './query.ts'

/** Yields queries and receives their rows, so that one script works with a synchronous and with an asynchronous driver. */
export type Script<T> = Generator<Query, T, readonly object[]>

/** One query of a script, with the type of its rows. */
export function* queryRows<Row>(query: Query): Script<readonly Row[]> {
  return (yield query) as readonly Row[]
}

/** A database for data off the hot path of a run. */
export interface SqlRunner {
  readonly dialect: Dialect
  all<Row extends object>(query: Query): Promise<readonly Row[]>
  /**
   * The same for one owner: on PostgreSQL rows of other owners are invisible to any query, unless the connection's user
   * is a superuser, to whom policies do not apply.
   */
  of<Row extends object>(owner: Owner, query: Query): Promise<readonly Row[]>
  /**
   * Runs a script in a durable transaction; scripts of one owner run one after the other. It may run twice when a
   * connection breaks, so it must not matter whether the first run was committed.
   */
  write<T>(owner: Owner, script: () => Script<T>): Promise<T>
}
