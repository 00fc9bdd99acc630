import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ManagedProcess } from '../../processes/managed-process.ts'
import { readLines } from '../../processes/lines.ts'
import { processorMs } from '../../processes/processor-time.ts'
import { isCompiled, permissionFlag, processProgram } from '../../processes/program.ts'
import type { ReadLimits } from './limits.ts'
import { readChunks, type NamedBytes } from './file-bytes.ts'
import { ANSWER_DESCRIPTOR, type ReadMessage } from './read-messages.ts'

/** Maximum message bytes per character of text, and per passage. */
const BYTES_PER_CHAR = 4
const BYTES_PER_CHUNK = 2000

/** A late process that had less than this share of processor time was waiting for the processor. */
const BUSY_SHARE = 0.5

/** Controls a process that reads one file. */
export class ReadChild {
  readonly #process: ManagedProcess
  readonly #limits: ReadLimits
  #killedFor: 'late' | 'stopped' | 'output' | 'nonsense' | 'changed' | undefined
  #onMessage: ((message: ReadMessage) => void) | undefined
  #beganAtMs: number | undefined
  #hadMs: number | undefined
  #timeMs: number

  constructor(limits: ReadLimits) {
    this.#limits = limits
    this.#timeMs = limits.timeMs
    const child = start(limits)
    this.#process = new ManagedProcess(child)
    readLines(
      child.stdio[ANSWER_DESCRIPTOR] as Readable,
      limits.characters * BYTES_PER_CHAR + limits.chunks * BYTES_PER_CHUNK,
      (line) => this.#take(line),
      () => this.kill('output'),
    )
  }

  /**
   * Reads the file. Resolves after the last message, or when the process has ended and all its output was processed.
   */
  async read(file: NamedBytes, onMessage: (message: ReadMessage) => void): Promise<void> {
    this.#beganAtMs = processorMs(this.#process.process.pid)
    const ended = new Promise<void>((resolve) => {
      this.#onMessage = (message) => {
        onMessage(message)
        // Later messages do not belong to the file.
        if (!('facts' in message) && !('error' in message)) return
        this.#onMessage = undefined
        resolve()
      }
    })
    // A process that ends before it has read everything reports the reason itself.
    pipeline(this.#input(file), this.#process.process.stdin!).catch(() => undefined)
    await Promise.race([ended, this.#process.closed])
  }

  /** The name of the file in the first line, then its content. */
  async *#input({ name, bytes }: NamedBytes): AsyncGenerator<string | Buffer> {
    yield `${JSON.stringify(name)}\n`
    let sent = 0
    try {
      for await (const piece of readChunks(bytes)) {
        sent += piece.length
        yield piece
      }
    } catch {
      // The length check below reports this.
    }
    if (sent < bytes.length) await this.kill('changed')
  }

  /** Whether it got too little processor time since the file was sent. */
  isStarved(timeMs: number): boolean {
    return isBusy(timeMs, this.#processorMs)
  }

  /** Processor time for this file in milliseconds; undefined if the system does not report it. */
  get #processorMs(): number | undefined {
    const now = processorMs(this.#process.process.pid)
    return now === undefined || this.#beganAtMs === undefined ? undefined : now - this.#beganAtMs
  }

  /** Why there is no answer, as the end of a sentence; `undefined` if there was no problem. */
  get error(): string | undefined {
    const { residentMb } = this.#limits
    const { error, stderr, process } = this.#process
    if (error !== undefined) return `no process can be started (${error.message})`
    if (this.#killedFor === 'late') return late(this.#timeMs, this.#hadMs)
    if (this.#killedFor === 'nonsense') return 'what read it broke; if other files are read, save it again and add that'
    if (this.#killedFor === 'changed') return 'it changed or went away meanwhile; add it again'
    if (this.#killedFor === 'output') return 'it gives more text than is taken; split it into several files'
    const isMemory = process.signalCode === 'SIGKILL' || /out of memory|allocation failed/i.test(stderr)
    return isMemory ? `it needs more than ${residentMb} MB of memory; split it into several files` : undefined
  }

  /**
   * Kills the process and waits until it has ended.
   * @param timeMs its time limit, if it exceeded it
   */
  async kill(
    why: 'late' | 'stopped' | 'output' | 'nonsense' | 'changed' = 'stopped',
    timeMs = this.#timeMs,
  ): Promise<void> {
    if (this.#process.isGone) return
    this.#timeMs = timeMs
    this.#killedFor ??= why
    this.#hadMs = this.#processorMs
    await this.#process.kill()
  }

  #take(line: string): void {
    const message = messageIn(line)
    if (message === undefined || this.#onMessage === undefined) void this.kill('nonsense')
    else this.#onMessage(message)
  }
}

function isBusy(timeMs: number, hadMs: number | undefined): hadMs is number {
  return hadMs !== undefined && hadMs < BUSY_SHARE * timeMs
}

/** @param hadMs processor time of the process; undefined if the system does not report it */
function late(timeMs: number, hadMs: number | undefined): string {
  const limit = `${timeMs / 1000} seconds`
  if (isBusy(timeMs, hadMs)) {
    return `the machine is too busy, it let the reader work for ${hadMs / 1000} of ${limit}; add it again when less is going on`
  }
  const orBusy = hadMs === undefined ? ', or add it again if the machine was busy' : ''
  return `it takes longer than ${limit}; split it into several files${orBusy}`
}

/**
 * The built package runs it under Node's permission model, which a TypeScript loader cannot: it may write no file, start no
 * process and load no native code.
 */
function start(limits: ReadLimits): ChildProcess {
  const flags = [`--max-old-space-size=${limits.heapMb}`, '--no-warnings']
  if (isCompiled) flags.push(permissionFlag(), '--allow-fs-read=*', '--allow-worker')
  const program = processProgram(new URL('./read-process.ts', import.meta.url))
  return spawn(process.execPath, [...flags, ...program, JSON.stringify(limits)], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
}

/** Validates a message: a compromised reader may write anything. */
function messageIn(line: string): ReadMessage | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? (message as ReadMessage) : undefined
  } catch {
    return undefined
  }
}
