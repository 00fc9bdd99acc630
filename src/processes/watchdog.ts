import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { selfContained } from './program.ts'

/** What a watchdog looks at. */
export interface Watch {
  /** The process with which this one ends: by the thread that looks it may be gone already, and then another one is in its place. */
  readonly parent: number
  readonly everyMs: number
  /** What this process may take in all, buffers included; any when absent. */
  readonly residentMb?: number
}

// sys/prctl.h, signal.h
const PR_SET_PDEATHSIG = 1
const SIGKILL = 9

/** Ends this process when its parent is gone, whatever it is doing: by the kernel on Linux, elsewhere by a thread that looks. */
export async function dieWithParent(): Promise<void> {
  const parent = process.ppid
  if (!(await isKilledByKernel())) return startProcessWatchdog({ everyMs: 1000 }, parent)
  // The parent may have gone before the kernel was asked to watch it.
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

/** Ends this process when its parent is gone or it takes too much memory, also in the middle of a call that never ends. */
export async function startProcessWatchdog(looks: Omit<Watch, 'parent'>, parent = process.ppid): Promise<void> {
  const program = selfContained(new URL('./watchdog-worker.ts', import.meta.url))
  const watch: Watch = { ...looks, parent }
  const watchdog = new Worker(program, { execArgv: [], workerData: watch })
  // It cannot come up any more once a call blocks this thread.
  await once(watchdog, 'online')
  watchdog.unref()
}
