import { readFileSync } from 'node:fs'

/** `CLK_TCK`, which is 100 on every Linux. */
const TICK_MS = 10

/** Processor time that a process has had, in milliseconds; undefined where the system does not tell, or it is gone. */
export function processorMs(pid: number | string | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may hold spaces: user and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return undefined
  }
}
