import { closeSync, constants } from 'node:fs'
import { makeSnapshot, startInterpreter, type Interpreter, type LoadPyodide } from './process/interpreter.ts'
import { loadKernel, type Koffi } from './process/kernel.ts'
import { shimBinding, stripGlobals } from './process/lockdown.ts'
import { createWriter, readDescriptor } from './process/stdio.ts'
import { watchParent } from './process/watchdog.ts'
import { READY, REPLY_DESCRIPTOR, SNAPSHOT_DESCRIPTOR, type ChildConfig, type WireJob, type WireReply } from './wire.ts'

/** Packages that the parent found, since the permission model closes the ways of looking for them here. */
export interface Packages {
  readonly loadPyodide: LoadPyodide
  /** Present when the configuration names a kernel. */
  readonly koffi?: Koffi
}

/**
 * The life of a process that runs one piece of Python and is then killed. It loads everything, locks itself in, says that
 * it is ready and waits; no code from outside runs before the lock. It never ends by itself while its parent lives.
 */
export async function serve({ loadPyodide, koffi }: Packages): Promise<void> {
  const config = JSON.parse(process.argv.at(-1)!) as ChildConfig
  const { pyodideFolder, outputBytes } = config
  const parent = process.ppid
  const write = createWriter(REPLY_DESCRIPTOR)
  // Python shows the command line as its own.
  process.argv.splice(1, Infinity, 'python')
  shimBinding(constants)
  if (config.mode === 'snapshot') {
    write(await makeSnapshot(loadPyodide, pyodideFolder))
    process.exit(0)
  }
  const snapshot = readDescriptor(SNAPSHOT_DESCRIPTOR)
  closeSync(SNAPSHOT_DESCRIPTOR)
  const interpreter = await startInterpreter(loadPyodide, pyodideFolder, snapshot, outputBytes)
  const filterCalls = await lockDown(config, koffi, parent)
  awaitJob(interpreter, write)
  stripGlobals()
  filterCalls?.()
  write(new TextEncoder().encode(`${READY}\n`))
}

/** Gives up rights and ties the process to its parent; gives what closes the last door. */
async function lockDown(
  { kernel, user }: ChildConfig,
  koffi: Koffi | undefined,
  parent: number,
): Promise<(() => void) | undefined> {
  if (user !== undefined) {
    process.setgroups!([])
    process.setgid!(user)
    process.setuid!(user)
  }
  const binding = kernel === undefined || koffi === undefined ? undefined : loadKernel(koffi, kernel.arch)
  if (kernel === undefined || binding === undefined) await watchParent()
  else {
    // After the change of user, which would undo it.
    binding.dieWithParent()
    binding.limit(kernel.cpuSeconds)
  }
  // It may have gone before anyone watched.
  if (process.ppid !== parent) process.exit(1)
  return binding?.filterCalls
}

/** Takes the job when it has arrived as a whole. Everything that is needed then is held here, out of Python's reach. */
function awaitJob(interpreter: Interpreter, write: (bytes: Uint8Array) => void): void {
  const { parse, stringify } = JSON
  const encoder = new TextEncoder()
  const exit = process.exit.bind(process)
  let received = ''
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (piece: string) => void (received += piece))
  process.stdin.on('end', () => {
    if (received === '') exit(0)
    const reply = answer(interpreter, parse(received) as WireJob)
    write(encoder.encode(`${stringify(reply)}\n`))
  })
}

function answer({ run, stdout, stderr }: Interpreter, { nonce, code, data, limits }: WireJob): WireReply {
  let outcome: Pick<WireReply, 'report' | 'crash'>
  try {
    outcome = { report: run(code, data, limits) }
  } catch (error) {
    outcome = { crash: error instanceof Error ? error.message.slice(-500) : 'unknown' }
  }
  const truncated = stdout.truncated || stderr.truncated
  return { nonce, ...outcome, stdout: stdout.text, stderr: stderr.text, truncated }
}
