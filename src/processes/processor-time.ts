import { readFileSync } from 'node:fs'

/** `CLK_TCK`, which is 100 on every Linux. */
const TICK_MS = 10

/** CPU time of a process in milliseconds; undefined if the system does not report it, or the process has exited. */
export function processorMs(pid: number | string | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The fields after the name, which may contain spaces: user and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return undefined
  }
}
