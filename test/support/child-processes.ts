import { readdirSync, readFileSync } from 'node:fs'

/** A process as Linux tells of it. */
export interface ChildProcessInfo {
  readonly pid: number
  /** proc_pid_status(5). */
  readonly status: string
}

/**
 * The processes that this program has started and that have `mark` on their command line, by which those of one test are told
 * from those of others. None where there is no /proc.
 */
export function childProcesses(mark: string): ChildProcessInfo[] {
  if (process.platform !== 'linux') return []
  const started = readdirSync('/proc/self/task').flatMap((thread) =>
    read(`/proc/self/task/${thread}/children`).split(' '),
  )
  return started.filter(Boolean).flatMap((pid) => {
    const isMeant = read(`/proc/${pid}/cmdline`).includes(mark)
    return isMeant ? [{ pid: Number(pid), status: read(`/proc/${pid}/status`) }] : []
  })
}

/** A field of the status in kilobytes, such as `VmRSS`, what is resident, and `VmHWM`, the most that ever was. */
export function kilobytes({ status }: ChildProcessInfo, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
}

/** Empty when it has gone. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
