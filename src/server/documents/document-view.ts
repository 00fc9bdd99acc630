import { z } from 'zod'
import { DEFAULT_LIMITS } from '../../documents/parsing/limits.ts'
import { bytes, withMediaTypes } from '../media-types.ts'
import type { Resource } from '../context.ts'
import { searchWords } from '../schemas.ts'
import { TuttiError } from '../../domain/errors.ts'
import { pageAt, pagesOf } from '../../documents/chunking/pages.ts'
import type { KnowledgeStore, OwnerScope } from '../../documents/types.ts'
import { documentAt } from './document-records.ts'

const at = z.coerce.number().int().min(0).max(DEFAULT_LIMITS.characters)

/** Characters of a document's text in one response. */
const MAX_TEXT = 2_000_000

const passageSchema = z.object({
  ordinal: z.number().int().describe('Position in the document, from 0'),
  start: z.number().int(),
  end: z.number().int(),
  page: z.number().int().optional(),
  section: z.string().optional(),
  text: z.string(),
})

/** A document: around a passage, by passages, and as the original file. */
export const openedDocument: Resource = async (routes, { app }) => {
  routes.get(
    '/documents/:documentId/passage',
    {
      access: 'read',
      summary: 'The page of a passage, or its section in formats without pages, and its position there',
      query: z.object({ start: at, end: at }),
      response: z.object({
        documentId: z.string(),
        name: z.string(),
        page: z.number().int().optional(),
        section: z.string().optional(),
        start: z.number().int().describe('Start of the text, in characters of the document'),
        text: z.string(),
        mark: z
          .object({ start: z.number().int(), end: z.number().int() })
          .describe('Position in the text, in characters'),
        hasFile: z.boolean().describe('Whether the page can be rendered from /documents/{documentId}/file'),
      }),
    },
    async ({ caller, params: { documentId }, query }) => {
      const { record, store, scope } = await documentAt(app, caller, documentId)
      const [passage, hasFile] = await Promise.all([
        passageIn(store, scope, record.documentId, query),
        app.knowledge.originals.has(record),
      ])
      return { documentId, name: record.name, ...passage, hasFile }
    },
  )
  routes.get(
    '/documents/:documentId/passages',
    {
      access: 'read',
      summary: 'Passages of a document, in order',
      query: z.object({
        search: z.string().max(500).optional().describe('Words that must all occur in the passage or its section'),
        from: z.coerce.number().int().min(0).default(0).describe('Ordinal of the first passage'),
        limit: z.coerce.number().int().min(1).max(500).default(100),
      }),
      response: z.object({
        items: z.array(passageSchema),
        total: z.number().int().describe('Number of matching passages'),
        next: z.number().int().optional().describe('`from` of the next page'),
      }),
    },
    async ({ caller, params: { documentId }, query: { search, from, limit } }) => {
      const { record, store, scope } = await documentAt(app, caller, documentId)
      const words = searchWords(search?.toLowerCase())
      const matching = (await store.chunks(scope, record.documentId)).filter(({ text, section = '' }) => {
        const searched = `${section} ${text}`.toLowerCase()
        return words.every((word) => searched.includes(word))
      })
      const rest = matching.filter(({ ordinal }) => ordinal >= from)
      return { items: rest.slice(0, limit), total: matching.length, next: rest[limit]?.ordinal }
    },
  )
  routes.get(
    '/documents/:documentId/text',
    {
      access: 'read',
      summary: `Text of a document, at most ${MAX_TEXT} characters`,
      query: z.object({ from: at.default(0).describe('First character') }),
      response: z.object({ text: z.string(), isCut: z.boolean().describe('Whether the document has more text') }),
    },
    async ({ caller, params: { documentId }, query: { from } }) => {
      const { record, store, scope } = await documentAt(app, caller, documentId)
      // Read one more character to know whether there is more.
      const text = (await store.text(scope, record.documentId, from, from + MAX_TEXT + 1)) ?? ''
      return { text: text.slice(0, MAX_TEXT), isCut: text.length > MAX_TEXT }
    },
  )
  routes.get(
    '/documents/:documentId/file',
    {
      access: 'read',
      summary: 'The original PDF file, if it is stored',
      response: { 200: withMediaTypes('The file', { 'application/pdf': bytes }) },
    },
    async ({ caller, params: { documentId } }, reply) => {
      const { record } = await documentAt(app, caller, documentId)
      const file = await app.knowledge.originals.read(record)
      return reply
        .headers({
          // The file is untrusted: opened in a window of its own, it must not act on behalf of the user.
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(record.name.split('/').at(-1)!)}`,
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-cache',
        })
        .type('application/pdf')
        .send(Buffer.from(file))
    },
  )
}

/**
 * The context of a passage: its page, or its section in formats without pages.
 * @throws TuttiError `InvalidRequest` for characters that the document does not have
 */
async function passageIn(
  store: KnowledgeStore,
  scope: OwnerScope,
  documentId: string,
  mark: { readonly start: number; readonly end: number },
) {
  const chunks = await store.chunks(scope, documentId)
  const at = chunks.find(({ end }) => end > mark.start)
  if (at === undefined || mark.end <= mark.start) {
    throw new TuttiError('InvalidRequest', 'The document has no such passage; it may have changed since.')
  }
  const { section } = at
  const { page } = pageAt(at, mark.start)
  const around = chunks.flatMap((chunk) =>
    page === undefined ? (chunk.section === section ? [chunk] : []) : pagesOf(chunk).filter((one) => one.page === page),
  )
  const start = Math.min(mark.start, ...around.map((chunk) => chunk.start))
  const end = Math.max(mark.end, ...around.map((chunk) => chunk.end))
  const text = (await store.text(scope, documentId, start, end)) ?? ''
  const place = { start: mark.start - start, end: Math.min(mark.end - start, text.length) }
  return { page, section, start, text, mark: place }
}
