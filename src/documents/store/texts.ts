import { insertRows, parts, type Sql } from './sql.ts'

/** Characters of a text that are kept in one row: a few chunks, so that showing one does not read a whole book. */
const SEGMENT = 16_384

const SPANS_AT_ONCE = 100

/** A piece of a document's text, `end` exclusive. */
export interface Span {
  readonly documentId: string
  readonly start: number
  readonly end: number
}

export async function addText(sql: Sql, documentId: string, text: string): Promise<void> {
  const rows: [string, number, number, string][] = []
  for (let at = 0; at < text.length || rows.length === 0;) {
    const end = boundary(text, (rows.length + 1) * SEGMENT)
    rows.push([documentId, rows.length, at, text.slice(at, end)])
    at = end
  }
  for (const batch of parts(rows, 50)) {
    await insertRows(sql, 'knowledge_texts (document_id, segment, from_char, text)', batch)
  }
}

/** Keeps the two halves of a surrogate pair together. */
function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at + 1 : at
}

export async function removeText(sql: Sql, documentId: string): Promise<void> {
  await sql.all('DELETE FROM knowledge_texts WHERE document_id = ?', [documentId])
}

/** The texts of pieces of documents, in their order. The caller has made sure that the documents are the owner's. */
export async function readSpans(sql: Sql, spans: readonly Span[]): Promise<string[]> {
  const texts: string[] = []
  for (const batch of parts(spans, SPANS_AT_ONCE)) {
    const segments = await readSegments(sql, batch)
    texts.push(...batch.map((span) => cutOut(span, segments.get(span.documentId) ?? [])))
  }
  return texts
}

interface Segment {
  readonly document_id: string
  readonly segment: number
  readonly from_char: number
  readonly text: string
}

async function readSegments(sql: Sql, spans: readonly Span[]): Promise<Map<string, Segment[]>> {
  // A segment may begin one character late, and end so.
  const ranges = spans.map(({ documentId, start, end }) => {
    return [documentId, Math.max(0, Math.floor((start - 1) / SEGMENT)), Math.floor(end / SEGMENT)] as const
  })
  const found = new Map<string, Segment[]>()
  if (ranges.length === 0) return found
  const where = ranges.map(() => '(document_id = ? AND segment BETWEEN ? AND ?)').join(' OR ')
  const rows = await sql.all<Segment>(
    `SELECT document_id, segment, from_char, text FROM knowledge_texts WHERE ${where} ORDER BY document_id, segment`,
    ranges.flat(),
  )
  for (const row of rows) {
    const segments = found.get(row.document_id) ?? []
    segments.push(row)
    found.set(row.document_id, segments)
  }
  return found
}

function cutOut({ start, end }: Span, segments: readonly Segment[]): string {
  return segments
    .map(({ from_char, text }) => text.slice(Math.max(0, start - from_char), Math.max(0, end - from_char)))
    .join('')
}
