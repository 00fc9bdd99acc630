import { Best, type ScoredChunk } from '../search/top-k.ts'
import type { SearchFilter } from '../types.ts'
import { codeBytes, readCodes } from './codes.ts'
import { selectChunks, type Selection } from './filter.ts'
import type { OwnerRow } from './owners.ts'
import { nearestByPgvector } from './pgvector.ts'
import { chunkOfKey, vectorKey } from './schema.ts'
import { allIn, ownBuffer, parts, type Bytes, type Sql } from './sql.ts'
import { assertVectorSize, dot, unit } from './vectors.ts'

/** Up to this number, all vectors are compared exactly; beyond, their codes select `CANDIDATES` to compare. */
const EXACT = 2_000
const CANDIDATES = 400

const ROWS_AT_ONCE = 500

export interface DenseQuery {
  readonly model: string
  readonly vector: Float32Array
  readonly limit: number
  readonly filter: SearchFilter | undefined
}

/** The chunks nearest by cosine; see `KnowledgeStore.dense`. */
export async function searchDense(sql: Sql, owner: OwnerRow, query: DenseQuery): Promise<readonly ScoredChunk[]> {
  if (owner.embedding_model !== query.model || owner.embedding_size === null) return []
  assertVectorSize(query.vector, owner.embedding_size)
  const selection = await selectChunks(sql, owner.owner_id, query.filter)
  const vector = unit(query.vector)
  const count = await countVectors(sql, owner.owner_id, selection)
  const vectors =
    count <= EXACT
      ? await readVectors(sql, owner.owner_id, selection)
      : await allIn<VectorRow>(
          sql,
          (marks) => `SELECT vector_key, vector FROM knowledge_vectors WHERE vector_key IN (${marks})`,
          (await likely(sql, owner, vector, query.limit, selection)).map((chunk) => vectorKey(owner.owner_id, chunk)),
        )
  return vectors
    .map(({ vector_key, vector: bytes }) => ({ chunk: chunkOfKey(vector_key), score: dot(vector, floatsOf(bytes)) }))
    .filter(({ chunk }) => selection?.has(chunk) ?? true)
    .toSorted((a, b) => b.score - a.score || a.chunk - b.chunk)
    .slice(0, query.limit)
}

interface VectorRow {
  readonly vector_key: number
  readonly vector: Bytes
}

async function countVectors(sql: Sql, ownerId: number, selection: Selection | undefined): Promise<number> {
  const [row] = await sql.all<{ embedded: number | null }>(
    'SELECT CAST(sum(embedded) AS bigint) AS embedded FROM knowledge_documents WHERE owner_id = ?',
    [ownerId],
  )
  const selected = selection?.ranges.reduce((total, { first, end }) => total + end - first, 0) ?? Infinity
  return Math.min(row?.embedded ?? 0, selected)
}

/** About `EXACT` of them at most, by the caller's count; a selection by section leaves more in. */
async function readVectors(sql: Sql, ownerId: number, selection: Selection | undefined): Promise<VectorRow[]> {
  const ranges = selection?.ranges ?? [{ first: 0, end: vectorKey(1, 0) }]
  const found: VectorRow[] = []
  for (const batch of parts(ranges, ROWS_AT_ONCE)) {
    const where = batch.map(() => 'vector_key BETWEEN ? AND ?').join(' OR ')
    const values = batch.flatMap(({ first, end }) => [vectorKey(ownerId, first), vectorKey(ownerId, end - 1)])
    found.push(...(await sql.all<VectorRow>(`SELECT vector_key, vector FROM knowledge_vectors WHERE ${where}`, values)))
  }
  return found
}

/** Chunks that are likely the nearest, more than are wanted. */
async function likely(
  sql: Sql,
  owner: OwnerRow,
  query: Float32Array,
  limit: number,
  selection: Selection | undefined,
): Promise<number[]> {
  const candidates = Math.max(CANDIDATES, limit * 4)
  const indexed = selection === undefined ? await nearestByPgvector(sql, owner.owner_id, query, limit) : undefined
  return indexed ?? likelyBySigns(sql, owner, query, candidates, selection)
}

/**
 * The chunks whose codes match the query best. The query keeps its real values, which is far better than comparing only
 * signs.
 */
async function likelyBySigns(
  sql: Sql,
  owner: OwnerRow,
  query: Float32Array,
  wanted: number,
  selection: Selection | undefined,
): Promise<number[]> {
  const size = query.length
  const width = codeBytes(size)
  const table = signTable(query)
  const best = new Best(wanted, -Infinity)
  for (const block of await readCodes(sql, owner.owner_id, size)) {
    const { bytes } = block
    for (let index = 0; index < block.count; index++) {
      const offset = block.offset(index)
      let score = 0
      for (let at = 0; at < width; at++) score += table[(at << 8) | bytes[offset + at]!]!
      if (score <= best.floor) continue
      const chunk = block.chunk(index)
      if (selection === undefined || selection.has(chunk)) best.add({ chunk, score })
    }
  }
  return best.sorted().map(({ chunk }) => chunk)
}

/** For each byte of a code and each of its 256 values, what its bits add to the product with the query. */
function signTable(query: Float32Array): Float32Array {
  const width = codeBytes(query.length)
  const table = new Float32Array(width * 256)
  for (let at = 0; at < width; at++) {
    for (let value = 0; value < 256; value++) {
      let total = 0
      for (let bit = 0; bit < 8; bit++) {
        const weight = query[at * 8 + bit] ?? 0
        total += value & (1 << bit) ? weight : -weight
      }
      table[(at << 8) | value] = total
    }
  }
  return table
}

function floatsOf(bytes: Bytes): Float32Array {
  return new Float32Array(ownBuffer(bytes))
}
