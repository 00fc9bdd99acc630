import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Looks once a second whether the parent is still there; a thread, since Python may keep the main one busy for ever. */
const PROGRAM = `
  const parent = process.ppid
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)`

/** Ends the process when its parent is gone, where the kernel cannot be asked to. */
export async function watchParent(): Promise<void> {
  const watchdog = new Worker(PROGRAM, { eval: true, execArgv: [] })
  await once(watchdog, 'online')
  watchdog.unref()
}
