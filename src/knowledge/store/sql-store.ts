import { TuttiError } from '../../core/errors.ts'
import type { Chunk, DocumentRecord, Hit, SearchFilter } from '../types.ts'
import { collectionOwner } from '../collections.ts'
import { searchDense } from './dense.ts'
import { readHits, withTexts } from './hits.ts'
import { searchLexical } from './lexical.ts'
import { findOwner, type OwnerRow } from './owners.ts'
import { CHUNK_COLUMNS, recordOf, type ChunkRow, type DocumentRow } from './rows.ts'
import type { Sql, SqlDatabase } from './sql.ts'
import { readSpans } from './texts.ts'
import { findUnembedded, keepVectors, removeVectors } from './vectors.ts'
import { putDocument, removeDocument, type WireDocument } from './write.ts'

/** A piece of a document's text and some of its chunks, wherever those lie. */
export type HeldPiece = Pick<WireDocument, 'text' | 'chunks'>

/**
 * `KnowledgeStore` over SQL, as it runs in the store's process: analysis and ranking take processor time. The methods
 * are called by name with plain values, see `store-process.ts`.
 */
export class SqlKnowledge {
  readonly #database: SqlDatabase
  readonly #held = new Map<string, HeldPiece[]>()

  constructor(database: SqlDatabase) {
    this.#database = database
  }

  /** Keeps a piece of a long document that is on its way, until `put` names the key. */
  async hold(_owner: string, key: string, piece: HeldPiece): Promise<void> {
    const pieces = this.#held.get(key) ?? []
    pieces.push(piece)
    this.#held.set(key, pieces)
  }

  /** @param key under which text and chunks were sent before, where the document comes without */
  async put(
    owner: string,
    document: WireDocument,
    key?: string,
  ): Promise<{ readonly record: DocumentRecord; readonly isNew: boolean }> {
    if (key === undefined) return putDocument(this.#database, owner, document)
    const pieces = this.#held.get(key)
    this.#held.delete(key)
    if (pieces === undefined) {
      throw new TuttiError('StorageError', `"${document.name}" was cut off on its way into the store; try again.`, {
        retryable: true,
      })
    }
    const text = pieces.map((piece) => piece.text).join('')
    const chunks = pieces.flatMap((piece) => piece.chunks)
    return putDocument(this.#database, owner, { ...document, text, chunks })
  }

  async remove(owner: string, documentId: string): Promise<boolean> {
    const isRemoved = await removeDocument(this.#database, owner, documentId)
    if (isRemoved) await this.#database.emptyLog?.()
    return isRemoved
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

  holds(owner: string): Promise<boolean> {
    return this.#of(owner, false, async (_, { chunks }) => chunks > 0)
  }

  documents(owner: string): Promise<DocumentRecord[]> {
    return this.#of(owner, [], async (sql, { owner_id }) => {
      const rows = await sql.all<DocumentRow>(
        'SELECT * FROM knowledge_documents WHERE owner_id = ? ORDER BY added_at DESC, first_chunk DESC, document_id',
        [owner_id],
      )
      return rows.map(recordOf)
    })
  }

  document(owner: string, documentId: string): Promise<DocumentRecord | undefined> {
    return this.#ofDocument(owner, documentId, async (_, row) => recordOf(row))
  }

  text(owner: string, documentId: string, start = 0, end = Number.MAX_SAFE_INTEGER): Promise<string | undefined> {
    return this.#ofDocument(owner, documentId, async (sql) => {
      const [text] = await readSpans(sql, [{ documentId, start: Math.max(0, start), end }])
      return text
    })
  }

  chunks(owner: string, documentId: string, from = 0, to = Number.MAX_SAFE_INTEGER): Promise<Chunk[]> {
    return this.#of(owner, [], async (sql, { owner_id }) => {
      const row = await findDocument(sql, owner_id, documentId)
      if (row === undefined) return []
      const first = row.first_chunk + Math.max(0, from)
      const last = row.first_chunk + Math.min(row.chunks - 1, to)
      const rows = await sql.all<ChunkRow>(
        `SELECT ${CHUNK_COLUMNS} FROM knowledge_chunks WHERE owner_id = ? AND chunk BETWEEN ? AND ? ORDER BY chunk`,
        [owner_id, first, last],
      )
      return (await withTexts(sql, rows)).map(([, chunk]) => chunk)
    })
  }

  unembedded(owner: string, model: string, limit: number): Promise<Chunk[]> {
    return this.#of(owner, [], (sql, ownerRow) => findUnembedded(sql, ownerRow, model, limit))
  }

  embed(owner: string, model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    return this.#database.write(owner, (sql) => keepVectors(sql, owner, model, vectors))
  }

  dropVectors(owner: string): Promise<void> {
    return this.#database.write(owner, (sql) => removeVectors(sql, owner))
  }

  lexical(owner: string, text: string, limit: number, filter?: SearchFilter, expand = true): Promise<Hit[]> {
    return this.#of(owner, [], async (sql, ownerRow) => {
      return readHits(sql, ownerRow.owner_id, await searchLexical(sql, ownerRow, { text, limit, filter, expand }))
    })
  }

  dense(owner: string, model: string, vector: Float32Array, limit: number, filter?: SearchFilter): Promise<Hit[]> {
    return this.#of(owner, [], async (sql, ownerRow) => {
      return readHits(sql, ownerRow.owner_id, await searchDense(sql, ownerRow, { model, vector, limit, filter }))
    })
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** Reads something of an owner; `none` is the answer for one who has nothing. */
  #of<T>(owner: string, none: T, action: (sql: Sql, owner: OwnerRow) => Promise<T>): Promise<T> {
    return this.#database.read(async (sql) => {
      const row = await findOwner(sql, owner)
      return row === undefined ? none : action(sql, row)
    })
  }

  #ofDocument<T>(
    owner: string,
    documentId: string,
    action: (sql: Sql, row: DocumentRow) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    return this.#of<T | undefined>(owner, undefined, async (sql, { owner_id }) => {
      const row = await findDocument(sql, owner_id, documentId)
      return row === undefined ? undefined : action(sql, row)
    })
  }
}

async function findDocument(sql: Sql, ownerId: number, documentId: string): Promise<DocumentRow | undefined> {
  const [row] = await sql.all<DocumentRow>('SELECT * FROM knowledge_documents WHERE owner_id = ? AND document_id = ?', [
    ownerId,
    documentId,
  ])
  return row
}
