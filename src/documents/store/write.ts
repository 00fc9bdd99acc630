import { randomUUID } from 'node:crypto'
import { storableText } from '../../shared/plain-name.ts'
import { countTerms, searchTerms } from '../search/analysis.ts'
import { knownLanguage, languageWords, type Language } from '../search/languages.ts'
import type { DocumentRecord, NewDocument } from '../types.ts'
import { count, findOrAddOwner, findOwner, removeEmptyOwner } from './owners.ts'
import { markOf, markedLanguages } from './language-marks.ts'
import { addPostings, storedLength, Postings, removePostings, type IndexedChunk } from './postings.ts'
import { removeEmbeddings } from './pgvector.ts'
import { CHUNK_COLUMNS, chunkOf, documentRecord, type ChunkRow, type DocumentRow } from './rows.ts'
import { vectorKey } from './schema.ts'
import { insertRows, type Sql, type SqlDatabase } from './sql.ts'
import { addText, readSpans, removeText } from './texts.ts'

/** A document as sent to the store: its chunks have only offsets into the text. */
export interface WireDocument extends Omit<NewDocument, 'chunks'> {
  readonly chunks: readonly Omit<NewDocument['chunks'][number], 'text'>[]
}

/** Maximum number of terms of a table's first row, which may be text instead of column names. */
const MAX_COLUMN_TERMS = 64

/** Number of characters used to detect the language. */
const TELLING = 20_000

type PutResult = { readonly record: DocumentRecord; readonly isNew: boolean }

/** Stores a document, replacing an older one of the same path or name; see `KnowledgeStore.put`. */
export async function putDocument(database: SqlDatabase, owner: string, given: WireDocument): Promise<PutResult> {
  const document = storable(given)
  const same = await database.read((sql) => findSame(sql, owner, document))
  if (same?.hash === document.hash) return { record: documentRecord(same), isNew: false }
  // Do the slow part before taking the lock.
  const indexed = await indexTexts(
    document,
    document.chunks.map(({ section, kind, start, end }) => ({ section, kind, text: document.text.slice(start, end) })),
    knownLanguage(document.text.slice(0, TELLING)),
  )
  return database.write(owner, async (sql) => {
    const old = await findSame(sql, owner, document)
    if (old?.hash === document.hash) return { record: documentRecord(old), isNew: false }
    const ownerRow = await findOrAddOwner(sql, owner)
    if (old !== undefined) await removeRows(sql, ownerRow.owner_id, old)
    const row = await insertDocument(sql, ownerRow.owner_id, ownerRow.next_chunk, document, indexed)
    const numbered = indexed.map((chunk, place) => ({ ...chunk, chunk: row.first_chunk + place }))
    await addPostings(sql, ownerRow.owner_id, numbered)
    return { record: documentRecord(row), isNew: true }
  })
}

/** Removes all data of a document; see `KnowledgeStore.remove`. */
export async function removeDocument(database: SqlDatabase, owner: string, documentId: string): Promise<boolean> {
  return database.write(owner, async (sql) => {
    const ownerRow = await findOwner(sql, owner)
    if (ownerRow === undefined) return false
    const [row] = await sql.all<DocumentRow>(
      'SELECT * FROM knowledge_documents WHERE owner_id = ? AND document_id = ?',
      [ownerRow.owner_id, documentId],
    )
    if (row === undefined) return false
    await removeRows(sql, ownerRow.owner_id, row)
    await removeEmptyOwner(sql, ownerRow.owner_id)
    return true
  })
}

function storable(document: WireDocument): WireDocument {
  const clean = <T extends string | undefined>(text: T) => (text === undefined ? text : storableText(text)) as T
  return {
    ...document,
    name: clean(document.name),
    path: clean(document.path),
    description: clean(document.description),
    topics: document.topics.map(storableText),
    date: clean(document.date),
    notes: document.notes.map(storableText),
    text: clean(document.text),
    chunks: document.chunks.map((chunk) => ({ ...chunk, section: clean(chunk.section) })),
  } as WireDocument
}

/** The identity of a document when it is added again. An upload's name is not a path. */
function identityOf({ path, name }: Pick<WireDocument, 'path' | 'name'>): string {
  return path === undefined ? `name:${name}` : `path:${path}`
}

async function findSame(sql: Sql, owner: string, document: WireDocument): Promise<DocumentRow | undefined> {
  const [row] = await sql.all<DocumentRow>(
    `SELECT d.* FROM knowledge_documents d JOIN knowledge_owners o ON o.owner_id = d.owner_id
     WHERE o.owner = ? AND d.identity = ?`,
    [owner, identityOf(document)],
  )
  return row
}

/**
 * The index terms of a chunk: those of its text, its headings and the document's name without extension, since users
 * ask for "the returns policy" and the passage does not name it. If a long table was split, its first row with the
 * column names counts for all parts. Stems of a language are stored with a language mark, in addition to the words.
 */
