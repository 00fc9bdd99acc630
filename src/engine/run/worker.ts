import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

const SEPARATOR = '/'

/** Used for values that a system does not provide. */
const UNKNOWN = '?'

interface Place {
  readonly host: string
  readonly pid: string
  /** Start time of the process, as returned by `startOf`. */
  readonly startedAt: string
  /** Of the kernel; another one after each start of the machine. */
  readonly bootId: string
  /** Within which the pid counts. */
  readonly pidNamespace: string
}

/**
 * A name for one engine of this process, from which other processes can tell whether it is still alive: the scope of
 * its pid (host, boot of the machine, PID namespace), the pid, and the start time of the process, since pids are
 * reused.
 */
export function workerName(): string {
  const pidNamespace = readOrUnknown(() => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0])
  const bootId = readOrUnknown(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const pid = String(process.pid)
  return [hostname(), pid, startOf(pid), bootId, pidNamespace, randomUUID().slice(0, 8)].join(SEPARATOR)
}

/**
 * Whether the process behind a worker name may still be alive. Only a process on the same kernel and in the same PID
 * namespace can be known to be dead: containers may share a host name, and a pid has no meaning outside of its
 * namespace. An unknown process counts as alive until its lease expires.
 */
export function isProcessAlive(worker: string, self: string): boolean {
  const other = parseWorkerName(worker)
  const own = parseWorkerName(self)
  if (other === undefined || own === undefined || !isSamePlace(other, own)) return true
  if (other.pid === own.pid) return isSameStart(other.startedAt, own.startedAt)
  try {
    process.kill(Number(other.pid), 0)
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
  // The pid is in use; the start time shows whether by the same process.
  return isSameStart(other.startedAt, startOf(other.pid))
}

function isSameStart(one: string, other: string): boolean {
  return one === other || one === UNKNOWN || other === UNKNOWN
}

function isSamePlace(one: Place, other: Place): boolean {
  return (['host', 'bootId', 'pidNamespace'] as const).every(
    (what) => one[what] === other[what] && one[what] !== UNKNOWN,
  )
}

/** Undefined for a name in another format, such as that of an earlier version. */
function parseWorkerName(worker: string): Place | undefined {
  const parts = worker.split(SEPARATOR)
  if (parts.length !== 6) return undefined
  const [host, pid, startedAt, bootId, pidNamespace] = parts as [string, string, string, string, string, string]
  return /^[1-9]\d*$/.test(pid) ? { host, pid, startedAt, bootId, pidNamespace } : undefined
}

/** When a process started, in ticks of the kernel's clock (`proc_pid_stat(5)`, field 22). */
function startOf(pid: string): string {
  return readOrUnknown(() => {
    // A /proc of another PID namespace would tell of another process.
    if (readlinkSync('/proc/self') !== String(process.pid)) return undefined
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name, in brackets, and may contain any characters.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  })
}

function readOrUnknown(look: () => string | undefined): string {
  try {
    return look() || UNKNOWN
  } catch {
    return UNKNOWN // not Linux, or hidden
  }
}
