import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { storedBytes } from '../../app/run-documents.ts'
import type { Caller } from '../../domain/caller.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import { DEFAULT_LIMITS } from '../../documents/parsing/limits.ts'
import { assertMayFit } from '../../documents/parsing/detect.ts'
import type { Upload } from '../../accounts/uploads.ts'
import { baseName, sweepLeftOver } from '../documents/upload.ts'
import { answerOnce } from '../idempotency.ts'
import type { Resource } from '../context.ts'
import { id, iso, moment } from '../schemas.ts'
import { assertVersion, metadataOf, numberOf, bodyChunks, tusError, VERSION } from './tus.ts'

const uploadSchema = z
  .object({
    uploadId: z.string(),
    name: z.string(),
    bytes: z.number().int().describe('Of the whole file'),
    received: z.number().int().describe('Of them, those that are kept: where to go on'),
    fingerprint: z.string().optional().describe('As it was given'),
    expiresAt: moment.describe('When it goes unless something more comes'),
  })
  .meta({ id: 'Upload' })

const params = z.object({ uploadId: id })
const write = { access: { role: 'member', scope: 'documents' } } as const
const tags = ['documents']
const SWEEP_MS = 3_600_000
const offsets = 'application/offset+octet-stream'

/** Whoever sends pieces of an upload right now. */
interface Sender {
  readonly isOver: Promise<void>
  stop(): void
}