async function indexTexts(
  { name }: { readonly name: string },
  chunks: readonly {
    readonly section?: string | null | undefined
    readonly kind: 'text' | 'table'
    readonly text: string
  }[],
  language: Language | undefined,
): Promise<Omit<IndexedChunk, 'chunk'>[]> {
  const words = language === undefined ? undefined : await languageWords(language)
  const termsIn = (text: string): string[] => [...searchTerms(text), ...(words?.stems(text) ?? [])]
  const nameTerms = [
    ...termsIn(name.replace(/\.[^./\\]{1,5}$/, '')),
    ...(language === undefined ? [] : [markOf(language)]),
  ]
  const bySection = new Map<string, string[]>()
  let table: { readonly heading: string; readonly columnTerms: readonly string[] } | undefined
  return chunks.map(({ section, kind, text }) => {
    const heading = section ?? ''
    const sectionTerms = bySection.get(heading) ?? termsIn(heading)
    bySection.set(heading, sectionTerms)
    const isCut = kind === 'table' && table?.heading === heading
    const terms = [...nameTerms, ...sectionTerms, ...(isCut ? table!.columnTerms : []), ...termsIn(text)]
    if (kind !== 'table') table = undefined
    else if (!isCut) table = { heading, columnTerms: termsIn(text.split('\n', 1)[0]!).slice(0, MAX_COLUMN_TERMS) }
    return { counts: countTerms(terms), length: terms.length }
  })
}

async function insertDocument(
  sql: Sql,
  ownerId: number,
  firstChunk: number,
  document: WireDocument,
  indexed: readonly Omit<IndexedChunk, 'chunk'>[],
): Promise<DocumentRow> {
  const length = indexed.reduce((total, chunk) => total + storedLength(chunk.length), 0)
  const row: DocumentRow = {
    document_id: randomUUID(),
    name: document.name,
    path: document.path ?? null,
    type: document.type,
    hash: document.hash,
    description: document.description,
    topics: JSON.stringify(document.topics),
    bytes: document.bytes,
    pages: document.pages ?? null,
    date: document.date ?? null,
    added_at: document.addedAt,
    notes: JSON.stringify(document.notes),
    length,
    first_chunk: firstChunk,
    chunks: document.chunks.length,
    embedded: 0,
  }
  const columns = Object.keys(row).join(', ')
  await insertRows(sql, `knowledge_documents (owner_id, identity, ${columns})`, [
    [ownerId, identityOf(document), ...Object.values(row)],
  ])
  await addText(sql, row.document_id, document.text)
  await insertRows(
    sql,
    `knowledge_chunks (owner_id, ${CHUNK_COLUMNS})`,
    document.chunks.map((chunk, place) => [
      ownerId,
      firstChunk + place,
      row.document_id,
      chunk.ordinal,
      chunk.start,
      chunk.end,
      chunk.page ?? null,
      chunk.pages === undefined ? null : JSON.stringify(chunk.pages),
      chunk.section ?? null,
      document.parents[place] ?? null,
      chunk.kind,
      chunk.tokens,
    ]),
  )
  await sql.all('UPDATE knowledge_owners SET next_chunk = next_chunk + ? WHERE owner_id = ?', [
    document.chunks.length,
    ownerId,
  ])
  await count(sql, ownerId, { chunks: row.chunks, length })
  return row
}

async function removeRows(sql: Sql, ownerId: number, row: DocumentRow): Promise<void> {
  const { document_id, first_chunk, chunks } = row
  const range = [ownerId, first_chunk, first_chunk + chunks - 1]
  const chunkRows = await sql.all<ChunkRow>(
    `SELECT ${CHUNK_COLUMNS} FROM knowledge_chunks WHERE owner_id = ? AND chunk BETWEEN ? AND ? ORDER BY chunk`,
    range,
  )
  const texts = await readSpans(
    sql,
    chunkRows.map(({ from_char, to_char }) => ({ documentId: document_id, start: from_char, end: to_char })),
  )
  // Use the stored language mark: an earlier version may have detected another language in this text.
  const postings = new Postings(sql, ownerId)
  const [language] = await markedLanguages(postings, (mark) => postings.holds(mark, first_chunk))
  const storedChunks = chunkRows.map((chunkRow, place) => chunkOf(chunkRow, texts[place]!))
  const indexed = await indexTexts(row, storedChunks, language)
  const numbered = indexed.map((chunk, place) => ({ ...chunk, chunk: first_chunk + place }))
  await removePostings(sql, ownerId, numbered)
  const [firstKey, lastKey] = [vectorKey(ownerId, first_chunk), vectorKey(ownerId, first_chunk + chunks - 1)]
  await sql.all('DELETE FROM knowledge_vectors WHERE vector_key BETWEEN ? AND ?', [firstKey, lastKey])
  await removeEmbeddings(sql, firstKey, lastKey)
  await sql.all('DELETE FROM knowledge_chunks WHERE owner_id = ? AND chunk BETWEEN ? AND ?', range)
  await removeText(sql, document_id)
  await sql.all('DELETE FROM knowledge_documents WHERE document_id = ?', [document_id])
  await count(sql, ownerId, { chunks: -chunks, length: -row.length })
}
