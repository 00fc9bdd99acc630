import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { glob } from 'tinyglobby'
import { TuttiError } from '../../domain/errors.ts'
import { EXTENSIONS, extensionOf } from '../parsing/detect.ts'

/** A file to add. */
export interface FoundFile {
  /** Absolute path. */
  readonly path: string
  /** Display name: the path inside the given folder, else the file name. */
  readonly name: string
}

const KNOWN_FILES = `**/*.{${EXTENSIONS.join(',')}}`
const OPTIONS = {
  dot: false,
  ignore: ['**/node_modules/**'],
  caseSensitiveMatch: false,
  followSymbolicLinks: false,
  expandDirectories: false,
} as const

/**
 * Finds the files of paths and folders, each once, in order. Folders yield only files of supported types. Hidden files
 * and links are left out: a link may lead anywhere.
 * @param cwd base of relative paths
 * @throws TuttiError `SourceNotFound` for a path that does not exist
 */
export async function findFiles(given: readonly string[], cwd: string): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const text of given)
    for (const file of await filesOf(text, cwd)) if (!found.has(file.path)) found.set(file.path, file)
  return [...found.values()]
}

async function filesOf(text: string, cwd: string): Promise<readonly FoundFile[]> {
  const path = resolve(cwd, text)
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isFile() === true) return [{ path, name: basename(path) }]
  if (stats?.isDirectory() === true) {
    const names = await glob(KNOWN_FILES, { ...OPTIONS, cwd: path })
    return names.toSorted().map((name) => ({ path: join(path, name), name }))
  }
  throw new TuttiError('SourceNotFound', `There is no file or folder ${text}.`)
}

/** Finds the files in the given folders that have no supported type. They are not opened. */
export async function otherFiles(given: readonly string[], cwd: string): Promise<readonly string[]> {
  const names = await Promise.all(
    given.map(async (text) => {
      const path = resolve(cwd, text)
      const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true
      return isFolder ? glob('**/*', { ...OPTIONS, cwd: path }) : []
    }),
  )
  return names.flat().filter((name) => !EXTENSIONS.includes(extensionOf(name)))
}
