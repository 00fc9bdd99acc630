import { chmod, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { BACKUP_CONTENT } from '../storage/backup.ts'

/** Tutti's files in a data folder, including those next to its databases. Other files belong to the user. */
const isOwnFile = (name: string): boolean =>
  [...BACKUP_CONTENT, 'cache'].includes(name.replace(/(?<=\.db)-\w+$/, '')) || name.startsWith('replaced-')

/** A folder with one of these is Tutti's: many a project has a folder named `cache`. */
const MARKS = ['tutti.db', 'knowledge.db', 'secret.key']

/**
 * Removes other users' access to an existing data folder and Tutti's files in it. If the folder was accessible before,
 * all files are processed, otherwise those at its top level. Files of other users, shared folders such as /tmp and
 * folders that are not Tutti's are not changed.
 */
export async function keepPrivate(named: string): Promise<void> {
  const folder = await realpath(named).catch(() => named)
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory() !== true || process.platform === 'win32') return
  const home = await realpath(homedir()).catch(() => undefined)
  if ((found.mode & 0o1000) !== 0 || folder === home || folder === resolve('/')) return
  const names = await readdir(folder)
  if (names.length > 0 && !MARKS.some((name) => names.includes(name))) return
  const ours = names.filter(isOwnFile)
  const wasOpen = await removeAccess(folder)
  for (const path of ours.map((name) => join(folder, name))) {
    await removeAccess(path)
    const isFolder = wasOpen && (await lstat(path).catch(() => undefined))?.isDirectory() === true
    for (const name of isFolder ? await readdir(path, { recursive: true }) : []) await removeAccess(join(path, name))
  }
}

/** Whether others had a right to it. */
async function removeAccess(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  // A link may lead anywhere.
  const isOpen = found !== undefined && (found.isFile() || found.isDirectory()) && (found.mode & 0o077) !== 0
  if (isOpen) await chmod(path, found.mode & 0o700).catch(unlessForeign)
  return isOpen
}

function unlessForeign(error: NodeJS.ErrnoException): void {
  if (!['EPERM', 'EROFS', 'ENOENT'].includes(error.code ?? '')) throw error
}
