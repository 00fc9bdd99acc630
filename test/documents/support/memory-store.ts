import type { Chunk, DocumentRecord, KnowledgeStore, NewDocument } from '../../../src/documents/types.ts'

interface StoredDocument {
  record: DocumentRecord
  readonly text: string
  readonly chunks: readonly Chunk[]
  readonly vectors: Map<string, Float32Array>
}

/** A store in memory that finds a passage by the words in it. Counts what is put. */
export class MemoryKnowledgeStore implements KnowledgeStore {
  puts = 0
  readonly #owners = new Map<string, StoredDocument[]>()

  async put(owner: string, { text, chunks, parents, ...document }: NewDocument) {
    this.puts++
    const all = this.#of(owner)
    const before = all.findIndex(({ record }) =>
      document.path === undefined
        ? record.path === undefined && record.name === document.name
        : record.path === document.path,
    )
    const documentId = all[before]?.record.documentId ?? `doc${this.puts}-${owner}`
    const idOf = (ordinal: number): string => `${documentId}:${document.hash.slice(0, 8)}:${ordinal}`
    const kept = chunks.map((chunk): Chunk => {
      const parent = parents[chunk.ordinal]
      return { ...chunk, chunkId: idOf(chunk.ordinal), ...(parent === undefined ? {} : { parentId: idOf(parent) }) }
    })
    const record = { ...document, documentId, chunks: chunks.length, embedded: 0 }
    all.splice(before < 0 ? all.length : before, before < 0 ? 0 : 1, { record, text, chunks: kept, vectors: new Map() })
    return { record, isNew: true }
  }

  async collections() {
    return []
  }

  async holds(owner: string) {
    return this.#of(owner).length > 0
  }

  async counts(owner: string) {
    return new Map([[owner, (await this.documents(owner)).length]])
  }

  async placesOf(owner: string, documentIds: readonly string[]) {
    const there = this.#of(owner).filter(({ record }) => documentIds.includes(record.documentId))
    return new Map(there.map(({ record }) => [record.documentId, owner]))
  }

  async documents(owner: string) {
    return this.#of(owner).map(({ record, vectors }) => ({ ...record, embedded: vectors.size }))
  }

  async document(owner: string, documentId: string) {
    return (await this.documents(owner)).find((record) => record.documentId === documentId)
  }

  async text(owner: string, documentId: string, start = 0, end = Infinity) {
    return this.#find(owner, documentId)?.text.slice(start, end)
  }

  async chunks(owner: string, documentId: string, from = 0, to = Infinity) {
    return (this.#find(owner, documentId)?.chunks ?? []).filter(({ ordinal }) => ordinal >= from && ordinal <= to)
  }

  async remove(owner: string, documentId: string) {
    const all = this.#of(owner)
    const at = all.findIndex(({ record }) => record.documentId === documentId)
    if (at >= 0) all.splice(at, 1)
    return at >= 0
  }

  async claimUndescribed() {
    return undefined
  }

  async settleDescription() {}

  async unembedded(owner: string, _: string, limit: number) {
    return this.#of(owner)
      .flatMap(({ chunks, vectors }) => chunks.filter(({ chunkId }) => !vectors.has(chunkId)))
      .slice(0, limit)
  }

  async dropVectors(owner: string) {
    for (const { vectors } of this.#of(owner)) vectors.clear()
  }

  async embed(owner: string, _: string, vectors: ReadonlyMap<string, Float32Array>) {
    for (const kept of this.#of(owner)) {
      for (const { chunkId } of kept.chunks) {
        const vector = vectors.get(chunkId)
        if (vector !== undefined) kept.vectors.set(chunkId, vector)
      }
    }
  }

  async lexical(owner: string, query: string, limit: number) {
    const hits = this.#of(owner).flatMap(({ record, chunks }) =>
      chunks.filter(({ text }) => text.includes(query)).map((chunk) => ({ chunk, document: record, score: 1 })),
    )
    return hits.slice(0, limit)
  }

  async dense() {
    return []
  }

  async close() {}

  #of(owner: string): StoredDocument[] {
    const all = this.#owners.get(owner) ?? []
    this.#owners.set(owner, all)
    return all
  }

  #find(owner: string, documentId: string): StoredDocument | undefined {
    return this.#of(owner).find(({ record }) => record.documentId === documentId)
  }
}
