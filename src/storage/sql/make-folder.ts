import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and its missing parents, readable by this user only, because the log contains users' questions. One
 * level at a time, since Node's own recursive `mkdir` does not return for a folder such as `/proc/x` that cannot be
 * made.
 * @throws the file system's own error
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = []
  for (let folder = path; !(await pathExists(folder)); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) {
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error // another process was quicker
    })
  }
}

async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && dirname(path) !== path) return false
      throw error
    },
  )
}
