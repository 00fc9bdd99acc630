import type { ChildProcess } from 'node:child_process'
import type { ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { sleep, type Clock } from '../shared/clock.ts'
import { truncate } from '../shared/json.ts'
import { onOneLine } from '../domain/prompt-text.ts'
import { ManagedProcess } from '../processes/managed-process.ts'
import { NOT_CONNECTED } from './errors.ts'
import type { ServerProgram } from './spec.ts'

/** How long a server may take to end after its input was closed, and again after SIGTERM. */
const GRACE_MS = 2_000
const MAX_STRAY_CHARS = 200

/** A server program that speaks MCP on stdin and stdout: one JSON message per line. */
export class ProgramTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #program: ServerProgram
  readonly #clock: Clock
  #held: ManagedProcess | undefined
  #buffer: ReadBuffer | undefined
  #stray: string | undefined
  #hasAnswered = false

  constructor(program: ServerProgram, clock: Clock) {
    this.#program = program
    this.#clock = clock
  }

  /** Its last output on stderr, or else the first invalid line on stdout. */
  get lastWords(): string {
    return this.#held?.stderr.trim() || (this.#stray ?? '')
  }

  async start(): Promise<void> {
    const { getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js')
    const { ReadBuffer: Buffer } = await import('@modelcontextprotocol/sdk/shared/stdio.js')
    // On Windows, programs such as npx are scripts that only the shell can start.
    const { default: spawn } = await import('cross-spawn')
    const { command, args = [], env, cwd } = this.#program
    // In its own process group, so that child processes end with it: many servers are started by another program.
    const child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    })
    const managedChild = new ManagedProcess(child, () => signal(child, 'SIGKILL'))
    this.#held = managedChild
    this.#buffer = new Buffer()
    child.stdout.on('data', (piece: Uint8Array) => this.#take(piece))
    void managedChild.closed.then(() => this.onclose?.())
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const managedChild = this.#held
    const stdin = managedChild?.isGone === false ? managedChild.process.stdin : null
    const isSent =
      stdin?.writable === true &&
      (await new Promise<boolean>((resolve) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => resolve(!error))
      }))
    if (isSent) return
    // If it ended without a response, wait for its last output, which contains the reason.
    if (!this.#hasAnswered) await managedChild?.closed
    throw new Error(NOT_CONNECTED)
  }

  /** Closes its input, then kills it if necessary; resolves when it has ended. */
  async close(): Promise<void> {
    const managedChild = this.#held
    if (managedChild === undefined) return
    const ended = new AbortController()
    void managedChild.exited.then(() => ended.abort())
    managedChild.process.stdin?.end()
    for (const next of ['SIGTERM', 'SIGKILL'] as const) {
      await sleep(this.#clock, GRACE_MS, ended.signal).catch(() => undefined)
      if (managedChild.isGone) break
      signal(managedChild.process, next)
    }
    await managedChild.kill()
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
        // Not a message: some servers print text for people on stdout.
        this.onerror?.(thrown as Error)
        this.#stray ??= `a line on its standard output that is no message of MCP (${strayIn(thrown)})`
        message = undefined
      }
    }
  }
}

/** JSON parsers quote the invalid text in their message. */
function strayIn(thrown: unknown): string {
  return thrown instanceof SyntaxError ? onOneLine(truncate(thrown.message, MAX_STRAY_CHARS)) : 'JSON of another form'
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, name)
    else child.kill(name)
  } catch {
    child.kill(name)
  }
}
