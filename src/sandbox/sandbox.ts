import { randomUUID } from 'node:crypto'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { FairSemaphore } from '../domain/fair-semaphore.ts'
import type { Backend, Runtime } from './backend.ts'
import { SandboxChild } from './child.ts'
import { cpythonBackend } from './cpython/backend.ts'
import { JOB_LIMITS, LIMITS } from './limits.ts'
import { cleanJson, readReply, violation } from './reply.ts'
import { currentPlatform, type Platform } from './platform.ts'
import { pyodideBackend } from './pyodide-backend.ts'
import type { Sandbox, SandboxCheck, SandboxDescription, SandboxJob, SandboxOptions, SandboxResult } from './types.ts'
import type { WireJob } from './wire.ts'

export type * from './types.ts'

/** A process that waits may be ended by whatever happens on the machine; a row of them means that something is wrong. */
const TAKES = 3
/** Jobs at one time; others wait. */
const JOBS_AT_ONCE = 2
const DEFAULT_TIMEOUT_MS = 30_000
const CHECK_TIMEOUT_MS = 60_000
/**
 * Delay after a job before a process is started for the next one; programs that run a single job have ended by then.
 */
const SPARE_AFTER_MS = 1_000

/** Allocates memory until none is available. */
const GREED = `
blocks = []
try:
    while True:
        blocks.append(b'x' * (4 << 20))
except MemoryError:
    enough = len(blocks) > 0
    blocks = None
enough`

export interface SandboxDeps {
  readonly clock: Clock
  /** The current machine by default. */
  readonly platform?: Platform
}

/** Makes a sandbox for Python. Nothing is started before the first job or `warm`. */
export function createSandbox(options: SandboxOptions, deps: SandboxDeps): Sandbox {
  return new ProcessSandbox(options, deps)
}

class ProcessSandbox implements Sandbox {
  readonly #options: SandboxOptions
  readonly #clock: Clock
  readonly #backend: Backend
  readonly #memoryMb: number
  #runtime: Promise<Runtime> | undefined
  #warm: Promise<SandboxChild> | undefined
  /** Cancels the planned start of a spare process. */
  #cancelSpare: () => void = () => undefined
  readonly #busy = new Set<SandboxChild>()
  readonly #turns = new FairSemaphore(JOBS_AT_ONCE)
  #isConfirmed = false
  #isClosed = false

  constructor(options: SandboxOptions, { clock, platform = currentPlatform() }: SandboxDeps) {
    this.#options = options
    this.#clock = clock
    this.#memoryMb = options.memoryMb ?? 512
    const { backend = 'pyodide' } = options
    const limits = { memoryMb: this.#memoryMb, outputBytes: LIMITS.outputBytes }
    this.#backend = backend === 'cpython' ? cpythonBackend(platform, limits) : pyodideBackend(options, platform, limits)
  }

  describe(): SandboxDescription {
    return { ...this.#backend.describe(), memoryMb: this.#memoryMb, confirmed: this.#isConfirmed }
  }

  async run(job: SandboxJob): Promise<SandboxResult> {
    return (await this.#run(job)).result
  }

  async check(): Promise<SandboxCheck> {
    const { result, peakBytes } = await this.#run({ code: GREED, timeoutMs: CHECK_TIMEOUT_MS })
    if (result.value !== true) {
      const reason = result.error === undefined ? `it gave ${JSON.stringify(result.value)}` : result.error.message
      throw new TuttiError('ToolError', `A first piece of Python did not work in the sandbox: ${reason}.`)
    }
    return peakBytes === 0 ? {} : { peakMb: Math.ceil(peakBytes / 1024 / 1024) }
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
    runtime?.close()
    this.#runtime = undefined
  }

  async #run(job: SandboxJob): Promise<Done> {
    const wire = wireJob(job)
    job.signal?.throwIfAborted()
    const leave = await this.#turns.enter('')
    try {
      for (let take = 1; ; take++) {
        const done = await this.#runOne(wire, job)
        if (!TuttiError.isInstance(done)) return done
        if (take === TAKES) throw done
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
  ): Promise<Done | TuttiError> {
    signal?.throwIfAborted()
    const child = await this.#take()
    this.#busy.add(child)
    try {
      this.#assertOpen()
      const startedAt = this.#clock.now()
      const line = await child.run(wire, { timeoutMs, memoryMb: this.#memoryMb, signal })
      if (line === undefined) return await child.death()
      const result = readReply(line, wire.nonce, this.#clock.now() - startedAt)
      return { result, peakBytes: child.peakBytes }
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
    this.#runtime ??= this.#backend.prepare().catch((error: unknown) => {
      this.#runtime = undefined
      throw error
    })
    const runtime = await this.#runtime
    this.#assertOpen()
    const child = new SandboxChild(runtime.launch(), this.#clock)
    await child.ready(this.#backend.startHint)
    this.#isConfirmed = true
    return child
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new TuttiError('Cancelled', 'The sandbox is closed.')
  }
}

interface Done {
  readonly result: SandboxResult
  readonly peakBytes: number
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
