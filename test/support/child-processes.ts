import { readdirSync, readFileSync } from 'node:fs'

/** A process, from /proc on Linux. */
export interface ChildProcessInfo {
  readonly pid: number
  /** proc_pid_status(5). */
  readonly status: string
}

/**
 * The child processes of a process, by default this one, with `mark` on their command line, which distinguishes those of one
 * test from those of others. Empty without /proc.
 */
export function childProcesses(mark: string, parent: number = process.pid): ChildProcessInfo[] {
  if (process.platform !== 'linux') return []
  const started = readdirSync(`/proc/${parent}/task`).flatMap((thread) =>
    read(`/proc/${parent}/task/${thread}/children`).split(' '),
  )
  return started.filter(Boolean).flatMap((pid) => {
    const isMeant = read(`/proc/${pid}/cmdline`).includes(mark)
    return isMeant ? [{ pid: Number(pid), status: read(`/proc/${pid}/status`) }] : []
  })
}

/** A field of the status in kilobytes, such as `VmRSS` (resident memory) and `VmHWM` (its maximum). */
export function kilobytes({ status }: ChildProcessInfo, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
}

/** Empty when the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
