import type { PostingBlock, PostingList } from '../search/bm25.ts'
import { insertRows, marks, ownBuffer, parts, type Bytes, type Sql } from './sql.ts'

/**
 * Number of chunks per block. Lists are stored by block and then by term: chunks added together are stored together, so
 * that a document changes few pages, and a search needs one seek per term and block. A posting is two 16-bit numbers.
 */
export const BLOCK_SIZE = 2_048

/** Counts beyond this are kept as this: BM25 has long stopped to tell them apart. */
const MAX_COUNT = 65_535

const TERMS_AT_ONCE = 500

/** A chunk on its way in or out of the index. */
export interface IndexedChunk {
  readonly chunk: number
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

/** The length of a chunk in terms, as it is kept. */
export function storedLength(terms: number): number {
  return Math.min(terms, MAX_COUNT)
}

/** Adds chunks to the postings. Lists are put end to end, so nothing has to be read. */
export async function addPostings(sql: Sql, ownerId: number, chunks: readonly IndexedChunk[]): Promise<void> {
  const blocks = groupByBlock(chunks)
  await insertRows(
    sql,
    'knowledge_lengths (owner_id, block, data)',
    blocks.map(({ block, lengths }) => [ownerId, block, bytesOf(lengths)]),
    `ON CONFLICT (owner_id, block) DO UPDATE SET data = ${joined(sql, 'knowledge_lengths')}`,
  )
  await insertRows(
    sql,
    'knowledge_postings (owner_id, block, term, data)',
    blocks.flatMap(({ block, lists }) => lists.map(([term, list]) => [ownerId, block, term, bytesOf(list)])),
    `ON CONFLICT (owner_id, block, term) DO UPDATE SET data = ${joined(sql, 'knowledge_postings')}`,
  )
}

/** The kept bytes with the new ones behind. In SQLite the operator makes a text of two blobs, with the same bytes. */
function joined(sql: Sql, table: string): string {
  const data = `${table}.data || excluded.data`
  return sql.dialect === 'sqlite' ? `CAST(${data} AS BLOB)` : data
}

/** Takes chunks out of the postings; lists that become empty go. */
export async function removePostings(sql: Sql, ownerId: number, chunks: readonly IndexedChunk[]): Promise<void> {
  const removedChunks = new Set(chunks.map(({ chunk }) => chunk))
  for (const { block, lists } of groupByBlock(chunks)) {
    const isGone = (place: number): boolean => removedChunks.has(block * BLOCK_SIZE + place)
    await removeLengths(sql, ownerId, block, isGone)
    for (const batch of parts(lists, TERMS_AT_ONCE)) {
      const terms = batch.map(([term]) => term)
      await removeTerms(sql, ownerId, block, terms, isGone)
    }
  }
}

type IsGone = (place: number) => boolean

async function removeLengths(sql: Sql, ownerId: number, block: number, isGone: IsGone): Promise<void> {
  const where = 'WHERE owner_id = ? AND block = ?'
  const rows = await sql.all<{ data: Bytes }>(`SELECT data FROM knowledge_lengths ${where}`, [ownerId, block])
  await sql.all(`DELETE FROM knowledge_lengths ${where}`, [ownerId, block])
  const rest = rows.flatMap(({ data }) => {
    const remaining = removeChunks(listOf(data), isGone)
    return remaining.length === 0 ? [] : [[ownerId, block, bytesOf(remaining)]]
  })
  await insertRows(sql, 'knowledge_lengths (owner_id, block, data)', rest)
}

async function removeTerms(
  sql: Sql,
  ownerId: number,
  block: number,
  terms: readonly string[],
  isGone: IsGone,
): Promise<void> {
  const where = `WHERE owner_id = ? AND block = ? AND term IN (${marks(terms.length)})`
  const values = [ownerId, block, ...terms]
  const rows = await sql.all<{ term: string; data: Bytes }>(
    `SELECT term, data FROM knowledge_postings ${where}`,
    values,
  )
  await sql.all(`DELETE FROM knowledge_postings ${where}`, values)
  const rest = rows.flatMap(({ term, data }) => {
    const remaining = removeChunks(listOf(data), isGone)
    return remaining.length === 0 ? [] : [[ownerId, block, term, bytesOf(remaining)]]
  })
  await insertRows(sql, 'knowledge_postings (owner_id, block, term, data)', rest)
}

function removeChunks(list: PostingList, isGone: IsGone): number[] {
  const remaining: number[] = []
  for (let at = 0; at < list.length; at += 2) if (!isGone(list[at]!)) remaining.push(list[at]!, list[at + 1]!)
  return remaining
}

/** The postings of some terms of one owner, with the lengths of the chunks. */
export class Postings {
  #lengths: ReadonlyMap<number, PostingList> | undefined
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
    this.#lengths ??= await this.#readLengths()
    for (const term of missing) this.#terms.set(term, new Map())
    // With both lists the database seeks each pair in its key; without the blocks it would read all of the owner's.
    for (const blocks of parts([...this.#lengths.keys()], TERMS_AT_ONCE)) {
      const rows = await this.#sql.all<{ term: string; block: number; data: Bytes }>(
        `SELECT term, block, data FROM knowledge_postings
         WHERE owner_id = ? AND block IN (${marks(blocks.length)}) AND term IN (${marks(missing.length)})`,
        [this.#ownerId, ...blocks, ...missing],
      )
      for (const { term, block, data } of rows) this.#terms.get(term)?.set(block, listOf(data))
    }
  }

  async #readLengths(): Promise<ReadonlyMap<number, PostingList>> {
    const rows = await this.#sql.all<{ block: number; data: Bytes }>(
      'SELECT block, data FROM knowledge_lengths WHERE owner_id = ? ORDER BY block',
      [this.#ownerId],
    )
    return new Map(rows.map(({ block, data }) => [block, listOf(data)]))
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
    const requested = [...terms]
    return [...(this.#lengths ?? [])].flatMap(([block, lengths]) => {
      const byTerm = new Map<string, PostingList>()
      for (const term of requested) {
        const list = this.#terms.get(term)?.get(block)
        if (list !== undefined) byTerm.set(term, list)
      }
      return byTerm.size === 0 ? [] : [{ first: block * BLOCK_SIZE, lengths, byTerm }]
    })
  }
}

interface Block {
  readonly block: number
  readonly lengths: readonly number[]
  readonly lists: readonly (readonly [string, readonly number[]])[]
}

function groupByBlock(chunks: readonly IndexedChunk[]): Block[] {
  const blocks = new Map<number, { readonly lengths: number[]; readonly lists: Map<string, number[]> }>()
  for (const { chunk, counts, length } of chunks) {
    const block = Math.floor(chunk / BLOCK_SIZE)
    const { lengths, lists } = blocks.get(block) ?? { lengths: [], lists: new Map<string, number[]>() }
    blocks.set(block, { lengths, lists })
    const place = chunk % BLOCK_SIZE
    lengths.push(place, storedLength(length))
    for (const [term, count] of counts) {
      const list = lists.get(term)
      if (list === undefined) lists.set(term, [place, Math.min(count, MAX_COUNT)])
      else list.push(place, Math.min(count, MAX_COUNT))
    }
  }
  return [...blocks].map(([block, { lengths, lists }]) => {
    // In the order of the key, so that the database writes each of its pages once.
    return { block, lengths, lists: [...lists].sort(([a], [b]) => (a < b ? -1 : 1)) }
  })
}

function bytesOf(list: readonly number[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(list.length * 2)
  for (let at = 0; at < list.length; at++) bytes.writeUInt16LE(list[at]!, at * 2)
  return bytes
}

function listOf(bytes: Bytes): PostingList {
  return new Uint16Array(ownBuffer(bytes))
}
