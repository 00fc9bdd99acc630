import type { PostingBlock, PostingList } from '../search/bm25.ts'
import { insertRows, marks, ownBuffer, parts, type Bytes, type Sql, type SqlDatabase } from './sql.ts'

/** Chunks of one block. A posting is two numbers of two bytes, so a full list has 2 KB and fits a database page. */
export const BLOCK_SIZE = 512

/** Under the empty term, which no text has, a block keeps the lengths of its chunks. */
const LENGTHS = ''

/** Counts beyond this are kept as this: BM25 has long stopped to tell them apart. */
const MOST = 65_535

const TERMS_AT_ONCE = 500

/** A chunk on its way in or out of the index. */
export interface IndexedChunk {
  readonly chunk: number
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

/** The length of a chunk in terms, as it is kept. */
export function keptLength(terms: number): number {
  return Math.min(terms, MOST)
}

/** Adds chunks to the postings. Lists are put end to end, so nothing has to be read. */
export async function addPostings(
  sql: Sql,
  dialect: SqlDatabase['dialect'],
  ownerId: number,
  chunks: readonly IndexedChunk[],
): Promise<void> {
  const joined = 'knowledge_postings.data || excluded.data'
  // In SQLite the operator makes a text of two blobs, with the same bytes.
  const data = dialect === 'sqlite' ? `CAST(${joined} AS BLOB)` : joined
  await insertRows(
    sql,
    'knowledge_postings (owner_id, term, block, data)',
    byTermAndBlock(chunks).map(({ term, block, list }) => [ownerId, term, block, bytesOf(list)]),
    `ON CONFLICT (owner_id, term, block) DO UPDATE SET data = ${data}`,
  )
}

/** Takes chunks out of the postings; lists that become empty go. */
export async function removePostings(sql: Sql, ownerId: number, chunks: readonly IndexedChunk[]): Promise<void> {
  const gone = new Set(chunks.map(({ chunk }) => chunk))
  const byBlock = new Map<number, string[]>()
  for (const { term, block } of byTermAndBlock(chunks)) append(byBlock, block, term)
  for (const [block, terms] of byBlock) {
    for (const some of parts(terms, TERMS_AT_ONCE)) await removeFromBlock(sql, ownerId, block, some, gone)
  }
}

async function removeFromBlock(
  sql: Sql,
  ownerId: number,
  block: number,
  terms: readonly string[],
  gone: ReadonlySet<number>,
): Promise<void> {
  const where = `WHERE owner_id = ? AND block = ? AND term IN (${marks(terms.length)})`
  const values = [ownerId, block, ...terms]
  const rows = await sql.all<{ term: string; data: Bytes }>(
    `SELECT term, data FROM knowledge_postings ${where}`,
    values,
  )
  await sql.all(`DELETE FROM knowledge_postings ${where}`, values)
  const kept = rows.flatMap(({ term, data }) => {
    const list = listOf(data)
    const left: number[] = []
    for (let at = 0; at < list.length; at += 2) {
      if (!gone.has(block * BLOCK_SIZE + list[at]!)) left.push(list[at]!, list[at + 1]!)
    }
    return left.length === 0 ? [] : [[ownerId, term, block, bytesOf(left)]]
  })
  await insertRows(sql, 'knowledge_postings (owner_id, term, block, data)', kept)
}

/** The postings of some terms of one owner, with the lengths of the chunks that hold them. */
export class Postings {
  readonly #lengths = new Map<number, PostingList>()
  readonly #terms = new Map<string, Map<number, PostingList>>()
  readonly #sql: Sql
  readonly #ownerId: number

  constructor(sql: Sql, ownerId: number) {
    this.#sql = sql
    this.#ownerId = ownerId
  }

  /** Reads the terms that were not read yet. */
  async load(terms: Iterable<string>): Promise<void> {
    const missing = [...terms].filter((term) => !this.#terms.has(term))
    if (missing.length === 0) return
    const wanted = this.#lengths.size === 0 ? [LENGTHS, ...missing] : missing
    const rows = await this.#sql.all<{ term: string; block: number | string; data: Bytes }>(
      `SELECT term, block, data FROM knowledge_postings WHERE owner_id = ? AND term IN (${marks(wanted.length)})`,
      [this.#ownerId, ...wanted],
    )
    for (const term of missing) this.#terms.set(term, new Map())
    for (const { term, block, data } of rows) {
      const lists = term === LENGTHS ? this.#lengths : this.#terms.get(term)
      lists?.set(Number(block), listOf(data))
    }
  }

  /** Chunks that hold the term. */
  frequency(term: string): number {
    let postings = 0
    for (const list of this.#terms.get(term)?.values() ?? []) postings += list.length / 2
    return postings
  }

  /** Whether the chunk holds the term. */
  holds(term: string, chunk: number): boolean {
    const list = this.#terms.get(term)?.get(Math.floor(chunk / BLOCK_SIZE)) ?? []
    const place = chunk % BLOCK_SIZE
    for (let at = 0; at < list.length; at += 2) if (list[at] === place) return true
    return false
  }

  /** The lists of these terms by block, in the order of the chunks. */
  blocks(terms: Iterable<string>): PostingBlock[] {
    const found = new Map<number, Map<string, PostingList>>()
    for (const term of terms) {
      for (const [block, list] of this.#terms.get(term) ?? []) {
        const lists = found.get(block) ?? new Map<string, PostingList>()
        found.set(block, lists.set(term, list))
      }
    }
    return [...found]
      .sort(([a], [b]) => a - b)
      .map(([block, byTerm]) => {
        return { first: block * BLOCK_SIZE, lengths: this.#lengths.get(block) ?? new Uint16Array(), byTerm }
      })
  }
}

function byTermAndBlock(chunks: readonly IndexedChunk[]): { term: string; block: number; list: number[] }[] {
  const blocks = new Map<number, Map<string, number[]>>()
  for (const { chunk, counts, length } of chunks) {
    const block = Math.floor(chunk / BLOCK_SIZE)
    const lists = blocks.get(block) ?? new Map<string, number[]>()
    blocks.set(block, lists)
    const place = chunk % BLOCK_SIZE
    append(lists, LENGTHS, place, keptLength(length))
    for (const [term, count] of counts) append(lists, term, place, Math.min(count, MOST))
  }
  return [...blocks].flatMap(([block, lists]) =>
    // In the order of the key, so that the database writes each of its pages once.
    [...lists].sort(([a], [b]) => (a < b ? -1 : 1)).map(([term, list]) => ({ term, block, list })),
  )
}

function append<K, V>(lists: Map<K, V[]>, key: K, ...values: V[]): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, values)
  else list.push(...values)
}

function bytesOf(list: readonly number[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(list.length * 2)
  for (let at = 0; at < list.length; at++) bytes.writeUInt16LE(list[at]!, at * 2)
  return bytes
}

function listOf(bytes: Bytes): PostingList {
  return new Uint16Array(ownBuffer(bytes))
}
