import { stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { TuttiError } from '../../domain/errors.ts'
import { EXTENSIONS, extensionOf, isUnreadable, UNREADABLE_EXTENSIONS } from '../parsing/detect.ts'

/** A file to add. */
export interface FoundFile {
  /** Absolute path. */
  readonly path: string
  /** Display name: the path inside the given folder, else the file name. */
  readonly name: string
  /** A document of an unsupported type that was not given by its own path. */
  readonly isSkipped?: true
}

const KNOWN = [...EXTENSIONS, ...UNREADABLE_EXTENSIONS]
const KNOWN_FILES = `**/*.{${KNOWN.join(',')}}`
const OPTIONS = {
  dot: false,
  ignore: ['**/node_modules/**'],
  caseSensitiveMatch: false,
  followSymbolicLinks: false,
  expandDirectories: false,
} as const

/**
 * Finds the files of paths, folders and patterns, each once, in order. Folders and patterns yield only documents, and
 * documents of an unsupported type as skipped. Hidden files and links are left out: a link may lead anywhere.
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
    return names.toSorted().map((name) => ({ path: join(path, name), name, ...skipped(name) }))
  }
  if (stats === undefined && isDynamicPattern(text)) return filesOfPattern(text, cwd)
  throw new TuttiError('SourceNotFound', `There is no file or folder ${text}.`)
}

/** Finds the files in the given folders that are not documents, such as pictures. They are not opened. */
export async function otherFiles(given: readonly string[], cwd: string): Promise<readonly string[]> {
  const names = await Promise.all(
    given.map(async (text) => {
      const path = resolve(cwd, text)
      const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true
      return isFolder ? glob('**/*', { ...OPTIONS, cwd: path }) : []
    }),
  )
  return names.flat().filter((name) => !KNOWN.includes(extensionOf(name)))
}

/** A file outside the working folder is named by its file name only. */
async function filesOfPattern(pattern: string, cwd: string): Promise<readonly FoundFile[]> {
  const paths = await glob(pattern, { ...OPTIONS, cwd, absolute: true })
  const readable = paths.filter((path) => KNOWN.includes(extensionOf(path))).toSorted()
  return readable.map((found) => {
    const path = resolve(found)
    const name = relative(cwd, path)
    return { path, name: name.startsWith('..') ? basename(path) : name, ...skipped(path) }
  })
}

function skipped(path: string): Pick<FoundFile, 'isSkipped'> {
  return isUnreadable(path) ? { isSkipped: true } : {}
}

/** The folder at which a pattern starts. */
export function staticPart(pattern: string): string {
  const parts = pattern.split('/')
  const first = parts.findIndex((part) => isDynamicPattern(part))
  return parts.slice(0, Math.max(0, first)).join('/') || (pattern.startsWith('/') ? '/' : '.')
}
