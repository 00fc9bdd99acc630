import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { abandonedUnlessNamed } from '../../app/run-documents.ts'
import { collectionOwner } from '../../documents/collections.ts'
import { addFiles, filesBody } from '../documents/upload.ts'
import type { Resource } from '../context.ts'
import { id } from '../schemas.ts'
import { collectionId } from '../runs/schema.ts'

const fileSchema = z.object({
  name: z.string(),
  documentId: z.string().optional(),
  error: z.string().optional().describe('Why it cannot be read, and what to do'),
})

/** Files attached to a question. They are not in the library, and are deleted with the last run that uses them. */
export const attachments: Resource = async (routes, parts) => {
  const { app, clock, onError } = parts
  const { ingest, store } = app.knowledge.ofRuns
  routes.server.addContentTypeParser('multipart/form-data', async () => undefined)
  routes.post(
    '/attachments',
    {
      access: 'ask',
      summary: 'Attach files to a question, which refers to their collection as `documents`',
      consumes: ['multipart/form-data'],
      body: filesBody,
      query: z.object({ to: collectionId.optional().describe('An existing collection; default: a new one') }),
      response: { 201: z.object({ documents: collectionId, items: z.array(fileSchema) }) },
    },
    async (request) => {
      const { userId } = request.caller
      const documents = request.query.to ?? `documents-${randomUUID().replaceAll('-', '')}`
      const scope = collectionOwner(userId, documents)
      const added = await addFiles(request, { ingest, onError }, async () => {
        // Set an expiry, in case no question uses it.
        if ((await store.documents(scope)).length === 0)
          await app.artifacts.begin(abandonedUnlessNamed(userId, documents, clock.now()))
        return scope
      })
      const items = added.map(({ name, document, failure }) => ({
        name,
        documentId: document?.documentId,
        error: failure?.message,
      }))
      return { documents, items }
    },
  )
  routes.delete(
    '/attachments/:documents/:documentId',
    {
      access: 'ask',
      summary: 'Remove an attached file before the question is asked',
      params: z.object({ documents: collectionId, documentId: id }),
    },
    async ({ caller, params: { documents, documentId } }) => {
      await ingest.remove(collectionOwner(caller.userId, documents), documentId)
    },
  )
}
