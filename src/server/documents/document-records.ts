import { z } from 'zod'
import { DOCUMENT_TYPES, type DocumentRecord, type KnowledgeStore, type OwnerScope } from '../../documents/types.ts'
import { toPage, pageSchema, pageQuery, parseCursor } from '../paging.ts'
import { time, searchWords, itemsSchema } from '../schemas.ts'
import type { Added } from './upload.ts'
import type { App } from '../../app/user-app.ts'
import { documentOfRuns } from '../../app/run-documents.ts'
import type { Caller } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'

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

/** The result for each file. */
export function uploaded(added: readonly Added[]) {
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

interface DocumentPlace {
  readonly record: DocumentRecord
  readonly store: KnowledgeStore
  readonly scope: OwnerScope
  /** Attached to questions: it is in no list, and is deleted with the last run that uses it. */
  readonly isOfRun: boolean
}

/**
 * A document that the caller may read, wherever it is: in their library, in a collection that they may use, or attached
 * to one of their questions, where citations may refer to it.
 * @throws TuttiError `NotFound` if it does not exist or they may not read it
 */
export async function documentAt({ knowledge }: App, caller: Caller, documentId: string): Promise<DocumentPlace> {
  const { store, shared, ofRuns } = knowledge
  const named = await documentOfRuns(ofRuns, caller.userId, documentId)
  if (named !== undefined) return { record: named.record, store: named.store, scope: named.owner, isOfRun: true }
  const scope = await shared.readableScope(caller)
  return { record: await documentIn(store, scope, documentId), store, scope, isOfRun: false }
}

/** @throws TuttiError `NotFound` */
export async function documentIn(
  store: KnowledgeStore,
  scope: OwnerScope,
  documentId: string,
): Promise<DocumentRecord> {
  const record = await store.document(scope, documentId)
  if (record === undefined) throw new TuttiError('NotFound', `There is no document ${documentId}.`)
  return record
}
