import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyHeaders } from '@fastify/busboy'
import { TuttiError } from '../../core/errors.ts'
import { DEFAULT_LIMITS } from '../../knowledge/parsing/limits.ts'

/** A file that was sent, as it lies on disk. */
export interface SentFile {
  readonly name: string
  readonly bytes: number
  read(): Promise<Buffer>
}

const LONGEST_NAME = 200
const MOST_FILES = 50

/**
 * Writes the files of a form to disk as they come, so that a large one takes no memory while its sender is slow, and hands
 * on all of them when the last is there. They are gone when the work is done.
 * @throws TuttiError `InvalidRequest` for what is no whole form with files in it; `TooLarge`
 */
export async function takeIn<T>(
  request: IncomingMessage,
  work: (files: readonly SentFile[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-upload-'))
  try {
    const files = await filesOf(request, folder)
    if (files.length === 0) throw new TuttiError('InvalidRequest', 'Send at least one file, as multipart/form-data.')
    return await work(files)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function filesOf(request: IncomingMessage, folder: string): Promise<readonly SentFile[]> {
  const { Busboy } = await import('@fastify/busboy')
  const files: Pick<SentFile, 'name' | 'read'>[] = []
  const paths: string[] = []
  const streams: Readable[] = []
  const written: Promise<void>[] = []
  const tooMuch: string[] = []
  try {
    const form = new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fileSize: DEFAULT_LIMITS.fileBytes, files: MOST_FILES, fields: 0, parts: MOST_FILES + 1 },
    })
    // Each is taken at once: what goes wrong with one that nobody reads yet is told to nobody.
    form.on('file', (_field, stream, filename) => {
      const path = join(folder, randomUUID())
      const name = nameOf(filename)
      files.push({ name, read: () => readFile(path) })
      paths.push(path)
      stream.on('limit', () => {
        tooMuch.push(`${name} is larger than ${DEFAULT_LIMITS.fileBytes / 1_000_000} MB, the most that is taken.`)
      })
      streams.push(stream)
      const writing = pipeline(stream, createWriteStream(path, { mode: 0o600 }))
      writing.catch((error: Error) => form.destroy(error))
      written.push(writing)
    })
    form.on('filesLimit', () => tooMuch.push(`These are more than ${MOST_FILES} files; send them in several requests.`))
    await pipeline(request, form).catch((error: unknown) => {
      for (const stream of streams) stream.destroy()
      throw error
    })
    await Promise.all(written)
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw thrown
    const why = message.replace(/\.$/, '')
    throw new TuttiError('InvalidRequest', `This is no whole multipart/form-data: ${why}.`, { cause: thrown })
  } finally {
    await Promise.allSettled(written)
  }
  if (tooMuch.length > 0) throw new TuttiError('TooLarge', tooMuch[0]!)
  return Promise.all(files.map(async (file, i) => ({ ...file, bytes: (await stat(paths[i]!)).size })))
}

/** The name alone: what browsers send may be a path of their own machine. */
function nameOf(given: string): string {
  const name = basename(given.replaceAll('\\', '/'))
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
  return name.slice(-LONGEST_NAME) || 'document'
}
