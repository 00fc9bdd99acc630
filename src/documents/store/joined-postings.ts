import type { PostingBlock } from '../search/bm25.ts'
import type { OwnerRow } from './owners.ts'
import { Postings } from './postings.ts'
import { chunkOfKey, ownerOfKey, vectorKey } from './schema.ts'
import type { Sql } from './sql.ts'

/** The postings of several owners as if they were of one: chunks go by their keys, see `vectorKey`. */
export class JoinedPostings {
  readonly #byOwner: ReadonlyMap<number, Postings>

  constructor(sql: Sql, owners: readonly Pick<OwnerRow, 'owner_id'>[]) {
    this.#byOwner = new Map(owners.map(({ owner_id }) => [owner_id, new Postings(sql, owner_id)]))
  }

  /** Reads the lists of these terms, unless they were read before. */
  async load(terms: Iterable<string>): Promise<void> {
    const wanted = [...terms]
    for (const postings of this.#byOwner.values()) await postings.load(wanted)
  }

  /** Chunks that hold the term. */
  frequency(term: string): number {
    let chunks = 0
    for (const postings of this.#byOwner.values()) chunks += postings.frequency(term)
    return chunks
  }

  /** Whether the chunk holds the term. */
  holds(term: string, key: number): boolean {
    return this.#byOwner.get(ownerOfKey(key))?.holds(term, chunkOfKey(key)) ?? false
  }

  /** The lists of these terms by block, in the order of the keys. */
  blocks(terms: Iterable<string>): PostingBlock[] {
    const wanted = [...terms]
    return [...this.#byOwner].flatMap(([ownerId, postings]) =>
      postings.blocks(wanted).map((block) => ({ ...block, first: vectorKey(ownerId, block.first) })),
    )
  }
}
