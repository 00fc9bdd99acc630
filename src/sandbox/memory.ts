import { readFileSync } from 'node:fs'

const KB = 1024

/** The memory that a process and those it started have now, in bytes; undefined where the kernel does not tell. */
export function residentBytes(pid: number | undefined): number | undefined {
  return sum(pid, 'VmRSS')
}

/** The most that they ever had, in bytes, each by itself. */
export function peakBytes(pid: number | undefined): number | undefined {
  return sum(pid, 'VmHWM')
}

function sum(pid: number | undefined, field: string): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  const own = read(`/proc/${pid}/status`)
  if (own === undefined) return undefined
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(own) ?? []
  const below = (read(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean)
  return below.reduce((total, child) => total + (sum(Number(child), field) ?? 0), Number(kilobytes ?? 0) * KB)
}

/** Undefined when the process has gone. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
