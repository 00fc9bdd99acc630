import { workerData } from 'node:worker_threads'
import type { Watch } from './end-with-parent.ts'

/** Runs in a thread, since the main thread may be blocked for ever. */
const { everyMs, residentMb, parent } = workerData as Watch
setInterval(() => {
  const isTooLarge = residentMb !== undefined && process.memoryUsage.rss() > residentMb * 1024 * 1024
  if (isTooLarge || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, everyMs)
