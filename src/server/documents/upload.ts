import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyHeaders } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { systemClock } from '../../shared/clock.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import type { Owner } from '../../domain/events.ts'
import { DEFAULT_LIMITS } from '../../documents/parsing/limits.ts'
import type { Knowledge } from '../../documents/documents.ts'
import type { ServerParts } from '../context.ts'
import type { DocumentRecord } from '../../documents/types.ts'

/** A received file, stored on disk. */
export interface SentFile {
  readonly name: string
  readonly bytes: number
  /** Path of the temporary file. */
  readonly at: string
}

const MAX_NAME_CHARS = 200
const MAX_FILES = 50
const FOLDER = 'tutti-upload-'
/** Longer than any request takes. */
const LEFT_OVER_MS = 24 * 3_600_000

/** The form with the files. Fastify passes no body for it: the handler reads it as a stream. */
export const filesBody = z.object({ file: z.array(z.string().meta({ format: 'binary' })).max(MAX_FILES) }).nullish()

/**
 * Receives the files of a request. They are written to disk as they arrive, so that large or slow uploads take no
 * memory. The work starts when all have arrived; afterwards the files are deleted.
 * @throws TuttiError `InvalidRequest` for an incomplete form or one without files; `TooLarge`
 */
async function receiveFiles<T>(request: FastifyRequest, work: (files: readonly SentFile[]) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER))
  try {
    const files = await filesOf(request.raw, folder)
    await request.admit()
    if (files.length === 0) throw new TuttiError('InvalidRequest', 'Send at least one file as multipart/form-data.')
    return await work(files)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
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

/**
 * Adds the files of a request, one after the other: an unreadable file does not stop the others. Embedding continues in
 * the background, since full-text search works without vectors.
 * @param ownerOf returns whose documents they become; called when all files have arrived, which may take long
 * @throws TuttiError as `receiveFiles` does, or of the first file if none could be added
 */
export async function addFiles(
  request: FastifyRequest,
  { ingest, onError }: Pick<Knowledge, 'ingest'> & Pick<ServerParts, 'onError'>,
  ownerOf: () => Owner | Promise<Owner>,
): Promise<Added[]> {
  const { userId: by } = request.caller
  return receiveFiles(request, async (files) => {
    const owner = await ownerOf()
    const added: Added[] = []
    for (const { name, bytes, at } of files) {
      try {
        // Reading takes turns between users.
        const { record, isNew } = await ingest.add(owner, { name, bytes: { at, length: bytes } }, { by })
        added.push({ name, status: isNew ? 'added' : 'unchanged', document: record })
      } catch (thrown) {
        if (!TuttiError.is(thrown, 'DocumentError')) throw thrown
        added.push({ name, status: 'failed', failure: thrown })
      }
    }
    if (added.every(({ failure }) => failure !== undefined)) throw added[0]!.failure!
    void ingest.embedPending(owner).catch((thrown) => onError(toTuttiError(thrown)))
    return added
  })
}
