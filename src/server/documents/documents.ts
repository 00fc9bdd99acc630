import { toTuttiError } from '../../domain/errors.ts'
import type { Resource } from '../context.ts'
import {
  documentPage,
  listQuery,
  listSchema,
  openedSchema,
  uploaded,
  uploadedSchema,
  documentAt,
  documentIn,
} from './document-records.ts'
import { addFiles, filesBody, sweepLeftOver } from './upload.ts'

const SWEEP_MS = 3_600_000

/** The documents of the caller. */
export const documents: Resource = async (routes, parts) => {
  const { app, clock, closing, onError } = parts
  const { store, ingest } = app.knowledge
  // The handler reads the form as a stream.
  routes.server.addContentTypeParser('multipart/form-data', async () => undefined)
  const sweep = (): void => {
    cancel = clock.timer(SWEEP_MS, sweep)
    void sweepLeftOver().catch((thrown) => onError(toTuttiError(thrown)))
  }
  let cancel = clock.timer(0, sweep)
  closing.addEventListener('abort', () => cancel(), { once: true })

  routes.post(
    '/upload',
    {
      access: 'documents',
      summary: 'Add files; waits until their text is stored, or returns an error per file',
      consumes: ['multipart/form-data'],
      body: filesBody,
      response: { 200: uploadedSchema, 201: uploadedSchema },
    },
    async (request, reply) => {
      const { code, items } = uploaded(await addFiles(request, { ingest, onError }, () => request.caller.userId))
      return reply.code(code).send({ items })
    },
  )
  routes.get(
    '/documents',
    { access: 'read', summary: 'The documents of the caller, newest first', query: listQuery, response: listSchema },
    async ({ caller, query }) => documentPage(await store.documents(caller.userId), query),
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
  routes.delete(
    '/documents/:documentId',
    { access: 'documents', summary: 'Delete a document and everything derived from it' },
    async ({ caller, params: { documentId } }) => {
      await documentIn(store, caller.userId, documentId)
      await ingest.remove(caller.userId, documentId)
    },
  )
}
