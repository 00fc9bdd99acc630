import { stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { TuttiError } from '../../domain/errors.ts'
import { EXTENSIONS, extensionOf, isUnreadable, UNREADABLE_EXTENSIONS } from '../parsing/detect.ts'

/** A file that is to be added. */
export interface FoundFile {
  /** In full. */
  readonly path: string
  /** Its name for readers: its path inside the folder that was named, else its own name. */
  readonly name: string
  /** A document that cannot be read, which nobody named on its own. */
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
 * The files that paths, folders and patterns name, each once, in order. Of folders and patterns only documents, those of a
 * kind that cannot be read as skipped, none that are hidden, and no links: they may lead anywhere.
 * @param cwd what relative paths start from
 * @throws TuttiError `SourceNotFound` for a path that is not there
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

/** The files in folders that are named which are no documents at all, such as pictures; none of them is looked into. */
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

/** A file outside of the working folder goes by its own name. */
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

/** The folder that a pattern starts from. */
export function staticPart(pattern: string): string {
  const parts = pattern.split('/')
  const first = parts.findIndex((part) => isDynamicPattern(part))
  return parts.slice(0, Math.max(0, first)).join('/') || (pattern.startsWith('/') ? '/' : '.')
}
