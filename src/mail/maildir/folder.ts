import { mkdir, open, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mailError } from '../errors.ts'
import { MAX_MAIL_BYTES } from '../read-mail.ts'

/** One mail of a Maildir folder. */
export interface MaildirEntry {
  /** The part of the file name that never changes. */
  readonly unique: string
  readonly path: string
  /** Milliseconds since the epoch at which it was delivered. */
  readonly deliveredAt: number
}

/** The mails of a folder, newest first. A folder that is not there is empty. */
export async function listMaildir(folder: string): Promise<MaildirEntry[]> {
  const parts = await Promise.all(['cur', 'new'].map((part) => entriesOf(join(folder, part))))
  return parts.flat().sort((a, b) => b.deliveredAt - a.deliveredAt || (a.unique < b.unique ? 1 : -1))
}

async function entriesOf(folder: string): Promise<MaildirEntry[]> {
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw thrown
  }
  const visible = names.filter((name) => !name.startsWith('.'))
  return Promise.all(
    visible.map(async (name) => {
      const path = join(folder, name)
      const seconds = Number(/^(\d{9,11})\./.exec(name)?.[1] ?? Number.NaN)
      const deliveredAt = Number.isNaN(seconds) ? (await stat(path)).mtimeMs : seconds * 1000
      return { unique: name.split(':', 1)[0]!, path, deliveredAt }
    }),
  )
}

/** The beginning of a mail, up to the size that is read at most. */
export async function readEntry({ path }: MaildirEntry): Promise<Buffer> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, MAX_MAIL_BYTES)))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Writes a mail as Maildir requires: to `tmp`, then moved, so that no reader sees a partial mail. A mail with the same
 * name is replaced.
 * @param flags letters such as `S` (seen) and `D` (draft), in alphabetical order
 */
export async function writeEntry(folder: string, unique: string, raw: Buffer, flags: string): Promise<void> {
  try {
    await Promise.all(['cur', 'new', 'tmp'].map((part) => mkdir(join(folder, part), { recursive: true })))
    const draft = join(folder, 'tmp', unique)
    await writeFile(draft, raw, { flush: true })
    await rename(draft, join(folder, 'cur', `${unique}:2,${flags}`))
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw mailError(`The local mailbox ${folder} cannot be written: ${reason}.`, { cause: thrown })
  }
}
