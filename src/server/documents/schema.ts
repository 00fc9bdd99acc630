import { z } from 'zod'
import { DOCUMENT_TYPES, type DocumentRecord } from '../../documents/types.ts'
import { toPage, pageSchema, pageQuery, parseCursor } from '../paging.ts'
import { time, searchWords, itemsSchema } from '../schemas.ts'
import type { Added } from './add-all.ts'

export const documentSchema = z
  .object({
    documentId: z.string(),
    name: z.string(),
    type: z.enum(DOCUMENT_TYPES),
    description: z.string(),
    topics: z.array(z.string()).readonly().describe('Topics of the document'),
    bytes: z.number().int(),
    pages: z.number().int().optional(),
    date: z.string().optional().describe('Date stated in the document'),
    chunks: z.number().int().describe('Number of passages'),
    embedded: z.number().int().describe('Number of passages with embeddings, which semantic search finds'),
    addedAt: time,
    notes: z.array(z.string()).readonly().describe('Parts that could not be read'),
  })
  .meta({ id: 'Document' })

export const openedSchema = documentSchema.extend({
  isOwn: z.boolean().describe('In the caller’s own library, where it can be deleted; others are in collections'),
  isOfRun: z.boolean().describe('Attached to questions; deleted with the last run that uses it'),
  hasFile: z.boolean().describe('Whether its pages can be rendered from /documents/{documentId}/file'),
})

export const uploadedSchema = itemsSchema(
  z.object({
    name: z.string(),
    status: z.enum(['added', 'unchanged', 'failed']),
    document: documentSchema.optional(),
    error: z.string().optional().describe('Why it failed, and what to do'),
  }),
)

export const listQuery = pageQuery.extend({
  search: z.string().max(500).optional().describe('Words of name, description and topics'),
})
export const listSchema = pageSchema(documentSchema)

/** @throws TuttiError of the first file if none could be added */
export function assertAnyAdded(added: readonly Added[]): void {
  if (added.every(({ failure }) => failure !== undefined)) throw added[0]!.failure!
}

/** The result for each file. @throws TuttiError of the first file if none could be added */
export function uploaded(added: readonly Added[]) {
  assertAnyAdded(added)
  const items = added.map(({ name, status, document, failure }) => ({
    name,
    status,
    document,
    error: failure?.message,
  }))
  return { code: items.some(({ status }) => status === 'added') ? (201 as const) : (200 as const), items }
}

/** A page of documents, newest first. */
export function documentPage(
  documents: readonly DocumentRecord[],
  { limit, cursor, search: sought }: z.output<typeof listQuery>,
) {
  const after = parseCursor(cursor)
  const words = searchWords(sought?.toLowerCase())
  const all = documents.filter(({ name, description, topics }) => {
    const text = `${name} ${description} ${topics.join(' ')}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const start = after === undefined ? 0 : all.findIndex(({ documentId }) => documentId === after.id) + 1
  const rest = after !== undefined && start === 0 ? all.filter(({ addedAt }) => addedAt < after.at) : all.slice(start)
  return toPage(rest, limit, ({ addedAt, documentId }) => ({ at: addedAt, id: documentId }))
}
