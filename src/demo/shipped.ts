import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The documents of the demo. They are part of the package, since making them takes libraries that nothing else here needs: `npm run demo:documents`. */
export const SHIPPED = join(import.meta.dirname, '..', '..', 'assets', 'demo-documents')

/** SHA-256 of each of them, in hex: what somebody has changed is theirs. None where the package came without. */
export async function shippedHashes(): Promise<ReadonlySet<string>> {
  const names = await readdir(SHIPPED).catch(() => [])
  const hashOf = async (name: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(join(SHIPPED, name)))
      .digest('hex')
  return new Set(await Promise.all(names.map(hashOf)))
}
