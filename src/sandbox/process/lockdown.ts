import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Watch } from '../../processes/end-with-parent.ts'

/** Names of the global object that code in the interpreter has no use for, should it ever reach JavaScript. */
const REMOVED = (
  'fetch WebSocket Worker BroadcastChannel MessageChannel MessagePort EventSource Response Request Headers FormData ' +
  'Blob File navigator require module importScripts process Buffer SharedArrayBuffer CompressionStream ' +
  'DecompressionStream ReadableStream WritableStream TransformStream CustomEvent structuredClone localStorage ' +
  'sessionStorage gc eval'
).split(' ')

/** Pyodide reads file constants through a Node function that the permission model blocks. */
export function shimBinding(constants: object): void {
  Object.defineProperty(process, 'binding', {
    value: (name: string) => {
      if (name === 'constants') return { fs: constants }
      throw new Error('denied')
    },
  })
}

/** Removes JavaScript globals that could do harm. Called when everything is loaded. */
export function stripGlobals(): void {
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name)
  // No way from an object to a function that makes code of a string.
  for (const sample of [() => 0, async () => 0, function* () {}, async function* () {}]) {
    Reflect.deleteProperty(Object.getPrototypeOf(sample) as object, 'constructor')
  }
  // The interpreter needs the error classes. Compilation is removed, since a library in a file could bring code.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: Readonly<Record<string, unknown>> }
  const remaining = Object.freeze({
    RuntimeError: WebAssembly['RuntimeError'],
    Exception: WebAssembly['Exception'],
    Tag: WebAssembly['Tag'],
  })
  Object.defineProperty(globalThis, 'WebAssembly', { value: remaining, writable: false, configurable: false })
}

/**
 * Ends the process when its parent has ended, if the kernel cannot do that.
 * @param program data URL with the watchdog, because files may be inaccessible here
 */
export async function watchParent(program: string, parent: number): Promise<void> {
  const watch: Watch = { everyMs: 1000, parent }
  const watchdog = new Worker(new URL(program), { execArgv: [], workerData: watch })
  await once(watchdog, 'online')
  watchdog.unref()
}
