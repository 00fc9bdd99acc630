import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEMO_ASSETS, DEMO_DOCUMENTS_NAME } from './copy.ts'

/** The documents of the demo. */
export const SHIPPED = join(DEMO_ASSETS, DEMO_DOCUMENTS_NAME)

/**
 * Hashes of each of them, by which unchanged ones are found among added documents. None where the package came without.
 * @param hashOf as documents are hashed when they are added
 */
export async function shippedHashes(hashOf: (bytes: Buffer) => Promise<string>): Promise<ReadonlySet<string>> {
  const names = await readdir(SHIPPED).catch(() => [])
  return new Set(await Promise.all(names.map(async (name) => hashOf(await readFile(join(SHIPPED, name))))))
}
