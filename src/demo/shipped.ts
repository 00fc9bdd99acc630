import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The documents of the demo. They are part of the package, since making them takes libraries that nothing else here needs: `npm run demo:documents`. */
export const SHIPPED = join(import.meta.dirname, '..', '..', 'assets', 'demo-documents')

/**
 * Hashes of each of them, by which unchanged ones are found among added documents. None where the package came without.
 * @param hashOf as documents are hashed when they are added
 */
export async function shippedHashes(hashOf: (bytes: Buffer) => Promise<string>): Promise<ReadonlySet<string>> {
  const names = await readdir(SHIPPED).catch(() => [])
  return new Set(await Promise.all(names.map(async (name) => hashOf(await readFile(join(SHIPPED, name))))))
}
