import { Best, type ScoredChunk } from '../search/top-k.ts'
import type { SearchFilter } from '../types.ts'
import { selectChunks, type Selection } from './filter.ts'
import type { OwnerRow } from './owners.ts'
import { nearestByPgvector } from './pgvector.ts'
import { chunkOfKey, vectorKey } from './schema.ts'
import { allIn, ownBuffer, type Bytes, type Sql } from './sql.ts'
import { assertVectorSize, dot, unit } from './vectors.ts'

/** Vectors in memory at once. */
const ROWS_AT_ONCE = 500

export interface DenseQuery {
  readonly model: string
  readonly vector: Float32Array
  readonly limit: number
  readonly filter: SearchFilter | undefined
}

interface VectorRow {
  readonly vector_key: number
  readonly vector: Bytes
}

/** The chunks nearest by cosine; see `KnowledgeStore.dense`. */
export async function searchDense(sql: Sql, owner: OwnerRow, query: DenseQuery): Promise<readonly ScoredChunk[]> {
  if (owner.embedding_model !== query.model || owner.embedding_size === null) return []
  assertVectorSize(query.vector, owner.embedding_size)
  const ownerId = owner.owner_id
  const selection = await selectChunks(sql, ownerId, query.filter)
  const vector = unit(query.vector)
  const indexed = selection === undefined ? await nearestByPgvector(sql, ownerId, vector, query.limit) : undefined
  const best = new Best(query.limit, -Infinity)
  const rows =
    indexed === undefined
      ? readVectors(sql, ownerId, selection?.ranges ?? [{ first: 0, end: owner.next_chunk }])
      : await allIn<VectorRow>(
          sql,
          (marks) => `SELECT vector_key, vector FROM knowledge_vectors WHERE vector_key IN (${marks})`,
          indexed.map((chunk) => vectorKey(ownerId, chunk)),
        )
  for await (const { vector_key, vector: bytes } of rows) {
    const chunk = chunkOfKey(vector_key)
    if (selection !== undefined && !selection.has(chunk)) continue
    best.add({ chunk, score: dot(vector, new Float32Array(ownBuffer(bytes))) })
  }
  return best.sorted()
}

/** The vectors of ranges in their order, and of few chunks between them. */
async function* readVectors(sql: Sql, ownerId: number, ranges: Selection['ranges']): AsyncGenerator<VectorRow> {
  const spans: { first: number; end: number }[] = []
  for (const { first, end } of ranges) {
    const last = spans.at(-1)
    if (last !== undefined && first - last.end < ROWS_AT_ONCE) last.end = end
    else spans.push({ first, end })
  }
  for (const { first, end } of spans) {
    let from = vectorKey(ownerId, first)
    for (let isLast = false; !isLast;) {
      const rows = await sql.all<VectorRow>(
        'SELECT vector_key, vector FROM knowledge_vectors WHERE vector_key >= ? AND vector_key < ? ORDER BY vector_key LIMIT ?',
        [from, vectorKey(ownerId, end), ROWS_AT_ONCE],
      )
      yield* rows
      isLast = rows.length < ROWS_AT_ONCE
      from = (rows.at(-1)?.vector_key ?? from) + 1
    }
  }
}
