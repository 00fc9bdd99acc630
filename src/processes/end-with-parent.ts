import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { selfContained } from './program.ts'

/** Conditions that a watchdog checks. */
export interface Watch {
  /**
   * Parent process. Passed in: when the watchdog thread starts, the parent may already have exited and `ppid` have
   * changed.
   */
  readonly parent: number
  readonly everyMs: number
  /** Maximum memory of this process, buffers included, in MB; unlimited if absent. */
  readonly residentMb?: number
}

// sys/prctl.h, signal.h
const PR_SET_PDEATHSIG = 1
const SIGKILL = 9

/**
 * Ends this process when its parent exits, whatever it is doing: by the kernel on Linux, elsewhere by a watchdog
 * thread.
 */
export async function dieWithParent(): Promise<void> {
  const parent = process.ppid
  if (!(await isKilledByKernel())) return startProcessWatchdog({ everyMs: 1000 }, parent)
  // The parent may have exited before the kernel was asked to watch it.
  if (process.ppid !== parent) process.exit(1)
}

async function isKilledByKernel(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    const { default: koffi } = await import('koffi')
    const prctl = koffi.load(null).func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)')
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) === 0
  } catch {
    return false // koffi is not there for every processor
  }
}

/**
 * Ends this process when its parent exits or it uses too much memory, even during a synchronous call that never
 * returns.
 */
export async function startProcessWatchdog(looks: Omit<Watch, 'parent'>, parent = process.ppid): Promise<void> {
  const program = selfContained(new URL('./watchdog-worker.ts', import.meta.url))
  const watch: Watch = { ...looks, parent }
  const watchdog = new Worker(program, { execArgv: [], workerData: watch })
  // Wait for the start: the thread cannot start once a call blocks this one.
  await once(watchdog, 'online')
  watchdog.unref()
}
