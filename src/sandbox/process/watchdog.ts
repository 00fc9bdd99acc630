import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Watch } from '../../processes/watchdog.ts'

const WATCH: Watch = { everyMs: 1000 }

/**
 * Ends the process when its parent is gone, where the kernel cannot be asked to.
 * @param program address that holds the watchdog, since files may be closed here
 */
export async function watchParent(program: string): Promise<void> {
  const watchdog = new Worker(new URL(program), { execArgv: [], workerData: WATCH })
  await once(watchdog, 'online')
  watchdog.unref()
}
