import { z } from 'zod'
import { documentOfRuns } from '../../app/run-documents.ts'
import { toTuttiError, TuttiError } from '../../core/errors.ts'
import { DEFAULT_LIMITS } from '../../knowledge/parsing/limits.ts'
import { DOCUMENT_TYPES, type DocumentRecord } from '../../knowledge/types.ts'
import { page, pageOf, pageQuery, placeOf } from '../paging.ts'
import type { Resource } from '../parts.ts'
import { id, iso, moment, wordsOf } from '../schemas.ts'
import { addAll } from './add-all.ts'
import { passageIn } from './passage.ts'
import { takeIn } from './take-in.ts'

const documentSchema = z
  .object({
    documentId: z.string(),
    name: z.string(),
    type: z.enum(DOCUMENT_TYPES),
    description: z.string(),
    bytes: z.number().int(),
    pages: z.number().int().optional(),
    date: z.string().optional().describe('Day that the document says it is from'),
    chunks: z.number().int().describe('Passages that it was cut into'),
    embedded: z.number().int().describe('Of them, those that are found by meaning, too'),
    addedAt: moment,
    notes: z.array(z.string()).readonly().describe('What could not be read'),
  })
  .meta({ id: 'Document' })

const uploadedSchema = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['added', 'unchanged', 'failed']),
      document: documentSchema.optional(),
      error: z.string().optional().describe('Why it failed, and what to do'),
    }),
  ),
})

const place = z.coerce.number().int().min(0).max(DEFAULT_LIMITS.characters)
const read = { access: { role: 'viewer', scope: 'read' } } as const
const write = { access: { role: 'member', scope: 'documents' } } as const
const params = z.object({ documentId: id })
const tags = ['documents']

