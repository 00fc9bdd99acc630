import type { ChildProcess } from 'node:child_process'
import type { ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { sleep, type Clock } from '../shared/clock.ts'
import { truncate } from '../shared/safe-json.ts'
import { onOneLine } from '../domain/prompt-text.ts'
import { HeldProcess } from '../processes/held-process.ts'
import { NOT_CONNECTED } from './errors.ts'

/** How long a server may take to end on its own, and then after it was told to. */
const PATIENCE_MS = 2_000
const LONGEST_STRAY = 200

/** A server program to start. */
export interface ServerProgram {
  readonly command: string
  readonly args?: readonly string[]
  /** Given to the program beside PATH, HOME, USER and the like; nothing else of our environment is. */
  readonly env?: Readonly<Record<string, string>>
  /** Folder that it runs in. */
  readonly cwd?: string
}

/** A server program with MCP over its pipes: one JSON message a line. */
export class ProgramTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #program: ServerProgram
  readonly #clock: Clock
  #held: HeldProcess | undefined
  #buffer: ReadBuffer | undefined
  #stray: string | undefined
  #hasAnswered = false

  constructor(program: ServerProgram, clock: Clock) {
    this.#program = program
    this.#clock = clock
  }

  /** The last of what it wrote about itself, or else the first of what it wrote where its messages belong. */
  get lastWords(): string {
    return this.#held?.stderr.trim() || (this.#stray ?? '')
  }

  async start(): Promise<void> {
    const { getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js')
    const { ReadBuffer: Buffer } = await import('@modelcontextprotocol/sdk/shared/stdio.js')
    // On Windows npx and the like are scripts, which only its shell can start.
    const { default: spawn } = await import('cross-spawn')
    const { command, args = [], env, cwd } = this.#program
    // In a group of its own, so that what it starts ends with it: many servers are started by another program.
    const child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    })
    const held = new HeldProcess(child, () => signal(child, 'SIGKILL'))
    this.#held = held
    this.#buffer = new Buffer()
    child.stdout.on('data', (piece: Uint8Array) => this.#take(piece))
    void held.closed.then(() => this.onclose?.())
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const held = this.#held
    const stdin = held?.isGone === false ? held.process.stdin : null
    const isSent =
      stdin?.writable === true &&
      (await new Promise<boolean>((resolve) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => resolve(!error))
      }))
    if (isSent) return
    // Of one that ended before it answered its last words are waited for, which say why.
    if (!this.#hasAnswered) await held?.closed
    throw new Error(NOT_CONNECTED)
  }

  /** Lets it end, then makes it; resolves when it is gone. */
  async close(): Promise<void> {
    const held = this.#held
    if (held === undefined) return
    const ended = new AbortController()
    void held.exited.then(() => ended.abort())
    held.process.stdin?.end()
    for (const next of ['SIGTERM', 'SIGKILL'] as const) {
      await sleep(this.#clock, PATIENCE_MS, ended.signal).catch(() => undefined)
      if (held.isGone) break
      signal(held.process, next)
    }
    await held.kill()
  }

  #take(piece: Uint8Array): void {
    const buffer = this.#buffer!
    try {
      buffer.append(piece as Buffer)
    } catch (thrown) {
      this.onerror?.(thrown as Error)
      return void this.#held?.kill()
    }
    for (let message: JSONRPCMessage | null | undefined; message !== null;) {
      try {
        message = buffer.readMessage()
        this.#hasAnswered ||= message !== null
        if (message !== null) this.onmessage?.(message)
      } catch (thrown) {
        // A line that is no message: some servers print there what is meant for people.
        this.onerror?.(thrown as Error)
        this.#stray ??= `a line on its standard output that is no message of MCP (${strayIn(thrown)})`
        message = undefined
      }
    }
  }
}

/** The parser of JSON quotes what it could not read. */
function strayIn(thrown: unknown): string {
  return thrown instanceof SyntaxError ? onOneLine(truncate(thrown.message, LONGEST_STRAY)) : 'JSON of another form'
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, name)
    else child.kill(name)
  } catch {
    child.kill(name)
  }
}
