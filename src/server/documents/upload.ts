import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyHeaders } from '@fastify/busboy'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app/user-app.ts'
import { systemClock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Owner } from '../../domain/events.ts'
import { hashFile } from '../../documents/ingest/hash.ts'
import { DEFAULT_LIMITS } from '../../documents/parsing/limits.ts'
import { answerOnce } from '../idempotency.ts'
import type { ServerParts } from '../context.ts'
import { id } from '../schemas.ts'
import { storedBytes } from '../../app/run-documents.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Knowledge } from '../../documents/documents.ts'
import type { DocumentRecord } from '../../documents/types.ts'

/** A received file, stored on disk. */
export interface SentFile {
  readonly name: string
  readonly bytes: number
  /** Path of the temporary file. */
  readonly at: string
  /** The resumable upload that it came from. */
  readonly uploadId?: string
}

/** Properties that identify the files, for the idempotency hash. */
function fileFingerprints(files: readonly SentFile[]): Promise<unknown> {
  return Promise.all(files.map(async ({ name, at, bytes }) => [name, await hashFile({ at, length: bytes })]))
}

const MAX_NAME_CHARS = 200
const MAX_FILES = 50
const FOLDER = 'tutti-upload-'
/** Longer than any request takes. */
const LEFT_OVER_MS = 24 * 3_600_000

/** The body that names completed uploads of the caller, instead of a form with files. */
export const uploadsBody = z
  .strictObject({
    uploads: z.array(id).min(1).max(MAX_FILES).describe('IDs of completed `/uploads`; they are deleted afterwards'),
  })
  // Fastify passes no body for a form.
  .nullish()
  .describe('Or the files as a form')

/**
 * Receives the files of a request. They are written to disk as they arrive, so that large or slow uploads take no
 * memory. The work starts when all have arrived; afterwards the files are deleted.
 * @returns undefined if the request is a repetition, and the stored response was sent
 * @throws TuttiError `InvalidRequest` for an incomplete form, one without files, or an incomplete upload; `TooLarge`
 */
export async function receiveFiles<T>(
  parts: Pick<ServerParts, 'app' | 'closing'>,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (files: readonly SentFile[]) => Promise<T>,
): Promise<T | undefined> {
  const named = (request.body as z.infer<typeof uploadsBody>)?.uploads
  if (named !== undefined && (await answerOnce(parts, request, reply, () => named))) return undefined
  const folder = await mkdtemp(join(tmpdir(), FOLDER))
  try {
    if (named !== undefined)
      return await readUploads(parts.app, request.caller.userId, [...new Set(named)], folder, work)
    const files = await filesOf(request.raw, folder)
    await request.admit()
    if (files.length === 0) throw new TuttiError('InvalidRequest', 'Send at least one file as multipart/form-data.')
    if (await answerOnce(parts, request, reply, () => fileFingerprints(files))) return undefined
    return await work(files)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readUploads<T>(
  { uploads }: App,
  owner: Owner,
  ids: readonly string[],
  folder: string,
  work: (files: readonly SentFile[]) => Promise<T>,
): Promise<T> {
  const files: SentFile[] = []
  for (const [i, uploadId] of ids.entries()) {
    const { name, bytes, received } = await uploads.get(owner, uploadId)
    if (received < bytes)
      throw new TuttiError(
        'InvalidRequest',
        `${name} is incomplete: ${bytes - received} bytes are missing. Send them first.`,
      )
    const at = join(folder, String(i))
    await pipeline(uploads.read(owner, uploadId), createWriteStream(at, { mode: 0o600 }))
    files.push({ name, bytes, at, uploadId })
  }
  const done = await work(files)
  for (const uploadId of ids) await uploads.remove(owner, uploadId)
  return done
}

/** Removes temporary files left by a server that was killed. */
export async function sweepLeftOver(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(FOLDER))
  for (const path of names.map((name) => join(tmpdir(), name))) {
    // Other users of this machine may have such folders, too. File times use the clock of the machine.
    const old = await stat(path).then(
      ({ mtimeMs }) => systemClock.now() - mtimeMs > LEFT_OVER_MS,
      () => false,
    )
    if (old) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function filesOf(request: IncomingMessage, folder: string): Promise<readonly SentFile[]> {
  const { Busboy } = await import('@fastify/busboy')
  const files: Omit<SentFile, 'bytes'>[] = []
  const streams: Readable[] = []
  const written: Promise<void>[] = []
  const limitErrors: string[] = []
  try {
    const form = new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fileSize: DEFAULT_LIMITS.fileBytes, files: MAX_FILES, fields: 0, parts: MAX_FILES + 1 },
    })
    // Attach the handlers of each file immediately: an error that occurs before is lost.
    form.on('file', (_field, stream, filename) => {
      const path = join(folder, randomUUID())
      // Browsers escape these characters, and no others, in a file name of a form.
      const name = baseName(filename.replaceAll('%22', '"').replaceAll(/%0[DA]/g, ''))
      files.push({ name, at: path })
      stream.on('limit', () => {
        limitErrors.push(`${name} is larger than ${DEFAULT_LIMITS.fileBytes / 1_000_000} MB, the maximum.`)
      })
      streams.push(stream)
      const writing = pipeline(stream, createWriteStream(path, { mode: 0o600 }))
      writing.catch((error: Error) => form.destroy(error))
      written.push(writing)
    })
    form.on('filesLimit', () =>
      limitErrors.push(`These are more than ${MAX_FILES} files; send them in several requests.`),
    )
    await pipeline(request, form).catch((error: unknown) => {
      for (const stream of streams) stream.destroy()
      throw error
    })
    await Promise.all(written)
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw thrown
    const why = message.replace(/\.$/, '')
    throw new TuttiError('InvalidRequest', `The multipart/form-data body is not valid: ${why}.`, { cause: thrown })
  } finally {
    await Promise.allSettled(written)
  }
  if (limitErrors.length > 0) throw new TuttiError('TooLarge', limitErrors[0]!)
  return Promise.all(files.map(async (file) => ({ ...file, bytes: (await stat(file.at)).size })))
}

