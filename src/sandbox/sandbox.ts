import { randomUUID } from 'node:crypto'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { FairSemaphore } from '../domain/fair-semaphore.ts'
import { SandboxChild } from './child.ts'
import { createLauncher, type Launcher } from './launch.ts'
import { JOB_LIMITS, LIMITS } from './limits.ts'
import { cleanJson, readReply, violation } from './reply.ts'
import { currentPlatform, type Platform } from './platform.ts'
import { findInstallation, type Installation } from './pyodide-installation.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import type { Sandbox, SandboxDescription, SandboxJob, SandboxOptions, SandboxResult } from './types.ts'
import type { WireJob } from './wire.ts'

export type * from './types.ts'

/** A process that waits may be ended by whatever happens on the machine; a row of them means that something is wrong. */
const MAX_ATTEMPTS = 3
/** Jobs at one time; others wait. */
const JOBS_AT_ONCE = 2
const DEFAULT_TIMEOUT_MS = 30_000
/**
 * Delay after a job before a process is started for the next one; programs that run a single job have ended by then.
 */
const SPARE_AFTER_MS = 1_000

const TOO_WEAK =
  'Python cannot be isolated fully on this machine: system calls are filtered on Linux (x64, arm64) with the ' +
  'package "koffi" alone. Set allowWeakIsolation to run it with the other protections.'

export interface SandboxDeps {
  readonly clock: Clock
  /** The current machine by default. */
  readonly platform?: Platform
}

/** Makes a sandbox for Python. Nothing is started before the first job or `warm`. */
export function createSandbox(options: SandboxOptions, deps: SandboxDeps): Sandbox {
  return new ProcessSandbox(options, deps)
}

/** What is prepared once, to start processes. */
interface Runtime {
  readonly launcher: Launcher
  readonly snapshot: Snapshot
}

/** Python as WebAssembly in a locked Node process for each job. */
class ProcessSandbox implements Sandbox {
  readonly #options: SandboxOptions
  readonly #clock: Clock
  readonly #platform: Platform
  readonly #memoryMb: number
  #installation: Installation | undefined
  #runtime: Promise<Runtime> | undefined
  #warm: Promise<SandboxChild> | undefined
  /** Cancels the planned start of a spare process. */
  #cancelSpare: () => void = () => undefined
  readonly #busy = new Set<SandboxChild>()
  readonly #turns = new FairSemaphore(JOBS_AT_ONCE)
  #isClosed = false

  constructor(options: SandboxOptions, { clock, platform = currentPlatform() }: SandboxDeps) {
    this.#options = options
    this.#clock = clock
    this.#platform = platform
    this.#memoryMb = options.memoryMb ?? 512
  }

  describe(): SandboxDescription {
    const isStrong = this.#installed().config.kernel !== undefined
    const isAllowed = isStrong || this.#options.allowWeakIsolation === true
    const level = isStrong ? 'strong' : 'weak'
    return { level, memoryMb: this.#memoryMb, ...(isAllowed ? {} : { unavailable: TOO_WEAK }) }
  }

  async warm(): Promise<void> {
    await this.#start()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelSpare()
    const warm = await this.#warm?.catch(() => undefined)
    await Promise.all([warm?.kill(), ...[...this.#busy].map((child) => child.kill())])
    const runtime = await this.#runtime?.catch(() => undefined)
    runtime?.snapshot.close()
    this.#runtime = undefined
  }

  async run(job: SandboxJob): Promise<SandboxResult> {
    const wire = wireJob(job)
    job.signal?.throwIfAborted()
    const leave = await this.#turns.enter('')
    try {
      for (let attempt = 1; ; attempt++) {
        const done = await this.#runOne(wire, job)
        if (!TuttiError.isInstance(done)) return done
        if (attempt === MAX_ATTEMPTS) throw done
      }
    } finally {
      leave()
    }
  }

  /**
   * The job's result; or how the process ended if it ended before it accepted the job, so that another process may run
   * it.
   */
  async #runOne(
    wire: WireJob,
    { timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal }: SandboxJob,
  ): Promise<SandboxResult | TuttiError> {
    signal?.throwIfAborted()
    const child = await this.#take()
    this.#busy.add(child)
    try {
      this.#assertOpen()
      const startedAt = this.#clock.now()
      const line = await child.run(wire, { timeoutMs, memoryMb: this.#memoryMb, signal })
      if (line === undefined) return await child.death()
      return readReply(line, wire.nonce, this.#clock.now() - startedAt)
    } finally {
      await child.kill()
      this.#busy.delete(child)
      this.#cancelSpare()
      // If that fails, the next job reports it.
      if (!this.#isClosed)
        this.#cancelSpare = this.#clock.timer(SPARE_AFTER_MS, () => void this.#start().catch(() => undefined))
    }
  }

  async #take(): Promise<SandboxChild> {
    const warm = this.#start()
    this.#warm = undefined
    const child = await warm
    return child.isAlive ? child : this.#take()
  }

  /** The process that waits for the next job; started if there is none. */
  #start(): Promise<SandboxChild> {
    if (this.#warm !== undefined) return this.#warm
    const warm = this.#launch()
    this.#warm = warm
    warm.catch(() => {
      if (this.#warm === warm) this.#warm = undefined
    })
    return warm
  }

  async #launch(): Promise<SandboxChild> {
    this.#assertOpen()
    this.#runtime ??= this.#prepare().catch((error: unknown) => {
      this.#runtime = undefined
      throw error
    })
    const { launcher, snapshot } = await this.#runtime
    this.#assertOpen()
    const child = new SandboxChild(launcher.launch('job', snapshot.descriptor), this.#clock)
    await child.ready()
    return child
  }

  async #prepare(): Promise<Runtime> {
    const { unavailable } = this.describe()
    if (unavailable !== undefined) throw new TuttiError('ConfigurationError', unavailable)
    const limits = { memoryMb: this.#memoryMb, outputBytes: LIMITS.outputBytes }
    const launcher = createLauncher(this.#installed(), limits)
    return { launcher, snapshot: await openSnapshot(launcher, this.#options.cacheDir) }
  }

  /** @throws TuttiError `ConfigurationError` when Pyodide is not installed */
  #installed(): Installation {
    return (this.#installation ??= findInstallation(this.#platform))
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new TuttiError('Cancelled', 'The sandbox is closed.')
  }
}

function wireJob({ code, data }: SandboxJob): WireJob {
  if (code.length > LIMITS.codeCharacters) {
    throw violation(`it is longer than ${LIMITS.codeCharacters} characters`)
  }
  return { nonce: randomUUID(), code, data: dataText(data), limits: JSON.stringify(JOB_LIMITS) }
}

function dataText(data: unknown): string {
  let text: string
  try {
    text = JSON.stringify(cleanJson(data ?? null, LIMITS.dataDepth, Number.POSITIVE_INFINITY))
  } catch (error) {
    throw new TuttiError('ToolError', `The data for the code cannot be written as JSON: ${(error as Error).message}.`)
  }
  if (Buffer.byteLength(text) <= LIMITS.dataBytes) return text
  const message = `The data for the code is larger than ${LIMITS.dataBytes / 1e6} MB. Pass fewer rows or columns.`
  throw new TuttiError('ToolError', message)
}
