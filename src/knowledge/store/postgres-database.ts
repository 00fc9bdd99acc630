import type { Pool, PoolClient, PoolConfig } from 'pg'
import { describeServer, isPostgresError, postgresError } from '../../storage/sql/postgres-errors.ts'
import { preparePgvector } from './pgvector.ts'
import { migrationsFrom, SCHEMA_VERSION } from './schema.ts'
import type { Sql, SqlDatabase, SqlValue } from './sql.ts'

const POOL_SIZE = 4
const CONNECT_TIMEOUT_MS = 10_000

/** Any numbers that no other program on the database is likely to lock on. */
const MIGRATION_LOCK = 0x747574746b
const OWNER_LOCK = 0x7475746b

/** Type of whole numbers; `pg` would give them as texts. */
const INT8 = 20

/**
 * Connects and makes the tables where they are missing; of several processes that start at once, one does it.
 * @throws TuttiError `StorageError` when the server cannot be used
 */
export async function openPostgresDatabase(url: string): Promise<SqlDatabase> {
  const server = describeServer(url)
  const { default: pg } = await import('pg')
  const config: PoolConfig = {
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'tutti knowledge',
    types: { getTypeParser: (oid) => (oid === INT8 ? Number : pg.types.getTypeParser(oid)) },
  }
  const pool = new pg.Pool(config)
  // An idle connection that breaks reports to the pool, and one in use also to whoever waits; the pool drops both.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const database = new PostgresDatabase(pool, server)
  try {
    await database.prepare()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

class PostgresDatabase implements SqlDatabase {
  #hasPgvector = false
  readonly #pool: Pool
  readonly #server: string

  constructor(pool: Pool, server: string) {
    this.#pool = pool
    this.#server = server
  }

  read<T>(action: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', action)
  }

  write<T>(owner: string, action: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN', async (sql) => {
      await sql.all('SELECT pg_advisory_xact_lock(?::int, hashtext(?))', [OWNER_LOCK, owner])
      return action(sql)
    })
  }

  async prepare(): Promise<void> {
    this.#hasPgvector = await this.#transaction('BEGIN', async (sql) => {
      await prepareSchema(sql)
      return preparePgvector(sql)
    })
  }

  async #transaction<T>(begin: string, action: (sql: Sql) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined
    let isBroken = false
    try {
      client = await this.#pool.connect()
      await client.query(begin)
      const result = await action(sqlOf(client, this.#hasPgvector))
      await client.query('COMMIT')
      return result
    } catch (error) {
      isBroken =
        (await client?.query('ROLLBACK').then(
          () => false,
          () => true,
        )) ?? false
      throw isPostgresError(error) ? postgresError(error, this.#server) : error
    } finally {
      client?.release(isBroken)
    }
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end()
  }
}

function sqlOf(client: PoolClient, hasPgvector: boolean): Sql {
  return {
    dialect: 'postgres',
    hasPgvector,
    async all<Row>(statement: string, values: readonly SqlValue[]): Promise<Row[]> {
      let place = 0
      const text = statement.replace(/\?/g, () => `$${++place}`)
      const { rows } = await client.query({ text, values: values.map(bufferOf) })
      return rows as Row[]
    },
  }
}

function bufferOf(value: SqlValue): SqlValue {
  return value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
}

async function prepareSchema(sql: Sql): Promise<void> {
  await sql.all('SELECT pg_advisory_xact_lock(?::bigint)', [MIGRATION_LOCK])
  await sql.all('CREATE TABLE IF NOT EXISTS knowledge_schema (version bigint PRIMARY KEY)', [])
  const [row] = await sql.all<{ version: number | null }>('SELECT max(version) AS version FROM knowledge_schema', [])
  const version = row?.version ?? 0
  const statements = migrationsFrom(version, 'postgres')
  if (version === SCHEMA_VERSION) return
  for (const statement of statements) await sql.all(statement, [])
  await sql.all('INSERT INTO knowledge_schema (version) VALUES (?)', [SCHEMA_VERSION])
}
