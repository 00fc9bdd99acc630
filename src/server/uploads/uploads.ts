import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { storedBytes } from '../../app/run-documents.ts'
import type { Caller } from '../../domain/caller.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { DEFAULT_LIMITS } from '../../documents/parsing/limits.ts'
import { assertMayFit } from '../../documents/parsing/detect.ts'
import type { Upload } from '../../accounts/uploads.ts'
import { baseName, sweepLeftOver } from '../documents/upload.ts'
import { answerOnce } from '../idempotency.ts'
import type { Resource } from '../context.ts'
import { time, itemsSchema } from '../schemas.ts'
import { assertVersion, metadataOf, numberOf, bodyChunks, tusError, VERSION } from './tus.ts'

const uploadSchema = z
  .object({
    uploadId: z.string(),
    name: z.string(),
    bytes: z.number().int().describe('Size of the whole file'),
    received: z.number().int().describe('Bytes received so far; continue from this offset'),
    fingerprint: z.string().optional().describe('As given when the upload was created'),
    expiresAt: time.describe('When it is deleted unless more bytes arrive'),
  })
  .meta({ id: 'Upload' })
const SWEEP_MS = 3_600_000
const offsets = 'application/offset+octet-stream'

/** A request that is sending bytes of an upload. */
interface Sender {
  readonly isOver: Promise<void>
  stop(): void
}

/** Resumable uploads: tus 1.0, core with creation, expiration and termination. */
export const uploads: Resource = async (routes, parts) => {
  const { app, clock, closing, onTrouble } = parts
  const { collections, quotas, callerOf } = app.people
  const senders = new Map<string, Sender>()
  // The handler reads the body as a stream.
  routes.server.addContentTypeParser(offsets, async () => undefined)
  routes.server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'tus-resumable': VERSION, 'tus-version': VERSION })
    assertVersion(request)
  })
  const sweep = (): void => {
    cancel = clock.timer(SWEEP_MS, sweep)
    void Promise.all([app.uploads.sweep(), sweepLeftOver()]).catch((thrown) => onTrouble(toTuttiError(thrown)))
  }
  let cancel = clock.timer(0, sweep)
  closing.addEventListener('abort', () => cancel(), { once: true })

  routes.options('/uploads', { access: 'public', summary: 'Supported tus extensions' }, async (_request, reply) => {
    reply.headers({ 'tus-extension': 'creation,expiration,termination', 'tus-max-size': DEFAULT_LIMITS.fileBytes })
  })
  routes.post(
    '/uploads',
    {
      access: 'documents',
      summary:
        'Create a resumable upload (tus 1.0). Headers: `Upload-Length`, and `Upload-Metadata` with filename and, optionally, fingerprint and collection',
      idempotency: 'own',
      resultExists: ({ caller }, { uploadId }: { uploadId: string }) => app.uploads.get(caller.userId, uploadId),
      response: { 201: uploadSchema },
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
          `${name} is larger than ${DEFAULT_LIMITS.fileBytes / 1_000_000} MB, the maximum.`,
        )
      assertMayFit(name, bytes)
      const consumer = collection === undefined ? caller : await ownerOf(caller, collection)
      const details = {
        uploadId: randomUUID(),
        name,
        bytes,
        ...omitUndefined({ fingerprint, chargedTo: consumer?.userId }),
      }
      const begin = (): Promise<Upload> => app.uploads.begin(caller.userId, details)
      const begun = await (consumer === undefined
        ? begin()
        : quotas.runWithinQuota(consumer, bytes, stored(consumer), begin))
      reply.header('location', `/uploads/${begun.uploadId}`)
      return sendUpload(reply, begun)
    },
  )
  routes.get(
    '/uploads',
    { access: 'documents', summary: 'Open uploads of the caller', response: itemsSchema(uploadSchema) },
    async ({ caller }) => ({ items: await app.uploads.list(caller.userId) }),
  )
  routes.get(
    '/uploads/:uploadId',
    { access: 'documents', summary: 'State of an upload; also available with HEAD', response: uploadSchema },
    async ({ caller: { userId }, method, params: { uploadId } }, reply) => {
      const upload = await app.uploads.get(userId, uploadId)
      if (method !== 'HEAD') return sendUpload(reply, upload)
      // The client is about to resume. Stop the previous connection first, so that its bytes are stored and counted.
      await stopSender(uploadId)
      return sendUpload(reply, await app.uploads.get(userId, uploadId))
    },
  )
  routes.patch(
    '/uploads/:uploadId',
    {
      access: 'documents',
      summary: 'Send the next bytes; the header `Upload-Offset` is their offset',
      consumes: [offsets],
    },
    async (request, reply) => {
      const { uploadId } = request.params
      // Check ownership before stopping a sender.
      await app.uploads.get(request.caller.userId, uploadId)
      await stopSender(uploadId)
      let isStopped = false
      const work = storeBody(request, uploadId, () => isStopped || closing.aborted)
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
        sendUpload(reply, await work)
      } finally {
        if (senders.get(uploadId) === sender) senders.delete(uploadId)
      }
    },
  )
  routes.delete(
    '/uploads/:uploadId',
    { access: 'documents', summary: 'Cancel an upload' },
    async ({ caller: { userId }, params: { uploadId } }) => {
      await app.uploads.get(userId, uploadId)
      await stopSender(uploadId)
      await app.uploads.remove(userId, uploadId)
    },
  )

  /**
   * Stops the previous sender of an upload: its connection may be dead without the server having noticed, so the latest
   * request wins.
   */
  const stopSender = async (uploadId: string): Promise<void> => {
    for (let sender = senders.get(uploadId); sender !== undefined; sender = senders.get(uploadId)) {
      sender.stop()
      await sender.isOver
      if (senders.get(uploadId) === sender) senders.delete(uploadId)
    }
  }

  /** The user whose quota a collection counts towards; undefined for collections of the installation. */
  const ownerOf = async (caller: Caller, collectionId: string): Promise<Caller | undefined> => {
    const { owner } = await collections.find(caller, collectionId, 'edit')
    return owner === undefined ? undefined : callerOf(owner)
  }
  const stored =
    ({ userId }: Caller) =>
    async (): Promise<number> =>
      (await storedBytes(app.knowledge, userId)) + (await app.uploads.pending(userId))

  /** Stores the body piece by piece, including the bytes received before a connection breaks. */
  const storeBody = async (request: FastifyRequest, uploadId: string, isOver: () => boolean): Promise<Upload> => {
    const { userId } = request.caller
    let upload = await app.uploads.get(userId, uploadId)
    const from = numberOf(request, 'upload-offset')
    if (from !== upload.received) throw offsetConflict(upload.received)
    for await (const piece of bodyChunks(request.raw, upload.bytes - from)) {
      if (isOver()) throw offsetConflict(upload.received)
      await request.admit()
      const added = await app.uploads.add(userId, uploadId, upload.received, piece)
      if (added === undefined) throw offsetConflict((await app.uploads.get(userId, uploadId)).received)
      upload = added
    }
    return upload
  }
}

function offsetConflict(received: number): Error {
  return tusError(409, `The next offset is ${received}; ask for the upload and continue from there.`)
}

/** The same as tus headers. */
function sendUpload(reply: FastifyReply, upload: Upload) {
  const { received, bytes, expiresAt } = upload
  reply.headers({
    'upload-offset': received,
    'upload-length': bytes,
    'upload-expires': new Date(expiresAt).toUTCString(),
  })
  return upload
}
