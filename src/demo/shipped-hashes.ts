import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEMO_ASSETS, DEMO_DOCUMENTS_NAME } from './copy.ts'

/** The documents of the demo. */
export const SHIPPED = join(DEMO_ASSETS, DEMO_DOCUMENTS_NAME)

/**
 * Hashes of the demo documents, which identify unchanged ones among added documents. Empty if the package does not
 * include them.
 * @param hashOf the hash function used when documents are added
 */
export async function shippedHashes(hashOf: (bytes: Buffer) => Promise<string>): Promise<ReadonlySet<string>> {
  const names = await readdir(SHIPPED).catch(() => [])
  return new Set(await Promise.all(names.map(async (name) => hashOf(await readFile(join(SHIPPED, name))))))
}
