import type { Owner } from '../../domain/events.ts'
import type { Clock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import { rowRecord, type Query, type SqlRunner } from './query.ts'

/** Encrypts values with the key of the installation. Each is bound to the place where it is stored. */
export interface Seal {
  close(text: string, place: string): Promise<string>
  /** Undefined if it was encrypted with another key. */
  open(sealed: string, place: string): Promise<string | undefined>
}

/** Base of stores in SQL tables. */
export abstract class SqlStore {
  protected readonly sql: SqlRunner
  protected readonly clock: Clock

  constructor(runner: SqlRunner, clock: Clock) {
    this.sql = runner
    this.clock = clock
  }

  /** The rows of a query as records. @param json columns with JSON */
  protected async records<T>(query: Query, json?: readonly string[]): Promise<readonly T[]> {
    return (await this.sql.all(query)).map((row) => rowRecord<T>(row, json))
  }

  /** As `records`, of one owner. */
  protected async recordsOf<T>(owner: Owner, query: Query, json?: readonly string[]): Promise<readonly T[]> {
    return (await this.sql.of(owner, query)).map((row) => rowRecord<T>(row, json))
  }

  /** Whether a query changed or returned any row. */
  protected async hasRows(query: Query): Promise<boolean> {
    return (await this.sql.all(query)).length > 0
  }
}

/** Base of stores with encrypted columns. */
export abstract class SealedSqlStore extends SqlStore {
  protected readonly seal: Seal

  constructor(runner: SqlRunner, clock: Clock, seal: Seal) {
    super(runner, clock)
    this.seal = seal
  }

  /** Decrypts a value. @throws TuttiError `StorageError` if it was encrypted with another key */
  protected async unseal(sealed: string, place: string, name: string): Promise<string> {
    const text = await this.seal.open(sealed, place)
    if (text !== undefined) return text
    const message = `${name} was encrypted with another key; start with the key that was used then.`
    throw new TuttiError('StorageError', message)
  }
}
