import { searchTerms } from '../search/analysis.ts'
import type { SearchFilter } from '../types.ts'
import { marks, type Sql, type SqlValue } from './sql.ts'

/** The chunks that a filter lets through. */
export interface Selection {
  /** Documents' chunks, `end` exclusive, in order. */
  readonly ranges: readonly { readonly first: number; readonly end: number }[]
  readonly has: (chunk: number) => boolean
}

/** What a filter lets through of one owner's chunks; undefined when it lets everything through. */
export async function selectChunks(
  sql: Sql,
  ownerId: number,
  filter: SearchFilter | undefined,
): Promise<Selection | undefined> {
  if (filter === undefined || Object.values(filter).every((part) => part === undefined)) return undefined
  const { where, values } = documentConditions(filter)
  const rows = await sql.all<{ first_chunk: number; chunks: number }>(
    `SELECT first_chunk, chunks FROM knowledge_documents WHERE owner_id = ? AND chunks > 0 ${where} ORDER BY first_chunk`,
    [ownerId, ...values],
  )
  const ranges = rows.map(({ first_chunk, chunks }) => ({ first: first_chunk, end: first_chunk + chunks }))
  const inDocuments = (chunk: number): boolean => isInRanges(ranges, chunk)
  if (filter.section === undefined) return { ranges, has: inDocuments }
  const inSections = await chunksOfSection(sql, ownerId, filter.section)
  return { ranges, has: (chunk) => inSections.has(chunk) && inDocuments(chunk) }
}

function documentConditions(filter: SearchFilter): { readonly where: string; readonly values: SqlValue[] } {
  const conditions: string[] = []
  const values: SqlValue[] = []
  const add = (condition: string, ...more: readonly SqlValue[]): void => {
    conditions.push(`AND ${condition}`)
    values.push(...more)
  }
  const { types, documentIds, from, to } = filter
  if (types !== undefined) add(anyOf('type', types), ...types)
  if (documentIds !== undefined) add(anyOf('document_id', documentIds), ...documentIds)
  if (from !== undefined) add('date >= ?', from)
  // A date may be followed by a time of that day, which is later as a text.
  if (to !== undefined) add('substr(date, 1, ?) <= ?', to.length, to)
  return { where: conditions.join(' '), values }
}

function anyOf(column: string, values: readonly string[]): string {
  return values.length === 0 ? '1 = 0' : `${column} IN (${marks(values.length)})`
}

/** Chunks under headings that contain all of these words, in any form and order. */
async function chunksOfSection(sql: Sql, ownerId: number, section: string): Promise<ReadonlySet<number>> {
  const sectionTerms = searchTerms(section)
  const sections = await sql.all<{ section: string }>(
    'SELECT DISTINCT section FROM knowledge_chunks WHERE owner_id = ? AND section IS NOT NULL',
    [ownerId],
  )
  const matching = sections
    .map((row) => row.section)
    .filter((candidate) => {
      const terms = new Set(searchTerms(candidate))
      return sectionTerms.every((term) => terms.has(term))
    })
  const found = new Set<number>()
  for (const name of matching) {
    const rows = await sql.all<{ chunk: number }>(
      'SELECT chunk FROM knowledge_chunks WHERE owner_id = ? AND section = ?',
      [ownerId, name],
    )
    for (const { chunk } of rows) found.add(chunk)
  }
  return found
}

function isInRanges(ranges: Selection['ranges'], chunk: number): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.end <= chunk) low = middle + 1
    else high = middle
  }
  return low < ranges.length && ranges[low]!.first <= chunk
}
