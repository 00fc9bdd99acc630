import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface FolderReport {
  readonly path: string
  readonly exists: boolean
  /** Why it cannot be used; absent when it can. */
  readonly problem?: string
}

/** Whether the data folder can be written, or made. Nothing is created to find out. */
export async function checkFolder(path: string): Promise<FolderReport> {
  let place = path
  for (;;) {
    const found = await stat(place).catch((error: NodeJS.ErrnoException) => error)
    if (!(found instanceof Error)) {
      const exists = place === path
      if (!found.isDirectory()) return { path, exists, problem: `${place} is not a folder` }
      return { path, exists, ...(await writeProblem(place)) }
    }
    const parent = dirname(place)
    const isMissing = found.code === 'ENOENT' || found.code === 'ENOTDIR'
    if (!isMissing || parent === place) return { path, exists: false, problem: `${place}: ${found.message}` }
    place = parent
  }
}

async function writeProblem(folder: string): Promise<{ problem?: string }> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return {}
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problem: `${folder} cannot be written (${code === 'EROFS' ? 'read-only file system' : code})` }
  }
}

export async function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Host and port without user and password; undefined for a file. */
export function hostAndPort(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  return new URL(url).host || undefined
}
