import { chunkOfKey, vectorKey } from './schema.ts'
import { insertRows, ownBuffer, type Bytes, type Sql } from './sql.ts'

/** Maximum dimensions of pgvector's HNSW index. Longer vectors are compared one by one, as on SQLite. */
const MAX_DIMENSIONS = 2_000

/** First version with iterative index scans, which continue until enough vectors of the owner are found. */
const FIRST_VERSION = [0, 8] as const

const ROWS_AT_ONCE = 500

/** Advisory lock number, unlikely to be used by other programs. */
const INDEX_LOCK = 0x7475747476

/**
 * Enables pgvector if the server has it and permits it, and copies vectors stored before.
 * @returns whether vectors are also stored there
 */
export async function preparePgvector(sql: Sql): Promise<boolean> {
  const [available] = await sql.all("SELECT name FROM pg_available_extensions WHERE name = 'vector'", [])
  if (available === undefined) return false
  await sql.all('SAVEPOINT pgvector', [])
  try {
    await sql.all('CREATE EXTENSION IF NOT EXISTS vector', [])
  } catch {
    // Missing permission: the store works without pgvector.
    await sql.all('ROLLBACK TO SAVEPOINT pgvector', [])
    return false
  }
  const [extension] = await sql.all<{ extversion: string }>(
    "SELECT extversion FROM pg_extension WHERE extname = 'vector'",
    [],
  )
  if (!isNewEnough(extension?.extversion ?? '')) return false
  await sql.all(
    `CREATE TABLE IF NOT EXISTS knowledge_embeddings (
       vector_key bigint PRIMARY KEY, owner_id bigint NOT NULL, embedding vector NOT NULL)`,
    [],
  )
  await takeIn(sql)
  return true
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > FIRST_VERSION[0] || (major === FIRST_VERSION[0] && minor >= FIRST_VERSION[1])
}

async function takeIn(sql: Sql): Promise<void> {
  for (;;) {
    const rows = await sql.all<{ vector_key: number; vector: Bytes }>(
      `SELECT v.vector_key, v.vector FROM knowledge_vectors v
       LEFT JOIN knowledge_embeddings e ON e.vector_key = v.vector_key
       WHERE e.vector_key IS NULL AND length(v.vector) <= ? LIMIT ?`,
      [MAX_DIMENSIONS * 4, ROWS_AT_ONCE],
    )
    if (rows.length === 0) return
    for (const size of new Set(rows.map(({ vector }) => vector.byteLength / 4))) await makeIndex(sql, size)
    await insert(
      sql,
      rows.map(({ vector_key, vector }) => [vector_key, new Float32Array(ownBuffer(vector))]),
    )
  }
}

/** Stores vectors in pgvector, too, if it is enabled. */
export async function addEmbeddings(
  sql: Sql,
  ownerId: number,
  vectors: ReadonlyMap<number, Float32Array>,
): Promise<void> {
  const [first] = vectors.values()
  if (!sql.hasPgvector || first === undefined || first.length > MAX_DIMENSIONS) return
  await makeIndex(sql, first.length)
  await insert(
    sql,
    [...vectors].map(([chunk, vector]) => [vectorKey(ownerId, chunk), vector]),
  )
}

async function insert(sql: Sql, rows: readonly (readonly [number, Float32Array])[]): Promise<void> {
  await insertRows(
    sql,
    'knowledge_embeddings (vector_key, owner_id, embedding)',
    rows.map(([key, vector]) => [key, Math.floor(key / vectorKey(1, 0)), textOf(vector)]),
  )
}

/** One index per vector size, since an index supports only one. */
async function makeIndex(sql: Sql, size: number): Promise<void> {
  const name = `knowledge_embeddings_${size}`
  const [found] = await sql.all('SELECT 1 AS found FROM pg_class WHERE oid = to_regclass(?)', [name])
  if (found !== undefined) return
  await sql.all('SELECT pg_advisory_xact_lock(?::bigint)', [INDEX_LOCK])
  await sql.all(
    `CREATE INDEX IF NOT EXISTS ${name} ON knowledge_embeddings
     USING hnsw ((embedding::vector(${size})) vector_cosine_ops) WHERE vector_dims(embedding) = ${size}`,
    [],
  )
}

export async function removeEmbeddings(sql: Sql, firstKey: number, lastKey: number): Promise<void> {
  if (!sql.hasPgvector) return
  await sql.all('DELETE FROM knowledge_embeddings WHERE vector_key BETWEEN ? AND ?', [firstKey, lastKey])
}

/** The owner's chunks nearest to a vector, by the index; undefined where pgvector cannot tell. */
export async function nearestByPgvector(
  sql: Sql,
  ownerId: number,
  vector: Float32Array,
  limit: number,
): Promise<number[] | undefined> {
  const size = vector.length
  if (!sql.hasPgvector || size > MAX_DIMENSIONS) return undefined
  // Without iterative scans, the index returns the nearest vectors of all owners, of which few or none may belong to
  // this one.
  await sql.all('SET LOCAL hnsw.iterative_scan = strict_order', [])
  await sql.all('SET LOCAL hnsw.max_scan_tuples = 200000', [])
  await sql.all('SET LOCAL hnsw.ef_search = 200', [])
  const rows = await sql.all<{ vector_key: number }>(
    `SELECT vector_key FROM knowledge_embeddings WHERE owner_id = ? AND vector_dims(embedding) = ${size}
     ORDER BY embedding::vector(${size}) <=> ?::vector(${size}) LIMIT ?`,
    [ownerId, textOf(vector), limit],
  )
  return rows.length < limit ? undefined : rows.map(({ vector_key }) => chunkOfKey(vector_key))
}

function textOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}