/** The file name without folders: some browsers send a path. */
export function baseName(given: string): string {
  const name = basename(given.replaceAll('\\', '/'))
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
  // The cut may split a surrogate pair.
  return name.slice(-MAX_NAME_CHARS).replaceAll(/\p{Cs}/gu, '') || 'document'
}

export interface Added {
  readonly name: string
  readonly status: 'added' | 'unchanged' | 'failed'
  readonly document?: DocumentRecord
  /** Why it failed, and what to do. */
  readonly failure?: TuttiError
}

interface Addition {
  readonly ingest: Knowledge['ingest']
  readonly owner: Owner
  readonly files: readonly SentFile[]
  /** User who sent the file; reading takes turns between users. */
  readonly by: Owner
}

/** Errors that concern one file and do not stop the others. */
const OF_ONE_FILE = ['DocumentError', 'LimitReached', 'TooLarge'] as const

/**
 * Adds files one after the other, within the storage quota of the consumer. A failure does not stop the others.
 * @param consumer user whose quota applies; without one there is no limit
 */
export async function addAll(
  app: App,
  consumer: Caller | undefined,
  { ingest, owner, files, by }: Addition,
): Promise<Added[]> {
  const added: Added[] = []
  const taken = files.flatMap(({ uploadId }) => uploadId ?? [])
  for (const { name, bytes, at } of files) {
    /** Bytes stored already, without a document that this one replaces, and including open uploads. */
    const otherBytes = (userId: Owner) => async (): Promise<number> => {
      const isReplaced = (one: DocumentRecord, documentOwner: Owner): boolean =>
        documentOwner === owner && one.path === undefined && one.name === name
      const stored = await storedBytes(app.knowledge, userId, isReplaced)
      return stored + (await app.uploads.pending(userId, taken))
    }
    try {
      const add = () => ingest.add(owner, { name, bytes: { at, length: bytes } }, { by })
      const { record, isNew } = await (consumer === undefined
        ? add()
        : app.people.quotas.runWithinQuota(consumer, bytes, otherBytes(consumer.userId), add))
      added.push({ name, status: isNew ? 'added' : 'unchanged', document: record })
    } catch (thrown) {
      if (!OF_ONE_FILE.some((code) => TuttiError.is(thrown, code))) throw thrown
      added.push({ name, status: 'failed', failure: thrown as TuttiError })
    }
  }
  return added
}
