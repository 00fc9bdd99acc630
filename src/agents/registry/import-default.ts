import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { TuttiError } from '../../domain/errors.ts'

/**
 * Imports a module of the user and returns its default export.
 * @throws TuttiError `ConfigurationError` naming the file and why it cannot be loaded
 */
export async function importDefault(path: string): Promise<unknown> {
  try {
    if ((await stat(path)).isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' })
    const loaded = (await import(pathToFileURL(path).href)) as { default?: unknown }
    if (loaded.default === undefined) throw new Error('it has no default export')
    return loaded.default
  } catch (thrown) {
    throw unreadable(path, thrown)
  }
}

/** The same in words. */
export function unreadable(path: string, thrown: unknown): TuttiError {
  return new TuttiError('ConfigurationError', `${path} cannot be read: ${reasonOf(path, thrown)}.`, { cause: thrown })
}

function reasonOf(path: string, thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'EISDIR') return 'it is a directory'
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.m?ts$/.test(path)) {
    return 'this Node.js does not run TypeScript; use Node.js 22.18 or newer, or write it as JavaScript (.mjs)'
  }
  return message.split('\n', 1)[0]!.replace(/\.$/, '')
}
