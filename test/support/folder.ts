import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder. `close` deletes it. */
export async function createFolder(): Promise<{ readonly path: string; close(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'tutti-test-')))
  return { path, close: () => rm(path, { recursive: true, force: true }) }
}
