import { closeSync, constants, fstatSync, readSync, writeSync } from 'node:fs'
import { type Interpreter, type LoadPyodide, makeSnapshot, startInterpreter } from './process/interpreter.ts'
import { type Kernel, type Koffi, loadKernel } from './process/kernel.ts'
import { shimBinding, stripGlobals, watchParent } from './process/lockdown.ts'
import {
  ACCEPTED,
  type ChildConfig,
  READY,
  REPLY_DESCRIPTOR,
  SNAPSHOT_DESCRIPTOR,
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

/** Reads a whole file through its descriptor, independent of the current position. */
function readDescriptor(descriptor: number): Uint8Array {
  const bytes = new Uint8Array(fstatSync(descriptor).size)
  for (let position = 0; position < bytes.length;) {
    const count = readSync(descriptor, bytes, position, bytes.length - position, position)
    if (count === 0) throw new Error('the snapshot was cut off')
    position += count
  }
  return bytes
}

/**
 * Reads a descriptor to its end, by waiting in the call: the event loop is not needed. To be made before the globals go.
 */
function createReader(descriptor: number): () => string {
  const decoder = new TextDecoder()
  const piece = new Uint8Array(65_536)
  const pause = pauser()
  return () => {
    let text = ''
    for (;;) {
      const count = readPiece(descriptor, piece)
      if (count === undefined) pause(10)
      else if (count === 0) return text + decoder.decode()
      else text += decoder.decode(piece.subarray(0, count), { stream: true })
    }
  }
}

/** The number of bytes read; 0 at the end, undefined when nothing is there yet. */
function readPiece(descriptor: number, piece: Uint8Array): number | undefined {
  try {
    return readSync(descriptor, piece, 0, piece.length, null)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') return undefined
    // Windows reports the end of a pipe this way.
    if (code === 'EOF') return 0
    throw error
  }
}

/**
 * Blocks the thread for some milliseconds, or for ever without a number. To be created before the globals are removed.
 */
function pauser(): (ms?: number) => void {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  const { wait } = Atomics
  return (ms) => void wait(cell, 0, 0, ms)
}

/** Writes everything; the pipe to the parent does not block, so a full one is tried again. */
function createWriter(descriptor: number): (bytes: Uint8Array) => void {
  const pause = pauser()
  return (bytes) => {
    for (let offset = 0; offset < bytes.length;) {
      try {
        offset += writeSync(descriptor, bytes, offset)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
        pause(2)
      }
    }
  }
}
