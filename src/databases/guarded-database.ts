import { systemClock, type Clock } from '../shared/clock.ts'
import { omitUndefined } from '../shared/json.ts'
import type { Database, QueryOptions } from './database.ts'
import type { SqlGuard, Verdict } from './sql-guard/index.ts'
import { createTableCatalog } from './sql-guard/tables.ts'
import { blockedReply, failureReply, successReply, type QueryReply } from './query-reply.ts'
import type { DatabaseSchema } from './schema.ts'

export interface GuardedDatabaseOptions {
  /** Tables and views that may be seen and read, as `x` or `schema.x`; absent, all. */
  readonly allowedTables?: readonly string[] | undefined
  readonly clock?: Clock | undefined
}

/** Every query is checked against the schema, so it is kept for a short while. */
const SCHEMA_LIFE_MS = 60_000

/** A database behind the SQL guard and the allow-list: every query passes the SQL guard first. */
export class GuardedDatabase {
  readonly #database: Database
  readonly #guard: SqlGuard
  readonly #allowedTables: readonly string[] | undefined
  readonly #clock: Clock
  #loading: Promise<DatabaseSchema> | undefined
  #loadedAt = 0

  constructor(
    database: Database,
    guard: SqlGuard,
    { allowedTables, clock = systemClock }: GuardedDatabaseOptions = {},
  ) {
    this.#database = database
    this.#guard = guard
    this.#allowedTables = allowedTables
    this.#clock = clock
  }

  async schema(): Promise<DatabaseSchema> {
    const schema = await this.#schema()
    return { ...schema, tables: createTableCatalog(schema, this.#allowedTables).allowed }
  }

  /** Never throws: failures and rejections are reported in the reply. */
  async query(sql: string, options?: QueryOptions): Promise<QueryReply> {
    try {
      const verdict = await this.#check(sql)
      if (!verdict.allowed) return blockedReply(verdict.reason, verdict.rule)
      return successReply(await this.#database.query(sql, options))
    } catch (error) {
      return failureReply(error)
    }
  }

  /** An unknown table or column may be newer than the kept schema, so the schema is read again once. */
  async #check(sql: string): Promise<Verdict> {
    const options = omitUndefined({ allowedTables: this.#allowedTables })
    const verdict = await this.#guard.check(sql, await this.#schema(), options)
    if (verdict.allowed || (verdict.rule !== 'table' && verdict.rule !== 'column')) return verdict
    return this.#guard.check(sql, await this.#readSchema(), options)
  }

  /** One that is being read is shared, and a failure is not kept. */
  #schema(): Promise<DatabaseSchema> {
    if (this.#loading !== undefined && this.#clock.now() - this.#loadedAt < SCHEMA_LIFE_MS) return this.#loading
    return this.#readSchema()
  }

  #readSchema(): Promise<DatabaseSchema> {
    const loading = this.#database.schema()
    this.#loading = loading
    this.#loadedAt = this.#clock.now()
    loading.catch(() => {
      if (this.#loading === loading) this.#loading = undefined
    })
    return loading
  }
}
