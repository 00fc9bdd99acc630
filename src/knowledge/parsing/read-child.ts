import { spawn, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ReadLimits } from './limits.ts'
import type { FileContent } from './parse.ts'
import { ANSWER_DESCRIPTOR, type ReadMessage, type ReadOrder } from './read-messages.ts'

const STDERR_KEPT = 4000
/** What a message may take a character of text, and a passage. */
const BYTES_A_CHARACTER = 4
const BYTES_A_CHUNK = 2000

/** Holds the process that reads one file. */
export class ReadChild {
  /** When the process is gone and all that it sent has been taken. */
  readonly ended: Promise<void>
  readonly #process: ChildProcess
  readonly #limits: ReadLimits
  readonly #onMessage: (message: ReadMessage) => void
  #line: string[] = []
  #stderr = ''
  #left: number
  #end: { readonly signal: NodeJS.Signals | null } | undefined
  #killedFor: 'late' | 'stopped' | 'output' | undefined
  #startError: Error | undefined

  constructor({ name, bytes }: FileContent, limits: ReadLimits, onMessage: (message: ReadMessage) => void) {
    this.#limits = limits
    this.#onMessage = onMessage
    this.#left = limits.characters * BYTES_A_CHARACTER + limits.chunks * BYTES_A_CHUNK
    const child = start({ name, limits })
    this.#process = child
    this.ended = new Promise((resolve) => {
      child.once('close', (_, signal) => {
        this.#end = { signal }
        resolve()
      })
      child.once('error', (error) => {
        this.#startError = error
        if (child.pid === undefined) resolve()
      })
    })
    child.stderr?.on('data', (piece: Buffer) => {
      this.#stderr = (this.#stderr + piece.toString()).slice(-STDERR_KEPT)
    })
    // A process that ends before it has read everything says why itself.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(bytes)
    const answer = child.stdio[ANSWER_DESCRIPTOR] as Readable
    answer.setEncoding('utf8')
    answer.on('data', (piece: string) => this.#receive(piece))
  }

  /** Why no answer came, as the end of a sentence; `undefined` when there is nothing to say. */
  get trouble(): string | undefined {
    const { timeMs, residentMb } = this.#limits
    if (this.#startError !== undefined) return `no process can be started (${this.#startError.message})`
    if (this.#killedFor === 'late') return `it takes longer than ${timeMs / 1000} seconds; split it into several files`
    if (this.#killedFor === 'output') return 'it gives more text than is taken; split it into several files'
    const isMemory = this.#end?.signal === 'SIGKILL' || /out of memory|allocation failed/i.test(this.#stderr)
    return isMemory ? `it needs more than ${residentMb} MB of memory; split it into several files` : undefined
  }

  /** Ends the process at once. */
  kill(why: 'late' | 'stopped' | 'output'): void {
    if (this.#end !== undefined) return
    this.#killedFor ??= why
    this.#process.kill('SIGKILL')
  }

  #receive(piece: string): void {
    this.#left -= piece.length
    if (this.#left < 0) return this.kill('output')
    const lines = piece.split('\n')
    const rest = lines.pop()!
    for (const line of lines) {
      const whole = this.#line.join('') + line
      this.#line = []
      this.#onMessage(JSON.parse(whole) as ReadMessage)
    }
    if (rest !== '') this.#line.push(rest)
  }
}

function start(order: ReadOrder): ChildProcess {
  const script = new URL(import.meta.url.endsWith('.ts') ? './read-process.ts' : './read-process.js', import.meta.url)
  const flags = [`--max-old-space-size=${order.limits.heapMb}`, '--no-warnings', ...surroundings(script)]
  return spawn(process.execPath, [...flags, fileURLToPath(script), JSON.stringify(order)], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
}

/**
 * From sources (development, tests) the process needs tsx. The built package does not, so it runs under Node's permission
 * model there, which tsx cannot: it may write no file, start no process and load no native code.
 */
function surroundings(script: URL): string[] {
  if (script.pathname.endsWith('.ts')) {
    return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
  }
  const isStable = process.allowedNodeEnvironmentFlags.has('--permission')
  return [isStable ? '--permission' : '--experimental-permission', '--allow-fs-read=*', '--allow-worker']
}
