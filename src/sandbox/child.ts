import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Clock } from '../core/clock.ts'
import { TuttiError } from '../core/errors.ts'
import type { Launched } from './backend.ts'
import { deathOf, endedBy } from './death.ts'
import { LIMITS } from './limits.ts'
import { peakBytes, residentBytes } from './memory.ts'
import { violation } from './reply.ts'
import { READY, REPLY_DESCRIPTOR, TAKEN, type WireJob } from './wire.ts'

const START_TIMEOUT_MS = 60_000
const STDERR_KEPT = 2000
const MEMORY_LOOK_MS = 50
/** Of the limit: what the kernel's own limit does not count is little, such as more of the program's own pages. */
const MEMORY_TOLERANCE = 1.15
const MEMORY_FULL = 0.85

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
  #isKilled = false
  #hasTaken = false
  #peakBytes = 0
  #isFull = false
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
   * Hands the job over and gives the line that comes back; undefined when the process had ended before it took the job, of
   * which `death` then tells. It is gone when this settles.
   * @param memoryMb what the process may have in all
   * @throws TuttiError `SandboxViolation`, or as `death`; the signal's reason
   */
  async run(job: WireJob, { timeoutMs, memoryMb, signal }: RunLimits): Promise<string | undefined> {
    this.#process.stdin?.end(JSON.stringify(job))
    const unwatch = this.#watchMemory(memoryMb * 1024 * 1024)
    const stop = (): void => this.#signalGroup()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
    try {
      const line = await this.#line(timeoutMs)
      signal?.throwIfAborted()
      if (line === 'timeout') throw violation(`it took longer than ${timeoutMs / 1000} seconds`)
      if (line === undefined && this.#hasTaken) throw await this.death()
      return line
    } finally {
      unwatch()
      this.#peakBytes = Math.max(this.#peakBytes, peakBytes(this.#process.pid) ?? 0)
      signal?.removeEventListener('abort', stop)
      await this.kill()
    }
  }

  /** The most memory that the process ever had, as far as the kernel told; 0 where it does not tell. */
  get peakBytes(): number {
    return this.#peakBytes
  }

  /** Why the process ended without a reply. */
  async death(): Promise<TuttiError> {
    // What it said at last may come after its exit.
    this.#setRef(true)
    const { stderr } = this.#process
    if (stderr !== null && !stderr.destroyed) await finished(stderr).catch(() => undefined)
    if (this.#trouble !== undefined) return this.#trouble
    if (this.#isKilled) return new TuttiError('Cancelled', 'The sandbox was closed while the code ran.')
    const { exitCode } = this.#process
    return deathOf({ signal: endedBy(this.#process), exitCode, stderr: this.#stderr, isFull: this.#isFull })
  }

  /** Ends the process and all that it may have started, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#isKilled = !this.#isGone
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
        const line = this.#nextLine()
        if (line !== undefined) settle(line)
        else if (this.#isGone || this.#trouble !== undefined) settle(undefined)
      }
      this.#onChange()
    })
  }

  /** Of what has arrived; that the job was taken is noted and passed over. */
  #nextLine(): string | undefined {
    const end = this.#received.indexOf('\n')
    if (end < 0) return undefined
    const line = this.#received.slice(0, end)
    this.#received = this.#received.slice(end + 1)
    if (line !== TAKEN || this.#hasTaken) return line
    this.#hasTaken = true
    return this.#nextLine()
  }

  /** The second wall, behind the kernel's own limit: looks now and then, and kills. */
  #watchMemory(limitBytes: number): () => void {
    const look = (): void => {
      const resident = residentBytes(this.#process.pid) ?? 0
      this.#peakBytes = Math.max(this.#peakBytes, resident)
      // The last look may find nothing any more.
      if (resident > 0) this.#isFull = resident > limitBytes * MEMORY_FULL
      if (resident > limitBytes * MEMORY_TOLERANCE) {
        this.#trouble ??= violation('it needs too much memory')
        this.#signalGroup()
      } else cancel = this.#clock.timer(MEMORY_LOOK_MS, look)
    }
    let cancel = this.#clock.timer(MEMORY_LOOK_MS, look)
    return () => cancel()
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

export interface RunLimits {
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly signal?: AbortSignal | undefined
}

interface Refable {
  ref(): void
  unref(): void
}
