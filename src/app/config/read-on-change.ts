import { stat } from 'node:fs/promises'

/**
 * Calls `read` whenever one of the files was changed, created or deleted since the last call.
 * @param files checked each time
 */
export function readOnChange<T>(
  files: () => Promise<readonly string[]>,
  read: () => Promise<T>,
): () => Promise<T | undefined> {
  const versions = async (): Promise<string> => JSON.stringify(await Promise.all((await files()).map(fileVersion)))
  let before = versions()
  return async () => {
    const now = versions()
    if ((await now) === (await before)) return undefined
    // Also for an invalid file, which is then reported once.
    before = now
    return read()
  }
}

async function fileVersion(file: string): Promise<readonly unknown[]> {
  const stats = await stat(file).catch(() => undefined)
  return [file, stats?.mtimeMs, stats?.size, stats?.ino]
}
