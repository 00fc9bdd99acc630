import { TuttiError } from '../../domain/errors.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Outcome } from '../../domain/result.ts'
import { stableJson } from '../../shared/json.ts'
import { TimeLimit } from '../../shared/time-limit.ts'
import { createHash } from 'node:crypto'

/** Minimum time after an irreversible call, so that the attempt can report its outcome; in milliseconds. */
const AFTER_EFFECT_MS = 10_000

/** Schedules attempts. */
interface AttemptHost {
  /** The attempt is only waiting now. */
  onIdle(): void
  /** Calls `begin` when the attempt may continue after a wait. */
  enter(begin: () => void): Promise<void>
}

/**
 * One attempt at a job: its abort signal, its time limit, and its current activity. For the engine an aborted attempt
 * ends at once, even if its code ignores the signal. Only an irreversible call in progress is waited for.
 */
export class Attempt {
  readonly number: number
  /** Turns of the transcript that have failed since one succeeded, recorded ones included. */
  failedTurns = 0
  private readonly ending = new AbortController()
  private controller: AbortController | undefined
  private abortReason: TuttiError | undefined
  private rejectRun: ((error: TuttiError) => void) | undefined
  private over = false
  private active = 0
  private parked = 0
  /** Irreversible calls that are under way. */
  private effects: Promise<unknown>[] = []
  private readonly limit: TimeLimit | undefined
  private readonly host: AttemptHost | undefined
  private readonly timeoutMs: number | undefined

  constructor(number: number, clock: Clock, timeoutMs: number | undefined, host?: AttemptHost) {
    this.number = number
    this.host = host
    this.timeoutMs = timeoutMs
    if (timeoutMs === undefined) return
    this.limit = new TimeLimit(clock, timeoutMs, () =>
      this.abort(
        new TuttiError('Timeout', `No result within ${timeoutMs / 1000} s; the limit of the agent can be raised.`, {
          retryable: true,
        }),
      ),
    )
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController()
      if (this.abortReason !== undefined) this.controller.abort(this.abortReason)
    }
    return this.controller.signal
  }

  /** Runs the actor's code; rejects with the reason as soon as the attempt is aborted. */
  async run(body: () => Promise<Outcome>): Promise<Outcome> {
    try {
      if (this.abortReason !== undefined) throw this.abortReason
      this.limit?.start()
      return await new Promise<Outcome>((resolve, reject) => {
        this.rejectRun = reject
        body().then(resolve, reject)
      })
    } finally {
      this.over = true
      this.limit?.stop()
    }
  }

  abort(reason: TuttiError): void {
    if (this.over || this.abortReason !== undefined) return
    this.abortReason = reason
    this.ending.abort(reason)
    if (this.effects.length === 0) this.endNow(reason)
  }

  private endNow(reason: TuttiError): void {
    this.controller?.abort(reason)
    this.rejectRun?.(reason)
  }

  /** From now on the engine ignores what the attempt's code does. */
  get isOver(): boolean {
    return this.over || this.abortReason !== undefined
  }

  /** Remaining time in milliseconds; undefined without a limit. */
  get leftMs(): number | undefined {
    return this.limit?.left
  }

  /** Share of its time that is used, 0 to 1; 0 without a limit. */
  get timeUsed(): number {
    return this.limit === undefined || this.timeoutMs === undefined ? 0 : 1 - this.limit.left / this.timeoutMs
  }

  /** @throws TuttiError why this attempt may no longer do anything */
  assertAlive(): void {
    if (this.abortReason !== undefined) throw this.abortReason
    if (this.over) throw new TuttiError('Cancelled', 'This job is over; its context can no longer be used.')
  }

  /** Aborted as soon as the attempt should end; `signal` waits for irreversible calls in progress. */
  get endSignal(): AbortSignal {
    return this.ending.signal
  }

  /** It only waits for users or other runs, so the run could leave memory. */
  get isParked(): boolean {
    return this.parked > 0 && this.active === 0 && this.effects.length === 0 && !this.isOver
  }

  async working<T>(operation: () => Promise<T>): Promise<T> {
    this.assertAlive()
    this.count(+1, 0)
    try {
      return await operation()
    } finally {
      this.count(-1, 0)
    }
  }

  /** For waits on users and other runs inside `working`, which do not count as work. */
  async parking<T>(wait: () => Promise<T>): Promise<T> {
    this.count(-1, +1)
    try {
      return await wait()
    } finally {
      const resume = (): void => this.count(+1, -1)
      if (this.isOver || this.host === undefined) resume()
      else await this.host.enter(resume)
    }
  }

  /** The time limit is paused while the attempt only waits. */
  private count(active: number, parked: number): void {
    const wasParked = this.isParked
    this.active += active
    this.parked += parked
    this.watchTime()
    if (this.isParked && !wasParked) this.host?.onIdle()
  }

  private watchTime(): void {
    if (this.limit === undefined || this.isOver) return
    if (this.isParked || this.effects.length > 0) this.limit.stop()
    else this.limit.start()
  }

  /** For an irreversible call: pauses the time limit, and delays an abort until the call has ended. */
  async uninterrupted<T>(operation: () => Promise<T>): Promise<T> {
    this.assertAlive()
    const effect = operation()
    this.effects.push(effect)
    this.watchTime()
    try {
      return await effect
    } finally {
      this.effects = this.effects.filter((other) => other !== effect)
      this.limit?.leave(AFTER_EFFECT_MS)
      this.watchTime()
      if (this.effects.length === 0 && this.abortReason !== undefined) this.endNow(this.abortReason)
    }
  }

  /** Resolves when no irreversible call is under way. */
  async effectsDone(): Promise<void> {
    while (this.effects.length > 0) await Promise.allSettled(this.effects)
  }
}

/**
 * Gives every call of a job a path that stays the same when the job runs again: job, attempt, name, digest of the
 * input, and an ordinal among equal ones. The digest keeps parallel chains of calls from getting each other's recorded
 * results. The ordinal separates equal calls, which are interchangeable.
 */
export class CallPaths {
  private ordinals: Map<string, number> | undefined
  private readonly given = new Set<string>()

  /** `scope` is `key@attempt`, or the bare key for calls that must not be repeated by a later attempt either. */
  next(scope: string, name: string, input: unknown): string {
    const base = `${scope}/${name}:${digest(input)}`
    this.ordinals ??= new Map()
    const ordinal = (this.ordinals.get(base) ?? 0) + 1
    this.ordinals.set(base, ordinal)
    const path = ordinal === 1 ? base : `${base}#${ordinal}`
    this.given.add(path)
    return path
  }

  /** Whether it gave this path. */
  has(path: string): boolean {
    return this.given.has(path)
  }
}

/** A short digest of any JSON value; the order of object keys does not matter. */
export function digest(value: unknown): string {
  return createHash('sha256').update(stableJson(value)).digest('base64url').slice(0, 12)
}
