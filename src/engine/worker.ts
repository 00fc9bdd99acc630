import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

const SEPARATOR = '/'

/** A name for this process that tells others on the same machine whether it still lives. */
export function workerName(): string {
  return [hostname(), process.pid, randomUUID().slice(0, 8)].join(SEPARATOR)
}

/**
 * Whether the process behind a worker name may still be alive. Only a process of the same machine can be known to be
 * dead; any other counts as alive until its lease runs out. A namesake by pid that is this very process is dead.
 */
export function isProcessAlive(worker: string, self: string): boolean {
  if (worker === self) return true
  const [host, pid] = worker.split(SEPARATOR)
  const [ownHost, ownPid] = self.split(SEPARATOR)
  if (host !== ownHost) return true
  if (pid === ownPid) return false
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
