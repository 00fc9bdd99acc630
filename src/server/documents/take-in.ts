import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import { TuttiError } from '../../core/errors.ts'
import { DEFAULT_LIMITS } from '../../knowledge/parsing/limits.ts'

/** A file that was sent, as it lies on disk. */
export interface SentFile {
  readonly name: string
  read(): Promise<Buffer>
}

const LONGEST_NAME = 200

/**
 * Writes files to disk as they come, so that a large one takes no memory while its sender is slow, and hands on all of them when
 * the last is there. They are gone when the work is done.
 * @throws TuttiError `TooLarge`, `InvalidRequest` when there is none
 */
export async function takeIn<T>(
  parts: AsyncIterable<MultipartFile>,
  work: (files: readonly SentFile[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-upload-'))
  try {
    const files: SentFile[] = []
    for await (const { file, filename } of parts) {
      const path = join(folder, randomUUID())
      await pipeline(file, createWriteStream(path, { mode: 0o600 }))
      if (file.truncated) {
        const most = Math.round(DEFAULT_LIMITS.fileBytes / 1_000_000)
        throw new TuttiError('TooLarge', `${nameOf(filename)} is larger than ${most} MB, the most that is taken.`)
      }
      files.push({ name: nameOf(filename), read: () => readFile(path) })
    }
    if (files.length === 0) throw new TuttiError('InvalidRequest', 'Send at least one file, as multipart/form-data.')
    return await work(files)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The name alone: what browsers send may be a path of their own machine. */
function nameOf(given: string): string {
  const name = basename(given.replaceAll('\\', '/'))
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
  return name.slice(-LONGEST_NAME) || 'document'
}
