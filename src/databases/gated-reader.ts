import { systemClock, type Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Database, QueryOptions } from './database.ts'
import type { Gate } from './sql-guard/index.ts'
import { createTableCatalog } from './sql-guard/tables.ts'
import { blockedReply, failureReply, successReply, type QueryReply } from './query-reply.ts'
import type { DatabaseSchema } from './schema.ts'

export interface GatedReaderOptions {
  /** By name of the database: tables and views that may be seen and read, as `x` or `schema.x`; absent, all. */
  readonly allowedTables?: Readonly<Record<string, readonly string[]>>
  readonly clock?: Clock
}

/** Databases behind the gate and the allow-lists: every query passes the gate first. */
export class GatedReader {
  readonly #entries = new Map<string, { readonly database: Database; readonly cache: SchemaCache }>()
  readonly #gate: Gate
  readonly #allowedTables: Readonly<Record<string, readonly string[]>>

  /** @throws TuttiError `ConfigurationError` when tables are allowed of an unknown database */
  constructor(databases: readonly Database[], gate: Gate, options: GatedReaderOptions = {}) {
    const { clock = systemClock, allowedTables = {} } = options
    this.#gate = gate
    this.#allowedTables = allowedTables
    for (const database of databases) {
      this.#entries.set(database.name, { database, cache: new SchemaCache(database, clock) })
    }
    for (const name of Object.keys(allowedTables)) this.#entry(name)
  }

  async schema(name: string): Promise<DatabaseSchema> {
    const { database, cache } = this.#entry(name)
    const schema = await cache.get()
    return { ...schema, tables: createTableCatalog(schema, this.#allowedTables[database.name]).allowed }
  }

  /** Never throws: failures and rejections are reported in the reply. */
  async query(name: string, sql: string, options?: QueryOptions): Promise<QueryReply> {
    try {
      const { database, cache } = this.#entry(name)
      const verdict = await this.#check(sql, database, cache)
      if (!verdict.allowed) return blockedReply(verdict.reason, verdict.rule)
      return successReply(await database.query(sql, options))
    } catch (error) {
      return failureReply(error)
    }
  }

  /** An unknown table or column may be newer than the cached schema, so the schema is read again once. */
  async #check(sql: string, database: Database, cache: SchemaCache): Promise<Awaited<ReturnType<Gate['check']>>> {
    const allowedTables = this.#allowedTables[database.name]
    const options = allowedTables === undefined ? {} : { allowedTables }
    const kept = await cache.get()
    const verdict = await this.#gate.check(sql, kept, options)
    if (verdict.allowed || (verdict.rule !== 'table' && verdict.rule !== 'column')) return verdict
    return this.#gate.check(sql, await cache.refresh(), options)
  }

  #entry(name: string): { readonly database: Database; readonly cache: SchemaCache } {
    const entry = this.#entries.get(name)
    if (entry !== undefined) return entry
    const names = [...this.#entries.keys()].map((known) => `"${known}"`).join(', ') || 'none'
    throw new TuttiError('ConfigurationError', `There is no database "${name}"; there are: ${names}.`)
  }
}

const SCHEMA_LIFE_MS = 60_000

/** Keeps a database's schema for a short while, since every query is checked against it. */
class SchemaCache {
  readonly #database: Database
  readonly #clock: Clock
  #loading: Promise<DatabaseSchema> | undefined
  #loadedAt = 0

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /** The schema, at most `SCHEMA_LIFE_MS` old; one that is being read is shared, and a failure is not cached. */
  get(): Promise<DatabaseSchema> {
    if (this.#loading !== undefined && this.#clock.now() - this.#loadedAt < SCHEMA_LIFE_MS) return this.#loading
    return this.refresh()
  }

  /** Reads the schema again. */
  refresh(): Promise<DatabaseSchema> {
    const loading = this.#database.schema()
    this.#loading = loading
    this.#loadedAt = this.#clock.now()
    loading.catch(() => {
      if (this.#loading === loading) this.#loading = undefined
    })
    return loading
  }
}
