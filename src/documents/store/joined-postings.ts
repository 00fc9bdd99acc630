import type { PostingBlock } from '../search/bm25.ts'
import type { OwnerRow } from './owners.ts'
import { Postings } from './postings.ts'
import { chunkOfKey, ownerOfKey, vectorKey } from './schema.ts'
import type { Sql } from './sql.ts'

/** Postings of several owners, combined. Chunks are identified by their keys, see `vectorKey`. */
export class JoinedPostings {
  readonly #byOwner: ReadonlyMap<number, Postings>

  constructor(sql: Sql, owners: readonly Pick<OwnerRow, 'owner_id'>[]) {
    this.#byOwner = new Map(owners.map(({ owner_id }) => [owner_id, new Postings(sql, owner_id)]))
  }

  /** Loads the lists of these terms, unless they are loaded. */
  async load(terms: Iterable<string>): Promise<void> {
    const wanted = [...terms]
    for (const postings of this.#byOwner.values()) await postings.load(wanted)
  }

  /** Number of chunks with the term. */
  frequency(term: string): number {
    let chunks = 0
    for (const postings of this.#byOwner.values()) chunks += postings.frequency(term)
    return chunks
  }

  /** Whether the chunk contains the term. */
  holds(term: string, key: number): boolean {
    return this.#byOwner.get(ownerOfKey(key))?.holds(term, chunkOfKey(key)) ?? false
  }

  /** The lists of these terms by block, in key order. */
  blocks(terms: Iterable<string>): PostingBlock[] {
    const wanted = [...terms]
    return [...this.#byOwner].flatMap(([ownerId, postings]) =>
      postings.blocks(wanted).map((block) => ({ ...block, first: vectorKey(ownerId, block.first) })),
    )
  }
}
