import { insertRows, ownBuffer, type Bytes, type Sql } from './sql.ts'

/**
 * Chunks per block of binary codes, which hold one sign bit per dimension of a vector. Reading 100,000 codes takes a
 * thirtieth of the time of the vectors; the best candidates are then compared exactly.
 */
const CODE_BLOCK = 512

/** Bytes of an entry before its bits: the place in the block. */
const HEAD = 4

/** Where the code of a chunk lies. */
export interface CodeBlock {
  readonly first: number
  readonly count: number
  readonly chunk: (index: number) => number
  readonly bytes: Uint8Array
  /** Where the bits of an entry begin. */
  readonly offset: (index: number) => number
}

/** Bytes that the signs of a vector take. */
export function codeBytes(size: number): number {
  return Math.ceil(size / 8)
}

/** Adds codes. A chunk must have none yet. */
export async function addCodes(sql: Sql, ownerId: number, vectors: ReadonlyMap<number, Float32Array>): Promise<void> {
  const blocks = new Map<number, Uint8Array[]>()
  for (const [chunk, vector] of vectors) {
    const block = Math.floor(chunk / CODE_BLOCK)
    const entries = blocks.get(block) ?? []
    entries.push(entryOf(chunk % CODE_BLOCK, vector))
    blocks.set(block, entries)
  }
  const joined = 'knowledge_codes.data || excluded.data'
  const data = sql.dialect === 'sqlite' ? `CAST(${joined} AS BLOB)` : joined
  await insertRows(
    sql,
    'knowledge_codes (owner_id, block, data)',
    [...blocks].map(([block, entries]) => [ownerId, block, Buffer.concat(entries)]),
    `ON CONFLICT (owner_id, block) DO UPDATE SET data = ${data}`,
  )
}

function entryOf(place: number, vector: Float32Array): Uint8Array {
  const entry = Buffer.alloc(HEAD + codeBytes(vector.length))
  entry.writeUInt32LE(place)
  for (let at = 0; at < vector.length; at++) if (vector[at]! > 0) entry[HEAD + (at >> 3)]! |= 1 << (at & 7)
  return entry
}

/** Takes the codes of a range of chunks out. */
export async function removeCodes(sql: Sql, ownerId: number, firstChunk: number, count: number): Promise<void> {
  const size = await embeddingSize(sql, ownerId)
  const from = Math.floor(firstChunk / CODE_BLOCK)
  const to = Math.floor((firstChunk + count - 1) / CODE_BLOCK)
  const isGone = (chunk: number): boolean => chunk >= firstChunk && chunk < firstChunk + count
  const where = 'WHERE owner_id = ? AND block BETWEEN ? AND ?'
  const blocks = await readBlocks(sql, size, where, [ownerId, from, to])
  await sql.all(`DELETE FROM knowledge_codes ${where}`, [ownerId, from, to])
  for (const block of blocks) {
    const entries = Array.from({ length: block.count }, (_, index) => index)
      .filter((index) => !isGone(block.chunk(index)))
      .map((index) => block.bytes.subarray(block.offset(index) - HEAD, block.offset(index) + codeBytes(size)))
    if (entries.length === 0) continue
    await insertRows(sql, 'knowledge_codes (owner_id, block, data)', [
      [ownerId, block.first / CODE_BLOCK, Buffer.concat(entries)],
    ])
  }
}

/** All codes of one owner, in the order of their blocks. */
export async function readCodes(sql: Sql, ownerId: number, size: number): Promise<CodeBlock[]> {
  return readBlocks(sql, size, 'WHERE owner_id = ?', [ownerId])
}

async function readBlocks(sql: Sql, size: number, where: string, values: readonly number[]): Promise<CodeBlock[]> {
  const rows = await sql.all<{ block: number; data: Bytes }>(
    `SELECT block, data FROM knowledge_codes ${where} ORDER BY block`,
    values,
  )
  const width = HEAD + codeBytes(size)
  return rows.map(({ block, data }) => {
    const buffer = ownBuffer(data)
    const view = new DataView(buffer)
    return {
      first: block * CODE_BLOCK,
      count: buffer.byteLength / width,
      chunk: (index) => block * CODE_BLOCK + view.getUint32(index * width, true),
      bytes: new Uint8Array(buffer),
      offset: (index) => index * width + HEAD,
    }
  })
}

async function embeddingSize(sql: Sql, ownerId: number): Promise<number> {
  const [row] = await sql.all<{ embedding_size: number | null }>(
    'SELECT embedding_size FROM knowledge_owners WHERE owner_id = ?',
    [ownerId],
  )
  return row?.embedding_size ?? 0
}
