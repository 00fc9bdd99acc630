import { chmod, readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Takes a data folder that is there already away from other users: the folder 0700, the files 0600. All of it is gone
 * through when it was open before, else the files at its top. What belongs to another user, and a folder that many
 * share such as /tmp, is left as it is.
 */
export async function keepPrivate(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory() !== true || process.platform === 'win32') return
  if ((found.mode & 0o1000) !== 0 || folder === homedir() || folder === resolve('/')) return
  const wasOpen = (found.mode & 0o077) !== 0
  if (wasOpen) await chmod(folder, 0o700).catch(unlessForeign)
  const entries = await readdir(folder, { withFileTypes: true, recursive: wasOpen })
  for (const entry of entries) {
    // A link may lead anywhere.
    if (!entry.isFile() && !entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    const mode = (await stat(path).catch(() => undefined))?.mode ?? 0
    if ((mode & 0o077) !== 0) await chmod(path, entry.isDirectory() ? 0o700 : 0o600).catch(unlessForeign)
  }
}

function unlessForeign(error: NodeJS.ErrnoException): void {
  if (!['EPERM', 'EROFS', 'ENOENT'].includes(error.code ?? '')) throw error
}