/** Files that are sent in pieces and continue after whatever cut them off: tus 1.0, core with creation, expiration and termination. */
export const uploads: Resource = async (server, parts) => {
  const { app, clock, closing, onTrouble } = parts
  const { collections, quotas, callerOf } = app.people
  const senders = new Map<string, Sender>()
  // The handler reads it itself, as it comes.
  server.addContentTypeParser(offsets, async () => undefined)
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'tus-resumable': VERSION, 'tus-version': VERSION })
    assertVersion(request)
  })
  const sweep = (): void => {
    cancel = clock.timer(SWEEP_MS, sweep)
    void Promise.all([app.uploads.sweep(), sweepLeftOver()]).catch((thrown) => onTrouble(toTuttiError(thrown)))
  }
  let cancel = clock.timer(0, sweep)
  closing.addEventListener('abort', () => cancel(), { once: true })

  server.options(
    '/uploads',
    { config: { access: 'public' }, schema: { tags, summary: 'What of tus is spoken', response: { 204: z.null() } } },
    async (_request, reply) => {
      reply.headers({ 'tus-extension': 'creation,expiration,termination', 'tus-max-size': DEFAULT_LIMITS.fileBytes })
      return reply.code(204).send(null)
    },
  )
  server.post(
    '/uploads',
    {
      config: {
        ...write,
        repeated: 'itself',
        stands: ({ caller }, { uploadId }: { uploadId: string }) => app.uploads.of(caller.userId, uploadId),
      },
      schema: {
        tags,
        summary:
          'Begin to send a file in pieces (tus 1.0). Headers: `Upload-Length`, and `Upload-Metadata` with filename, and perhaps fingerprint and collection',
        response: { 201: uploadSchema },
      },
    },
    async (request, reply) => {
      const { caller, headers } = request
      const asked = () => [headers['upload-length'], headers['upload-metadata']]
      if (await answerOnce(parts, request, reply, asked)) return reply
      const bytes = numberOf(request, 'upload-length')
      const { filename = '', fingerprint, collection } = metadataOf(request)
      const name = baseName(filename)
      if (bytes > DEFAULT_LIMITS.fileBytes)
        throw new TuttiError(
          'TooLarge',
          `${name} is larger than ${DEFAULT_LIMITS.fileBytes / 1_000_000} MB, the most that is taken.`,
        )
      assertMayFit(name, bytes)
      const consumer = collection === undefined ? caller : await ownerOf(caller, collection)
      const about = {
        uploadId: randomUUID(),
        name,
        bytes,
        ...omitUndefined({ fingerprint, chargedTo: consumer?.userId }),
      }
      const begin = (): Promise<Upload> => app.uploads.begin(caller.userId, about)
      const begun = await (consumer === undefined ? begin() : quotas.storing(consumer, bytes, stored(consumer), begin))
      reply.header('location', `/uploads/${begun.uploadId}`)
      return told(reply.code(201), begun)
    },
  )
  server.get(
    '/uploads',
    {
      config: write,
      schema: {
        tags,
        summary: 'Files that the caller has begun to send',
        response: { 200: z.object({ items: z.array(uploadSchema) }) },
      },
    },
    async ({ caller }) => ({ items: (await app.uploads.list(caller.userId)).map(shown) }),
  )
  server.get(
    '/uploads/:uploadId',
    {
      config: write,
      schema: { tags, summary: 'How far it is; HEAD tells it, too', params, response: { 200: uploadSchema } },
    },
    async ({ caller: { userId }, method, params: { uploadId } }, reply) => {
      const upload = await app.uploads.of(userId, uploadId)
      if (method !== 'HEAD') return told(reply, upload)
      // Whoever asks so is about to continue: what a connection that broke off has brought is kept first.
      await stopSender(uploadId)
      return told(reply, await app.uploads.of(userId, uploadId))
    },
  )
  server.patch(
    '/uploads/:uploadId',
    {
      config: write,
      schema: {
        tags,
        consumes: [offsets],
        summary: 'Send what comes next; the header `Upload-Offset` says from where',
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { uploadId } = request.params
      // Another's is not stopped.
      await app.uploads.of(request.caller.userId, uploadId)
      await stopSender(uploadId)
      let isStopped = false
      const work = take(request, uploadId, () => isStopped || closing.aborted)
      const sender: Sender = {
        isOver: work.then(
          () => undefined,
          () => undefined,
        ),
        stop: () => {
          isStopped = true
          request.raw.destroy()
        },
      }
      senders.set(uploadId, sender)
      try {
        told(reply, await work)
        return await reply.code(204).send(null)
      } finally {
        if (senders.get(uploadId) === sender) senders.delete(uploadId)
      }
    },
  )
  server.delete(
    '/uploads/:uploadId',
    {
      config: write,
      schema: { tags, summary: 'Give it up', params, response: { 204: z.null() } },
    },
    async ({ caller: { userId }, params: { uploadId } }, reply) => {
      await app.uploads.of(userId, uploadId)
      await stopSender(uploadId)
      await app.uploads.remove(userId, uploadId)
      return reply.code(204).send(null)
    },
  )

  /** A connection that is dead may not be known to be so yet: whoever comes later is right. */
  const stopSender = async (uploadId: string): Promise<void> => {
    for (let sender = senders.get(uploadId); sender !== undefined; sender = senders.get(uploadId)) {
      sender.stop()
      await sender.isOver
      if (senders.get(uploadId) === sender) senders.delete(uploadId)
    }
  }

  /** Whose room a collection takes; nobody's for the installation's. */
  const ownerOf = async (caller: Caller, collectionId: string): Promise<Caller | undefined> => {
    const { owner } = await collections.find(caller, collectionId, 'edit')
    return owner === undefined ? undefined : callerOf(owner)
  }
  const stored =
    ({ userId }: Caller) =>
    async (): Promise<number> =>
      (await storedBytes(app.knowledge, userId)) + (await app.uploads.pending(userId))

  /** Keeps what comes, piece by piece; also the last of a connection that breaks off. */
  const take = async (request: FastifyRequest, uploadId: string, isOver: () => boolean): Promise<Upload> => {
    const { userId } = request.caller
    let upload = await app.uploads.of(userId, uploadId)
    const from = numberOf(request, 'upload-offset')
    if (from !== upload.received) throw elsewhere(upload.received)
    for await (const piece of bodyChunks(request.raw, upload.bytes - from)) {
      if (isOver()) throw elsewhere(upload.received)
      await request.admit()
      const added = await app.uploads.add(userId, uploadId, upload.received, piece)
      if (added === undefined) throw elsewhere((await app.uploads.of(userId, uploadId)).received)
      upload = added
    }
    return upload
  }
}

function elsewhere(received: number): Error {
  return tusError(409, `The next piece begins at ${received}; ask for the upload and go on from there.`)
}

function shown({ owner: _owner, expiresAt, ...about }: Upload) {
  return { ...about, expiresAt: iso(expiresAt) }
}

/** The same in headers, as tus has it. */
function told(reply: FastifyReply, upload: Upload) {
  const { received, bytes, expiresAt } = upload
  reply.headers({
    'upload-offset': received,
    'upload-length': bytes,
    'upload-expires': new Date(expiresAt).toUTCString(),
  })
  return shown(upload)
}