/** The documents of the caller: added, listed, opened at a passage, searched, removed. */
export const documents: Resource = async (server, { app, onTrouble }) => {
  const { store, ingest, search } = app.knowledge
  // The handler reads the form itself, as it comes.
  server.addContentTypeParser('multipart/form-data', async () => undefined)
  const found = async (owner: string, documentId: string): Promise<DocumentRecord> => {
    const document = await store.document(owner, documentId)
    if (document === undefined) throw new TuttiError('NotFound', `There is no document ${documentId}.`)
    return document
  }
  // Text can be searched before vectors are there; the list tells how far they are.
  const embed = (owner: string): void =>
    void ingest.embedPending(owner).catch((thrown) => onTrouble(toTuttiError(thrown)))

  server.post(
    '/upload',
    {
      config: write,
      schema: {
        tags,
        consumes: ['multipart/form-data'],
        summary: 'Add files; each is there with its text when this answers, or it says why not',
        response: { 200: uploadedSchema, 201: uploadedSchema },
      },
    },
    async (request, reply) => {
      const { userId } = request.caller
      const added = await takeIn(request.raw, (files) => addAll(app, request.caller, { ingest, owner: userId, files }))
      const items = added.map(({ name, status, document, failure }) => ({
        name,
        status,
        ...(document === undefined ? {} : { document: shown(document) }),
        ...(failure === undefined ? {} : { error: failure.message }),
      }))
      embed(userId)
      if (added.every(({ failure }) => failure !== undefined)) throw added[0]!.failure!
      return reply.code(items.some(({ status }) => status === 'added') ? 201 : 200).send({ items })
    },
  )
  server.get(
    '/documents',
    {
      config: read,
      schema: {
        tags,
        summary: 'The documents of the caller, newest first',
        querystring: pageQuery.extend({
          search: z.string().max(500).optional().describe('Words of name and description'),
        }),
        response: { 200: pageOf(documentSchema) },
      },
    },
    async ({ caller, query: { limit, cursor, search: sought } }) => {
      const after = placeOf(cursor)
      const words = wordsOf(sought?.toLowerCase())
      const all = (await store.documents(caller.userId)).filter(({ name, description }) => {
        const text = `${name} ${description}`.toLowerCase()
        return words.every((word) => text.includes(word))
      })
      const start = after === undefined ? 0 : all.findIndex(({ documentId }) => documentId === after.id) + 1
      const rest =
        after !== undefined && start === 0 ? all.filter(({ addedAt }) => addedAt < after.at) : all.slice(start)
      return page(rest, limit, ({ addedAt, documentId }) => ({ at: addedAt, id: documentId }), shown)
    },
  )
  server.get(
    '/documents/search',
    {
      config: read,
      schema: {
        tags,
        summary: 'Passages that answer a question, the best first',
        querystring: z.object({
          q: z.string().trim().min(1).max(2_000),
          limit: z.coerce.number().int().min(1).max(50).default(8),
        }),
        response: {
          200: z.object({
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
              }),
            ),
          }),
        },
      },
    },
    async ({ caller, query: { q, limit } }) => {
      const { hits, method, notes } = await search(caller.userId, q, { limit })
      return {
        method,
        notes,
        items: hits.map(({ document: { documentId, name }, chunk: { text, start, end, page: on, section } }) => ({
          documentId,
          name,
          text,
          start,
          end,
          ...(on === undefined ? {} : { page: on }),
          ...(section === undefined ? {} : { section }),
        })),
      }
    },
  )
  server.get(
    '/documents/:documentId',
    {
      config: read,
      schema: { tags, summary: 'What is known of a document', params, response: { 200: documentSchema } },
    },
    async ({ caller, params: { documentId } }) => shown(await found(caller.userId, documentId)),
  )
  server.get(
    '/documents/:documentId/passage',
    {
      config: read,
      schema: {
        tags,
        summary: 'The page, or in formats without pages the section, that a passage stands on, and where on it',
        params,
        querystring: z.object({ start: place, end: place }),
        response: {
          200: z.object({
            documentId: z.string(),
            name: z.string(),
            page: z.number().int().optional(),
            section: z.string().optional(),
            start: z.number().int().describe('Of the text, in characters of the document'),
            text: z.string(),
            mark: z.object({ start: z.number().int(), end: z.number().int() }).describe('In characters of the text'),
          }),
        },
      },
    },
    async ({ caller, params: { documentId }, query }) => {
      // A citation may stand for a file of its question alone.
      const named = await documentOfRuns(app.knowledge.ofRuns, caller.userId, documentId)
      const { record, ...place } = named ?? {
        record: await found(caller.userId, documentId),
        store,
        owner: caller.userId,
      }
      return { documentId, name: record.name, ...(await passageIn(place.store, place.owner, documentId, query)) }
    },
  )
  server.post(
    '/documents/:documentId/read',
    {
      config: write,
      schema: {
        tags,
        summary: 'Read a file of this machine again, as it is now',
        params,
        response: { 200: documentSchema },
      },
    },
    async ({ caller: { userId }, params: { documentId } }) => {
      const { path, name } = await found(userId, documentId)
      if (path === undefined)
        throw new TuttiError('InvalidRequest', `${name} was sent here and is not kept; send it again.`)
      const [again] = await ingest.addPaths(userId, [path], { cwd: '/' })
      if (again === undefined || !('added' in again)) {
        throw new TuttiError(
          'DocumentError',
          again !== undefined && 'error' in again ? again.error : `${name} is not there any more.`,
        )
      }
      embed(userId)
      return shown(again.added.record)
    },
  )
  server.delete(
    '/documents/:documentId',
    {
      config: write,
      schema: { tags, summary: 'Remove it with all that was made of it', params, response: { 204: z.null() } },
    },
    async ({ caller, params: { documentId } }, reply) => {
      await found(caller.userId, documentId)
      await ingest.remove(caller.userId, documentId)
      return reply.code(204).send(null)
    },
  )
}

function shown({ addedAt, path: _path, hash: _hash, ...about }: DocumentRecord) {
  return { ...about, addedAt: iso(addedAt) }
}
