import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** What Tutti keeps in a data folder. Whatever else lies there is somebody's own. */
const OURS = /^(?:(?:tutti|knowledge|run-documents)\.db|secret\.key$|(?:artifacts|cache|mcp)$|replaced-)/

/**
 * Takes a data folder that is there already away from other users: the folder 0700, and Tutti's files in it 0600. All of
 * them are gone through when it was open before, else those at its top. What belongs to another user, and a folder that
 * many share such as /tmp or that holds nothing of Tutti's, is left as it is.
 */
export async function keepPrivate(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory() !== true || process.platform === 'win32') return
  if ((found.mode & 0o1000) !== 0 || folder === homedir() || folder === resolve('/')) return
  const names = await readdir(folder)
  const ours = names.filter((name) => OURS.test(name))
  if (names.length > 0 && ours.length === 0) return
  const wasOpen = await takeAway(folder)
  for (const path of ours.map((name) => join(folder, name))) {
    await takeAway(path)
    const isFolder = wasOpen && (await lstat(path).catch(() => undefined))?.isDirectory() === true
    for (const name of isFolder ? await readdir(path, { recursive: true }) : []) await takeAway(join(path, name))
  }
}

/** Whether others had a right to it. */
async function takeAway(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  // A link may lead anywhere.
  const isOpen = found !== undefined && (found.isFile() || found.isDirectory()) && (found.mode & 0o077) !== 0
  if (isOpen) await chmod(path, found.isDirectory() ? 0o700 : 0o600).catch(unlessForeign)
  return isOpen
}

function unlessForeign(error: NodeJS.ErrnoException): void {
  if (!['EPERM', 'EROFS', 'ENOENT'].includes(error.code ?? '')) throw error
}
