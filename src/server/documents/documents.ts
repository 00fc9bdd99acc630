import { z } from 'zod'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { sharedOwner } from '../../documents/collections.ts'
import { DOCUMENT_TYPES, type SearchFilter } from '../../documents/types.ts'
import type { Resource } from '../context.ts'
import {
  documentSchema,
  documentPage,
  listQuery,
  listSchema,
  openedSchema,
  uploaded,
  uploadedSchema,
  createDocumentFinder,
  documentAt,
  documentIn,
} from './document-records.ts'
import { receiveFiles, uploadsBody, addAll } from './upload.ts'

/** The documents of the caller. Search also covers the collections that they may use. */
export const documents: Resource = async (routes, parts) => {
  const { app, onTrouble } = parts
  const { store, ingest, search, shared } = app.knowledge
  // The handler reads the form as a stream.
  routes.server.addContentTypeParser('multipart/form-data', async () => undefined)
  // Embedding continues in the background: full-text search works without vectors. The list shows the progress.
  const embed = (owner: string): void => {
    void ingest.embedPending(owner).catch((thrown) => onTrouble(toTuttiError(thrown)))
    app.descriptions.soon()
  }

  routes.post(
    '/upload',
    {
      access: 'documents',
      summary: 'Add files; waits until their text is stored, or returns an error per file',
      idempotency: 'own',
      resultExists: createDocumentFinder(app),
      consumes: ['multipart/form-data', 'application/json'],
      body: uploadsBody,
      response: { 200: uploadedSchema, 201: uploadedSchema },
    },
    async (request, reply) => {
      const { userId } = request.caller
      const added = await receiveFiles(parts, request, reply, (files) =>
        addAll(app, request.caller, { ingest, owner: userId, files, by: userId }),
      )
      if (added === undefined) return reply
      embed(userId)
      const { code, items } = uploaded(added)
      return reply.code(code).send({ items })
    },
  )
  routes.get(
    '/documents',
    { access: 'read', summary: 'The documents of the caller, newest first', query: listQuery, response: listSchema },
    async ({ caller, query }) => documentPage(await store.documents(caller.userId), query),
  )
  routes.get(
    '/documents/search',
    {
      access: 'read',
      summary: 'Search the documents that the caller may read, best passages first',
      query: z.object({
        q: z.string().trim().min(1).max(2_000),
        topic: z.string().trim().min(1).max(200).optional().describe('Words of a topic or document name'),
        types: z
          .preprocess(
            (value) => (typeof value === 'string' ? value.split(',') : value),
            z.array(z.enum(DOCUMENT_TYPES)),
          )
          .optional()
          .describe('Only documents of these types'),
        from: z.iso.date().optional().describe('Only documents from this day or later'),
        to: z.iso.date().optional().describe('Only documents up to this day'),
        section: z.string().trim().min(1).max(200).optional().describe('Words of the section headings'),
        limit: z.coerce.number().int().min(1).max(50).default(8),
      }),
      response: z.object({
        method: z.enum(['lexical', 'hybrid']),
        notes: z.array(z.string()).readonly(),
        items: z.array(
          z.object({
            documentId: z.string(),
            name: z.string(),
            text: z.string(),
            start: z.number().int(),
            end: z.number().int(),
            page: z.number().int().optional(),
            section: z.string().optional(),
            collection: z
              .object({ collectionId: z.string(), name: z.string(), owner: z.string().optional() })
              .optional()
              .describe('The collection, with its owner if it belongs to another user; absent for own documents'),
          }),
        ),
      }),
    },
    async ({ caller, query: { q, limit, ...narrowing } }) => {
      const filter: SearchFilter = omitUndefined(narrowing)
      const scope = await shared.shelvesOf(caller)
      const { hits, method, notes } = await search(scope, q, { limit, filter })
      const documents = [...new Set(hits.map(({ document }) => document.documentId))]
      const [places, mine] = await Promise.all([
        store.placesOf(scope, documents),
        app.people.collections.listFor(caller),
      ])
      const collectionOf = (documentId: string) => {
        const found = mine.find((one) => sharedOwner(one.collectionId) === places.get(documentId))
        if (found === undefined) return undefined
        const { collectionId, name, owner, ownerName } = found
        return { collectionId, name, owner: owner === caller.userId ? undefined : ownerName }
      }
      return {
        method,
        notes,
        items: hits.map(({ document: { documentId, name }, chunk: { text, start, end, page: on, section } }) => ({
          documentId,
          name,
          text,
          start,
          end,
          page: on,
          section,
          collection: collectionOf(documentId),
        })),
      }
    },
  )
  routes.get(
    '/documents/:documentId',
    { access: 'read', summary: 'A document', response: openedSchema },
    async ({ caller, params: { documentId } }) => {
      const { record, isOfRun } = await documentAt(app, caller, documentId)
      const isOwn = !isOfRun && (await store.document(caller.userId, record.documentId)) !== undefined
      return { ...record, isOwn, isOfRun, hasFile: await app.knowledge.originals.has(record) }
    },
  )
  routes.post(
    '/documents/:documentId/read',
    { access: 'documents', summary: 'Read a local file again in its current version', response: documentSchema },
    async ({ caller: { userId }, params: { documentId } }) => {
      const { path, name } = await documentIn(store, userId, documentId)
      if (path === undefined) throw new TuttiError('InvalidRequest', `The file ${name} is not stored. Upload it again.`)
      const [again] = await ingest.addPaths(userId, [path], { cwd: '/' })
      if (again === undefined || !('added' in again)) {
        throw new TuttiError(
          'DocumentError',
          again !== undefined && 'error' in again ? again.error : `${name} no longer exists.`,
        )
      }
      embed(userId)
      return again.added.record
    },
  )
  routes.delete(
    '/documents/:documentId',
    { access: 'documents', summary: 'Delete a document and everything derived from it' },
    async ({ caller, params: { documentId } }) => {
      await documentIn(store, caller.userId, documentId)
      await ingest.remove(caller.userId, documentId)
    },
  )
}
