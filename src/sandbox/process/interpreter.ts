import type { loadPyodide, PyodideAPI } from 'pyodide'
import { HARNESS } from '../python/harness.ts'

export type LoadPyodide = typeof loadPyodide

/** Python, ready for one job. */
export interface Interpreter {
  /** Runs the job and returns the report as JSON; undefined if the code crashed the interpreter. */
  run(code: string, data: string, limits: string): string | undefined
  readonly stdout: Capture
  readonly stderr: Capture
}

/** Python's printed output, up to a number of bytes. */
export interface Capture {
  text: string
  truncated: boolean
}

/** `_makeSnapshot` and `_loadSnapshot` are Pyodide's own, undocumented; the version is pinned. */
interface SnapshotOptions {
  readonly _makeSnapshot?: boolean
  readonly _loadSnapshot?: Uint8Array
}

/** Pyodide's own, undocumented as well. */
interface Insides {
  readonly _module: PyodideModule
  readonly _api: {
    readonly config: { _loadSnapshot?: Uint8Array }
    isPyProxy(value: unknown): boolean
    deserializeError(name: string, message: string, stack: string): unknown
  }
}

/**
 * The module that Python imports as `js`, until it is closed. It must be the same for making and loading a snapshot.
 */
function load(loadPyodide: LoadPyodide, folder: string, snapshot: SnapshotOptions): Promise<PyodideAPI> {
  // Newer versions of Node can suspend WebAssembly, and the memory remembers whether. Jobs run without.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: object }
  for (const name of ['Suspending', 'Suspender']) Reflect.deleteProperty(WebAssembly, name)
  const jsglobals = Object.assign(Object.create(null) as object, { setTimeout, clearTimeout, Object: undefined })
  const options = { indexURL: folder, env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' }, jsglobals, ...snapshot }
  return loadPyodide(options)
}

/** Starts Python once without a snapshot, and returns its memory with the harness and the usual modules loaded. */
export async function makeSnapshot(loadPyodide: LoadPyodide, folder: string): Promise<Uint8Array> {
  const api = (await load(loadPyodide, folder, { _makeSnapshot: true })) as PyodideAPI & {
    makeMemorySnapshot(): Uint8Array
  }
  api.runPython(HARNESS)
  return api.makeMemorySnapshot()
}

/** Starts Python from a snapshot and closes its bridge to JavaScript. */
export async function startInterpreter(
  loadPyodide: LoadPyodide,
  folder: string,
  snapshot: Uint8Array,
  outputBytes: number,
): Promise<Interpreter> {
  const api = await load(loadPyodide, folder, { _loadSnapshot: snapshot })
  const [stdout, stderr] = [capture(outputBytes), capture(outputBytes)]
  api.setStdout(stdout)
  api.setStderr(stderr)
  api.setStdin({ stdin: () => undefined })
  const run = api.globals.get('_run_job') as Interpreter['run']
  const lock = api.globals.get('_lock') as () => void
  const { _module, _api } = api as unknown as Insides
  // It would stay, and count as the job's memory.
  delete _api.config._loadSnapshot
  removeBuiltins(_module)
  lock()
  closeBridge(_api)
  return { run, stdout, stderr }
}

/**
 * Ends a job that makes the interpreter expose a JavaScript object to Python. Some of the classes for such objects are
 * part of the interpreter and stay reachable from Python, but creating the object always calls `isPyProxy` first. The
 * mark keeps Pyodide from converting the error to an exception that Python could catch: Python is left completely, and
 * `run` returns no report.
 */
function closeBridge(api: Insides['_api']): void {
  const refuse = (): never => {
    throw Object.assign(new Error('the bridge is closed'), { pyodide_fatal_error: true })
  }
  api.isPyProxy = refuse
  api.deserializeError = refuse
}

function capture(limit: number): Capture & { write(bytes: Uint8Array): number } {
  const decoder = new TextDecoder()
  let remaining = limit
  return {
    text: '',
    truncated: false,
    write(bytes) {
      const length = Math.min(bytes.length, remaining)
      remaining -= length
      this.text += decoder.decode(bytes.subarray(0, length), { stream: true })
      if (length < bytes.length) this.truncated = true
      return bytes.length
    },
  }
}

/** The parts of Pyodide's own module that are used here; undocumented, and the version is pinned. */
interface PyodideModule {
  readonly HEAPU8: Uint8Array
  readonly HEAPU32: Uint32Array
  /** Addresses of the C variables of these names. */
  readonly _PyImport_Inittab: number
  readonly __PyRuntime: number
}

/**
 * Modules in C that lead out of the interpreter or into its insides: the bridge to JavaScript, foreign functions, sockets,
 * processes, terminals, memory by address. Names of CPython's and Pyodide's tables of built-in modules; a star: all that begin
 * so.
 */
const REMOVED = (
  '_pyodide_core _ctypes _socket _ssl _posixsubprocess _remote_debugging fcntl termios mmap select resource faulthandler ' +
  '_test* _xxtestfuzz'
).split(' ')

/** The table of built-in modules is within this range; in 314.0 at about 600 bytes. */
const RUNTIME_BYTES = 400_000
/** Of an entry: the address of the name, the address of the function. */
const ENTRY_WORDS = 2

/**
 * Removes modules from the interpreter's table of built-in modules, so that no import can create them again.
 * @throws Error if the table is not at its expected place; then no code must run
 */
function removeBuiltins({ HEAPU8, HEAPU32, _PyImport_Inittab, __PyRuntime }: PyodideModule): void {
  const nameAt = (word: number): string => {
    const start = HEAPU32[word]!
    return new TextDecoder().decode(HEAPU8.slice(start, HEAPU8.indexOf(0, start)))
  }
  // The interpreter made a copy for itself when it started, and knows the address alone; the first is cleaned as well.
  const initialTable = HEAPU32[_PyImport_Inittab >>> 2]! >>> 2
  const used = findCopy(HEAPU32, initialTable, __PyRuntime >>> 2)
  for (const table of new Set([initialTable, used])) {
    let target = table
    for (let entry = table; HEAPU32[entry] !== 0; entry += ENTRY_WORDS) {
      if (isRemoved(nameAt(entry))) continue
      HEAPU32.copyWithin(target, entry, entry + ENTRY_WORDS)
      target += ENTRY_WORDS
    }
    for (let entry = target; HEAPU32[entry] !== 0; entry += ENTRY_WORDS) HEAPU32.fill(0, entry, entry + ENTRY_WORDS)
  }
}

function isRemoved(name: string): boolean {
  return REMOVED.some((removed) => (removed.endsWith('*') ? name.startsWith(removed.slice(0, -1)) : name === removed))
}

/** Position of the runtime's own copy of the table, in words. */
function findCopy(words: Uint32Array, given: number, runtime: number): number {
  const head = words.slice(given, given + 4 * ENTRY_WORDS)
  for (let at = runtime; at < runtime + RUNTIME_BYTES / 4; at++) {
    const table = words[at]! >>> 2
    if (table !== 0 && words[at]! % 4 === 0 && head.every((word, i) => words[table + i] === word)) return table
  }
  throw new Error('the table of built-in modules was not found in this version of Pyodide')
}
