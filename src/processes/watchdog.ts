import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { selfContained } from './program.ts'

/** What a watchdog looks at. */
export interface Watch {
  readonly everyMs: number
  /** What this process may take in all, buffers included; any when absent. */
  readonly residentMb?: number
}

/** Ends this process when its parent is gone or it takes too much memory, also in the middle of a call that never ends. */
export async function startWatchdog(watch: Watch): Promise<void> {
  const program = selfContained(new URL('./watchdog-worker.ts', import.meta.url))
  const watchdog = new Worker(program, { execArgv: [], workerData: watch })
  // It cannot come up any more once a call blocks this thread.
  await once(watchdog, 'online')
  watchdog.unref()
}
