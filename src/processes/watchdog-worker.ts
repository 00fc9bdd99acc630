import { workerData } from 'node:worker_threads'
import type { Watch } from './watchdog.ts'

/** A thread, since the work may keep the main one busy for ever. */
const { everyMs, residentMb, parent } = workerData as Watch
setInterval(() => {
  const isTooLarge = residentMb !== undefined && process.memoryUsage.rss() > residentMb * 1024 * 1024
  if (isTooLarge || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, everyMs)
