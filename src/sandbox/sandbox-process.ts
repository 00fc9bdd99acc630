import { closeSync, constants } from 'node:fs'
import { makeSnapshot, startInterpreter, type Interpreter, type LoadPyodide } from './process/interpreter.ts'
import { loadKernel, type Kernel, type Koffi } from './process/kernel.ts'
import { shimBinding, stripGlobals, watchParent } from './process/lockdown.ts'
import { createReader, createWriter, pauser, readDescriptor } from './process/stdio.ts'
import {
  READY,
  REPLY_DESCRIPTOR,
  SNAPSHOT_DESCRIPTOR,
  ACCEPTED,
  type ChildConfig,
  type WireJob,
  type WireReply,
} from './wire.ts'

/** Packages that the parent found, since the permission model closes the ways of looking for them here. */
export interface Packages {
  readonly loadPyodide: LoadPyodide
  /** Present when the configuration names a kernel. */
  readonly koffi?: Koffi
  /** Address of the program of `watchParent`. */
  readonly watchdog: string
}

const JOB_DESCRIPTOR = 0

/**
 * A process that runs one piece of Python and is then killed. It loads everything, enables its restrictions, reports
 * that it is ready and waits. No user code runs before the restrictions are enabled. It never exits while its parent
 * lives.
 */
export async function runSandboxProcess({ loadPyodide, koffi, watchdog }: Packages): Promise<void> {
  const config = JSON.parse(process.argv.at(-1)!) as ChildConfig
  const { pyodideFolder, outputBytes } = config
  const write = createWriter(REPLY_DESCRIPTOR)
  // Python shows the command line as its own.
  process.argv.splice(1, Infinity, 'python')
  shimBinding(constants)
  if (config.mode === 'snapshot') {
    write(await makeSnapshot(loadPyodide, pyodideFolder))
    process.exit(0)
  }
  const interpreter = await startInterpreter(loadPyodide, pyodideFolder, takeSnapshot(), outputBytes)
  const kernel = await giveUpRights(config, koffi, watchdog)
  const serveJob = jobServer(interpreter, write)
  kernel?.waitOn(JOB_DESCRIPTOR)
  // The snapshot and other leftovers of the start would count towards the job's memory.
  globalThis.gc?.()
  kernel?.limitMemory(config.memoryMb)
  stripGlobals()
  kernel?.filterCalls()
  serveJob()
}

function takeSnapshot(): Uint8Array {
  const bytes = readDescriptor(SNAPSHOT_DESCRIPTOR)
  closeSync(SNAPSHOT_DESCRIPTOR)
  return bytes
}

/** Drops permissions and ties the process to its parent; returns the functions that enable the last restrictions. */
async function giveUpRights(
  { kernel: wanted, user, parent }: ChildConfig,
  koffi: Koffi | undefined,
  watchdog: string,
): Promise<Kernel | undefined> {
  if (user !== undefined) {
    process.setgroups!([])
    process.setgid!(user)
    process.setuid!(user)
  }
  const kernel = wanted === undefined || koffi === undefined ? undefined : loadKernel(koffi, wanted.arch)
  if (wanted === undefined || kernel === undefined) await watchParent(watchdog, parent)
  else {
    // After the change of user, which would undo it.
    kernel.dieWithParent()
    kernel.limit(wanted.cpuSeconds)
  }
  // It may have gone before anyone watched.
  if (process.ppid !== parent) process.exit(1)
  return kernel
}

/**
 * Reports that the process is ready, accepts one job and replies; it does not return. It only uses blocking calls:
 * Node's event loop must not run again under the filter. It may hold an io_uring of the kernel, which bypasses the
 * filter and is therefore blocked by it, so the process would be killed. `process.exit` runs the event loop as well.
 * The required functions are captured here, where Python cannot reach them.
 */
function jobServer(interpreter: Interpreter, write: (bytes: Uint8Array) => void): () => never {
  const { parse, stringify } = JSON
  const encoder = new TextEncoder()
  const read = createReader(JOB_DESCRIPTOR)
  const pause = pauser()
  const say = (line: string): void => write(encoder.encode(`${line}\n`))
  return () => {
    say(READY)
    const received = read()
    if (received !== '') {
      say(ACCEPTED)
      say(stringify(answer(interpreter, parse(received) as WireJob)))
    }
    for (;;) pause()
  }
}

function answer({ run, stdout, stderr }: Interpreter, { nonce, code, data, limits }: WireJob): WireReply {
  let outcome: Pick<WireReply, 'report' | 'crash'>
  try {
    const report = run(code, data, limits)
    outcome = report === undefined ? { crash: 'it gave no report' } : { report }
  } catch (error) {
    outcome = { crash: error instanceof Error ? error.message.slice(-500) : 'unknown' }
  }
  const truncated = stdout.truncated || stderr.truncated
  return { nonce, ...outcome, stdout: stdout.text, stderr: stderr.text, truncated }
}
