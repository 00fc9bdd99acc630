import type { Clock } from '../core/clock.ts'
import type { Database } from './database.ts'
import type { DatabaseSchema } from './schema.ts'

/** Keeps a database's schema for a short while, since every query is checked against it. */
export class SchemaCache {
  readonly #database: Database
  readonly #clock: Clock
  readonly #lifeMs: number
  #loading: Promise<DatabaseSchema> | undefined
  #loadedAt = 0

  constructor(database: Database, clock: Clock, lifeMs: number) {
    this.#database = database
    this.#clock = clock
    this.#lifeMs = lifeMs
  }

  /** The schema, at most `lifeMs` old; one that is being read is shared, and a failure is not cached. */
  get(): Promise<DatabaseSchema> {
    if (this.#loading !== undefined && this.#clock.now() - this.#loadedAt < this.#lifeMs) return this.#loading
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
