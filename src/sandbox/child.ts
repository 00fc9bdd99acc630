import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { readFileSync } from 'node:fs'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { ManagedProcess } from '../processes/managed-process.ts'
import { readLines } from '../processes/lines.ts'
import { exitError } from './exit-reason.ts'
import { LIMITS } from './limits.ts'
import { violation } from './reply.ts'
import { READY, REPLY_DESCRIPTOR, ACCEPTED, type WireJob } from './wire.ts'

const START_TIMEOUT_MS = 60_000
const MAX_STDERR_CHARS = 2000
const MEMORY_LOOK_MS = 50
/**
 * Factor of the limit. Memory that the kernel's own limit does not count is small, such as pages of the program itself.
 */
const MEMORY_TOLERANCE = 1.15
const MEMORY_FULL = 0.85

/** One process, which runs one job. It keeps the program alive only while something is awaited of it. */
export class SandboxChild {
  readonly #held: ManagedProcess
  readonly #clock: Clock
  /** Lines that have arrived and were not read yet. */
  readonly #lines: string[] = []
  #isKilled = false
  #hasTaken = false
  #isFull = false
  #onChange: () => void = () => undefined
  #violation: TuttiError | undefined

  constructor(process: ChildProcess, clock: Clock) {
    this.#held = new ManagedProcess(process, () => this.#signalGroup())
    this.#clock = clock
    void this.#held.exited.then(() => this.#onChange())
    readLines(
      process.stdio[REPLY_DESCRIPTOR] as Readable,
      LIMITS.replyBytes,
      (line) => this.#receive(line),
      () => {
        this.#stopFor('it gives back too much')
        this.#onChange()
      },
    )
    this.#held.setRef(false)
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get isAlive(): boolean {
    return !this.#held.isGone
  }

  /**
   * Resolves once the child reports that its restrictions are enabled and it waits.
   * @throws TuttiError `ConfigurationError`
   */
  async ready(): Promise<void> {
    const line = await this.#line(START_TIMEOUT_MS)
    if (line === READY) return
    await this.kill()
    const error = this.#error
    if (error !== undefined) throw error
    const reason = /Error: .*/.exec(this.#stderr)?.[0] ?? (this.#stderr.trim() || 'it gave no reason')
    throw new TuttiError('ConfigurationError', `Python does not start in the sandbox: ${reason}`)
  }

  /**
   * Sends the job and returns the reply line; undefined if the process had ended before it accepted the job (see
   * `death`). The process has ended when this settles.
   * @param memoryMb memory limit of the whole process
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
      signal?.removeEventListener('abort', stop)
      await this.kill()
    }
  }

  /** Why the process ended without a reply. */
  async death(): Promise<TuttiError> {
    // Its last output may arrive after its exit.
    this.#held.setRef(true)
    const { stderr } = this.#process
    if (stderr !== null && !stderr.destroyed) await finished(stderr).catch(() => undefined)
    const error = this.#error
    if (error !== undefined) return error
    if (this.#isKilled) return new TuttiError('Cancelled', 'The sandbox was closed while the code ran.')
    const { exitCode, signalCode } = this.#process
    return exitError({ signal: signalCode, exitCode, stderr: this.#stderr, isFull: this.#isFull })
  }

  /** Ends the process and all that it may have started, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#isKilled = !this.#held.isGone
    await this.#held.kill()
  }

  /** The next line; `timeout` after so many milliseconds, undefined when the process ends without one. */
  #line(timeoutMs: number): Promise<string | undefined> {
    this.#held.setRef(true)
    return new Promise((resolve) => {
      const settle = (line: string | undefined): void => {
        cancel()
        this.#onChange = () => undefined
        this.#held.setRef(false)
        resolve(line)
      }
      const cancel = this.#clock.timer(timeoutMs, () => settle('timeout'))
      this.#onChange = () => {
        const line = this.#lines.shift()
        if (line !== undefined) settle(line)
        else if (this.#held.isGone || this.#error !== undefined) settle(undefined)
      }
      this.#onChange()
    })
  }

  /** A second limit, besides the kernel's: measures memory regularly, and kills the process. */
  #watchMemory(limitBytes: number): () => void {
    const look = (): void => {
      const resident = residentBytes(this.#process.pid) ?? 0
      // The last measurement may find that the process is gone.
      if (resident > 0) this.#isFull = resident > limitBytes * MEMORY_FULL
      if (resident > limitBytes * MEMORY_TOLERANCE) {
        this.#stopFor('it needs too much memory')
      } else cancel = this.#clock.timer(MEMORY_LOOK_MS, look)
    }
    let cancel = this.#clock.timer(MEMORY_LOOK_MS, look)
    return () => cancel()
  }

  /** Records that the job was accepted; that line is no reply. At most two lines are read. */
  #receive(line: string): void {
    if (line === ACCEPTED && !this.#hasTaken) this.#hasTaken = true
    else if (this.#lines.length < 2) this.#lines.push(line)
    this.#onChange()
  }

  #stopFor(what: string): void {
    this.#violation ??= violation(what)
    this.#signalGroup()
  }

  get #process(): ChildProcess {
    return this.#held.process
  }

  /** The last part of its stderr. */
  get #stderr(): string {
    return this.#held.stderr.slice(-MAX_STDERR_CHARS)
  }

  get #error(): TuttiError | undefined {
    const { error } = this.#held
    if (this.#violation !== undefined || error === undefined) return this.#violation
    return new TuttiError('ConfigurationError', `The sandbox cannot start a process: ${error.message}`)
  }

  #signalGroup(): void {
    const { pid } = this.#process
    if (this.#held.isGone || pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch (error) {
      // No group of that id where groups are unknown, or it is gone already.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      this.#process.kill('SIGKILL')
    }
  }
}

export interface RunLimits {
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly signal?: AbortSignal | undefined
}

const KB = 1024

/** The current memory of a process in bytes; undefined if the kernel does not report it. */
function residentBytes(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '') ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * KB
}

/** Undefined when the process has gone. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
