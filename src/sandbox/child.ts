import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import type { Clock } from '../core/clock.ts'
import { TuttiError } from '../core/errors.ts'
import type { Launched } from './backend.ts'
import { LIMITS } from './limits.ts'
import { violation } from './reply.ts'
import { READY, REPLY_DESCRIPTOR, type WireJob } from './wire.ts'

const START_TIMEOUT_MS = 60_000
const STDERR_KEPT = 2000

/** One process, which runs one job. It keeps the program alive only while something is awaited of it. */
export class SandboxChild {
  readonly #process: ChildProcess
  readonly #killInside: Launched['killInside']
  readonly #clock: Clock
  readonly #exit: Promise<void>
  #stderr = ''
  #received = ''
  #bytes = 0
  #isGone = false
  #onChange: () => void = () => undefined
  #trouble: TuttiError | undefined

  constructor({ process, killInside }: Launched, clock: Clock) {
    this.#process = process
    this.#killInside = killInside
    this.#clock = clock
    this.#exit = new Promise((resolve) => {
      const gone = (): void => {
        this.#isGone = true
        resolve()
        this.#onChange()
      }
      process.once('exit', gone)
      process.once('error', (error) => {
        this.#trouble = new TuttiError('ConfigurationError', `The sandbox cannot start a process: ${error.message}`)
        if (process.pid === undefined) gone()
      })
    })
    process.stderr?.on('data', (piece: Buffer) => {
      this.#stderr = (this.#stderr + piece.toString()).slice(-STDERR_KEPT)
    })
    // Writing to a process that has died is found out by its end.
    process.stdin?.on('error', () => undefined)
    const replies = process.stdio[REPLY_DESCRIPTOR] as Readable
    replies.setEncoding('utf8')
    replies.on('data', (piece: string) => this.#receive(piece))
    this.#setRef(false)
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get isAlive(): boolean {
    return !this.#isGone
  }

  /**
   * Resolves once the child says that it has locked itself in and waits.
   * @param hint what can be done about it when it does not come up; a sentence
   * @throws TuttiError `ConfigurationError`
   */
  async ready(hint?: string): Promise<void> {
    const line = await this.#line(START_TIMEOUT_MS)
    if (line === READY) return
    await this.kill()
    if (this.#trouble !== undefined) throw this.#trouble
    const reason = /Error: .*/.exec(this.#stderr)?.[0] ?? (this.#stderr.trim() || 'it gave no reason')
    const advice = hint === undefined ? '' : `${/[.!]$/.test(reason) ? '' : '.'} ${hint}`
    throw new TuttiError('ConfigurationError', `Python does not start in the sandbox: ${reason}${advice}`)
  }

  /**
   * Hands the job over and gives the line that comes back; the process is gone when this settles.
   * @throws TuttiError `SandboxViolation`, or the signal's reason
   */
  async run(job: WireJob, timeoutMs: number, signal?: AbortSignal): Promise<string> {
    this.#process.stdin?.end(JSON.stringify(job))
    const stop = (): void => this.#signalGroup()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
    try {
      const line = await this.#line(timeoutMs)
      signal?.throwIfAborted()
      if (line === 'timeout') throw violation(`it took longer than ${timeoutMs / 1000} seconds`)
      if (line === undefined) throw await this.#death()
      return line
    } finally {
      signal?.removeEventListener('abort', stop)
      await this.kill()
    }
  }

  /** Ends the process and all that it may have started, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#setRef(true)
    this.#signalGroup()
    await this.#exit
    for (const stream of this.#process.stdio) stream?.destroy()
  }

  /** The next line; `timeout` after so many milliseconds, undefined when the process ends without one. */
  #line(timeoutMs: number): Promise<string | undefined> {
    this.#setRef(true)
    return new Promise((resolve) => {
      const settle = (line: string | undefined): void => {
        cancel()
        this.#onChange = () => undefined
        this.#setRef(false)
        resolve(line)
      }
      const cancel = this.#clock.timer(timeoutMs, () => settle('timeout'))
      this.#onChange = () => {
        const end = this.#received.indexOf('\n')
        if (end >= 0) {
          const line = this.#received.slice(0, end)
          this.#received = this.#received.slice(end + 1)
          settle(line)
        } else if (this.#isGone || this.#trouble !== undefined) settle(undefined)
      }
      this.#onChange()
    })
  }

  #receive(piece: string): void {
    this.#bytes += piece.length
    if (this.#bytes > LIMITS.replyBytes) {
      this.#trouble ??= violation('it gives back too much')
      this.#signalGroup()
    } else this.#received += piece
    // Looking for the end of the line in every piece of a long reply would take quadratic time.
    if (piece.includes('\n') || this.#trouble !== undefined) this.#onChange()
  }

  /** Why the process ended without a reply. The end of its error output may come after its exit. */
  async #death(): Promise<TuttiError> {
    if (this.#trouble !== undefined) return this.#trouble
    await new Promise((resolve) => setImmediate(resolve))
    const signalCode = endedBy(this.#process)
    if (signalCode === 'SIGSYS') return violation('it tried a system call that is not allowed')
    if (signalCode === 'SIGXCPU') return violation('it took too much processor time')
    if (/out of memory|allocation failed|OOM/i.test(this.#stderr)) return violation('it needs too much memory')
    return violation('it ended the process that it ran in')
  }

  #signalGroup(): void {
    const { pid } = this.#process
    if (this.#isGone || pid === undefined || this.#killInside?.() === true) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch (error) {
      // No group of that id where groups are unknown, or it is gone already.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      this.#process.kill('SIGKILL')
    }
  }

  #setRef(isWaiting: boolean): void {
    const method = isWaiting ? 'ref' : 'unref'
    this.#process[method]()
    for (const stream of this.#process.stdio) {
      // Pipes are sockets, which the types leave open.
      if (stream !== null && stream !== undefined && method in stream) (stream as unknown as Refable)[method]()
    }
  }
}

/** The signal that ended a process; bubblewrap tells of its child's as a shell does, by an exit code of 128 and more. */
function endedBy({ signalCode, exitCode }: ChildProcess): NodeJS.Signals | null {
  if (signalCode !== null || exitCode === null || exitCode <= 128) return signalCode
  const [name] = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128) ?? []
  return (name as NodeJS.Signals | undefined) ?? null
}

interface Refable {
  ref(): void
  unref(): void
}
