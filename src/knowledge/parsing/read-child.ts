import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { HeldProcess } from '../../processes/held-process.ts'
import { readLines } from '../../processes/lines.ts'
import { isCompiled, permissionFlag, processProgram } from '../../processes/program.ts'
import type { ReadLimits } from './limits.ts'
import type { FileContent } from './parse.ts'
import { ANSWER_DESCRIPTOR, type ReadMessage, type ReadOrder } from './read-messages.ts'

/** What a message may take a character of text, and a passage. */
const BYTES_A_CHARACTER = 4
const BYTES_A_CHUNK = 2000

/** Holds the process that reads one file. */
export class ReadChild {
  readonly #process: HeldProcess
  readonly #limits: ReadLimits
  #killedFor: 'late' | 'stopped' | 'output' | 'nonsense' | undefined

  constructor({ name, bytes }: FileContent, limits: ReadLimits, onMessage: (message: ReadMessage) => void) {
    this.#limits = limits
    const child = start({ name, limits })
    this.#process = new HeldProcess(child)
    // A process that ends before it has read everything says why itself.
    child.stdin?.end(bytes)
    readLines(
      child.stdio[ANSWER_DESCRIPTOR] as Readable,
      limits.characters * BYTES_A_CHARACTER + limits.chunks * BYTES_A_CHUNK,
      (line) => {
        const message = messageIn(line)
        if (message === undefined) this.kill('nonsense')
        else onMessage(message)
      },
      () => this.kill('output'),
    )
  }

  /** When the process is gone and all that it sent has been taken. */
  get ended(): Promise<void> {
    return this.#process.closed
  }

  /** Why no answer came, as the end of a sentence; `undefined` when there is nothing to say. */
  get trouble(): string | undefined {
    const { timeMs, residentMb } = this.#limits
    const { error, stderr, process } = this.#process
    if (error !== undefined) return `no process can be started (${error.message})`
    if (this.#killedFor === 'late') return `it takes longer than ${timeMs / 1000} seconds; split it into several files`
    if (this.#killedFor === 'nonsense') return 'what read it broke; if other files are read, save it again and add that'
    if (this.#killedFor === 'output') return 'it gives more text than is taken; split it into several files'
    const isMemory = process.signalCode === 'SIGKILL' || /out of memory|allocation failed/i.test(stderr)
    return isMemory ? `it needs more than ${residentMb} MB of memory; split it into several files` : undefined
  }

  /** Ends the process at once. */
  kill(why: 'late' | 'stopped' | 'output' | 'nonsense'): void {
    if (this.#process.isGone) return
    this.#killedFor ??= why
    void this.#process.kill()
  }
}

/**
 * The built package runs it under Node's permission model, which a TypeScript loader cannot: it may write no file, start no
 * process and load no native code.
 */
function start(order: ReadOrder): ChildProcess {
  const flags = [`--max-old-space-size=${order.limits.heapMb}`, '--no-warnings']
  if (isCompiled) flags.push(permissionFlag(), '--allow-fs-read=*', '--allow-worker')
  const program = processProgram(new URL('./read-process.ts', import.meta.url))
  return spawn(process.execPath, [...flags, ...program, JSON.stringify(order)], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
}

/** The reader may have been made to write anything. */
function messageIn(line: string): ReadMessage | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? (message as ReadMessage) : undefined
  } catch {
    return undefined
  }
}
