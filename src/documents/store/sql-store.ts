import type { Chunk, Described, DocumentRecord, Hit, OwnerScope, SearchFilter } from '../types.ts'
import { collectionOwner, ownersOf, readerOf } from '../collections.ts'
import type { ScoredChunk } from '../search/top-k.ts'
import { searchDense } from './dense.ts'
import { readHits, withTexts } from './hits.ts'
import { searchLexical } from './lexical.ts'
import { findOwners, type OwnerRow } from './owners.ts'
import { CHUNK_COLUMNS, type ChunkRow, documentRecord, type DocumentRow } from './rows.ts'
import { vectorKey } from './schema.ts'
import { marks, type Sql, type SqlDatabase } from './sql.ts'
import { readSpans } from './texts.ts'
import { findUnembedded, removeVectors, storeVectors } from './vectors.ts'
import { putDocument, removeDocument, type WireDocument } from './write.ts'
import { storableText } from '../../shared/plain-name.ts'

/**
 * `KnowledgeStore` over SQL, as it runs in the store's process: analysis and ranking take processor time. The methods
 * are called by name with plain values, see `store-process.ts`.
 */
export class SqlKnowledge {
  readonly #database: SqlDatabase

  constructor(database: SqlDatabase) {
    this.#database = database
  }

  put(owner: string, document: WireDocument): Promise<{ readonly record: DocumentRecord; readonly isNew: boolean }> {
    return putDocument(this.#database, owner, document)
  }

  async remove(owner: string, documentId: string): Promise<boolean> {
    const isRemoved = await removeDocument(this.#database, owner, documentId)
    if (isRemoved) await this.#database.emptyLog?.()
    return isRemoved
  }

  async describe(owner: string, documentId: string, { description, topics }: Described): Promise<void> {
    await this.#database.write(owner, (sql) =>
      sql.all('UPDATE knowledge_documents SET description = ?, topics = ? WHERE document_id = ?', [
        storableText(description),
        JSON.stringify(topics.map(storableText)),
        documentId,
      ]),
    )
  }

  async collections(owner: string): Promise<string[]> {
    const start = collectionOwner(owner, '')
    const rows = await this.#database.read((sql) =>
      sql.all<{ owner: string }>('SELECT owner FROM knowledge_owners WHERE substr(owner, 1, ?) = ?', [
        [...start].length,
        start,
      ]),
    )
    return rows.map((row) => row.owner.slice(start.length))
  }

  holds(scope: OwnerScope): Promise<boolean> {
    return this.#of(scope, false, async (_, owners) => owners.some(({ chunks }) => chunks > 0))
  }

