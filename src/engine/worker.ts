import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

const SEPARATOR = '/'

/** A name for one engine of this process, which tells others on the same machine whether the process still lives. */
export function workerName(): string {
  const startedAt = Math.round(performance.timeOrigin)
  return [hostname(), process.pid, startedAt, randomUUID().slice(0, 8)].join(SEPARATOR)
}

/**
 * Whether the process behind a worker name may still be alive. Only a process of the same machine can be known to be
 * dead; any other counts as alive until its lease runs out. After a restart a container often has the same host name
 * and pid as before, hence the time of the start in the name.
 */
export function isProcessAlive(worker: string, self: string): boolean {
  const [host, pid, startedAt] = worker.split(SEPARATOR)
  const [ownHost, ownPid, ownStart] = self.split(SEPARATOR)
  if (host !== ownHost) return true
  if (pid === ownPid) return startedAt === ownStart
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
