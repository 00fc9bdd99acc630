import type { PoolClient } from 'pg'
import { isPostgresError, postgresError } from '../../storage/sql/postgres-errors.ts'
import { connect, type PostgresConnection } from '../../storage/sql/postgres-pool.ts'
import { numbered } from '../../storage/sql/query.ts'
import { preparePgvector } from './pgvector.ts'
import { schemaStatements, SCHEMA_VERSION } from './schema.ts'
import type { Sql, SqlDatabase, SqlValue } from './sql.ts'

const POOL_SIZE = 4

/** Advisory lock numbers, unlikely to be used by other programs. */
const MIGRATION_LOCK = 0x747574746b
const OWNER_LOCK = 0x7475746b

/**
 * Connects and creates missing tables. If several processes start at once, one of them does it.
 * @throws TuttiError `StorageError` if the server is unavailable
 */
export async function openPostgresDatabase(url: string): Promise<SqlDatabase> {
  // Ignore connection errors here: a query in progress reports them, and the pool drops the connection.
  const database = new PostgresDatabase(await connect(url, POOL_SIZE, 'tutti knowledge', () => undefined))
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
  readonly #connection: PostgresConnection

  constructor(connection: PostgresConnection) {
    this.#connection = connection
  }

  read<T>(action: (sql: Sql) => Promise<T>, reader = ''): Promise<T> {
    return this.#transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (sql) => {
      if (reader !== '') await sql.all("SELECT set_config('tutti.owner', ?, true)", [reader])
      return action(sql)
    })
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
    try {
      return await this.#connection.transaction((client) => action(sqlOf(client, this.#hasPgvector)), begin)
    } catch (error) {
      throw isPostgresError(error) ? postgresError(error, this.#connection.server) : error
    }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}

function sqlOf(client: PoolClient, hasPgvector: boolean): Sql {
  return {
    dialect: 'postgres',
    hasPgvector,
    async all<Row>(statement: string, values: readonly SqlValue[]): Promise<Row[]> {
      const { rows } = await client.query({ text: numbered(statement), values: values.map(bufferOf) })
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
  const statements = schemaStatements(version, 'postgres')
  if (version === SCHEMA_VERSION) return
  for (const statement of statements) await sql.all(statement, [])
  await sql.all('INSERT INTO knowledge_schema (version) VALUES (?)', [SCHEMA_VERSION])
}