  documents(scope: OwnerScope): Promise<DocumentRecord[]> {
    return this.#of(scope, [], async (sql, owners) => {
      const rows = await sql.all<DocumentRow>(
        `SELECT * FROM knowledge_documents WHERE owner_id IN (${marks(owners.length)})
         ORDER BY added_at DESC, first_chunk DESC, document_id`,
        owners.map(({ owner_id }) => owner_id),
      )
      return rows.map(documentRecord)
    })
  }

  counts(scope: OwnerScope): Promise<Map<string, number>> {
    return this.#of(scope, new Map(), async (sql, owners) => {
      const rows = await sql.all<{ owner: string; documents: number }>(
        `SELECT o.owner, count(*) AS documents FROM knowledge_documents d JOIN knowledge_owners o ON o.owner_id = d.owner_id
         WHERE d.owner_id IN (${marks(owners.length)}) GROUP BY o.owner`,
        owners.map(({ owner_id }) => owner_id),
      )
      return new Map(rows.map(({ owner, documents }) => [owner, Number(documents)]))
    })
  }

  placesOf(scope: OwnerScope, documentIds: readonly string[]): Promise<Map<string, string>> {
    return this.#of(scope, new Map(), async (sql, owners) => {
      if (documentIds.length === 0) return new Map()
      const rows = await sql.all<{ document_id: string; owner: string }>(
        `SELECT d.document_id, o.owner FROM knowledge_documents d JOIN knowledge_owners o ON o.owner_id = d.owner_id
         WHERE d.owner_id IN (${marks(owners.length)}) AND d.document_id IN (${marks(documentIds.length)})`,
        [...owners.map(({ owner_id }) => owner_id), ...documentIds],
      )
      return new Map(rows.map((row) => [row.document_id, row.owner]))
    })
  }

  document(scope: OwnerScope, documentId: string): Promise<DocumentRecord | undefined> {
    return this.#ofDocument(scope, documentId, async (_, row) => documentRecord(row))
  }

  text(scope: OwnerScope, documentId: string, start = 0, end = Number.MAX_SAFE_INTEGER): Promise<string | undefined> {
    return this.#ofDocument(scope, documentId, async (sql) => {
      const [text] = await readSpans(sql, [{ documentId, start: Math.max(0, start), end }])
      return text
    })
  }

  async chunks(scope: OwnerScope, documentId: string, from = 0, to = Number.MAX_SAFE_INTEGER): Promise<Chunk[]> {
    const found = this.#ofDocument(scope, documentId, async (sql, row) => {
      const first = row.first_chunk + Math.max(0, from)
      const last = row.first_chunk + Math.min(row.chunks - 1, to)
      const rows = await sql.all<ChunkRow>(
        `SELECT ${CHUNK_COLUMNS} FROM knowledge_chunks WHERE owner_id = ? AND chunk BETWEEN ? AND ? ORDER BY chunk`,
        [row.owner_id, first, last],
      )
      return (await withTexts(sql, rows)).map(([, chunk]) => chunk)
    })
    return (await found) ?? []
  }

  unembedded(owner: string, model: string, limit: number): Promise<Chunk[]> {
    return this.#of(owner, [], (sql, [ownerRow]) => findUnembedded(sql, ownerRow!, model, limit))
  }

  embed(owner: string, model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    return this.#database.write(owner, (sql) => storeVectors(sql, owner, model, vectors))
  }

  dropVectors(owner: string): Promise<void> {
    return this.#database.write(owner, (sql) => removeVectors(sql, owner))
  }

  lexical(scope: OwnerScope, text: string, limit: number, filter?: SearchFilter): Promise<Hit[]> {
    return this.#of(scope, [], async (sql, owners) => {
      return readHits(sql, await searchLexical(sql, owners, { text, limit, filter }))
    })
  }

  dense(scope: OwnerScope, model: string, vector: Float32Array, limit: number, filter?: SearchFilter): Promise<Hit[]> {
    return this.#of(scope, [], async (sql, owners) => {
      const nearest: ScoredChunk[] = []
      for (const owner of owners) {
        for (const { chunk, score } of await searchDense(sql, owner, { model, vector, limit, filter })) {
          nearest.push({ chunk: vectorKey(owner.owner_id, chunk), score })
        }
      }
      // Stable: the order within an owner is kept.
      return readHits(sql, nearest.toSorted((a, b) => b.score - a.score).slice(0, limit))
    })
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** Reads data of the owners who have documents; `none` is the result if none has. */
  #of<T>(scope: OwnerScope, none: T, action: (sql: Sql, owners: readonly OwnerRow[]) => Promise<T>): Promise<T> {
    return this.#database.read(async (sql) => {
      const rows = await findOwners(sql, ownersOf(scope))
      return rows.length === 0 ? none : action(sql, rows)
    }, readerOf(scope))
  }

  #ofDocument<T>(
    scope: OwnerScope,
    documentId: string,
    action: (sql: Sql, row: OwnedDocumentRow) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    return this.#of<T | undefined>(scope, undefined, async (sql, owners) => {
      const [row] = await sql.all<OwnedDocumentRow>(
        `SELECT * FROM knowledge_documents WHERE owner_id IN (${marks(owners.length)}) AND document_id = ?`,
        [...owners.map(({ owner_id }) => owner_id), documentId],
      )
      return row === undefined ? undefined : action(sql, row)
    })
  }
}

type OwnedDocumentRow = DocumentRow & Pick<OwnerRow, 'owner_id'>
