import { toTuttiError, TuttiError, type ErrorInfo } from '../../domain/errors.ts'
import { jobStarted, type Job } from '../../domain/job.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { Outcome, Result } from '../../domain/result.ts'
import { isSettled, type RunState } from '../../domain/state.ts'
import { ActorCall, type Actor } from '../calls/actor-call.ts'
import { createContext } from '../calls/actor-context.ts'
import { plainCopy, loggedError } from '../log/plain-json.ts'
import { attempt } from '../middleware/attempt.ts'
import { compose, retry } from '../middleware/retry.ts'
import { PLAN_CHANGED } from './run-end.ts'
import type { LiveRun } from './live-run.ts'

const runActor = compose([retry, attempt], async (call) => {
  const outcome = await call.actor.run(call, createContext(call))
  return plainCopy(outcome, `The result of ${call.actor.name}`)
})

interface Host extends LiveRun {
  /** Nothing more is done with the run here. */
  readonly isLeft: boolean
  onSettled(call: ActorCall, result: Result): void
}

/** The jobs of a run that its driver has begun and that have not settled. */
export class RunningJobs {
  readonly #host: Host
  readonly #actors: ReadonlyMap<string, Actor>
  readonly #calls = new Map<string, ActorCall>()

  constructor(host: Host, actors: ReadonlyMap<string, Actor>) {
    this.#host = host
    this.#actors = actors
  }

  get size(): number {
    return this.#calls.size
  }

  /** The labels of everything a running job has seen. */
  provenanceOf(key: string): Provenance | undefined {
    return this.#calls.get(key)?.provenance
  }

  values(): Iterable<ActorCall> {
    return this.#calls.values()
  }

  /**
   * Starts due jobs that are not running or settled, while there are slots; returns false if a job found no slot.
   * @throws TuttiError `Internal` for a job that is not due
   */
  begin(due: readonly Job[]): boolean {
    const { state, slots } = this.#host
    let isFull = false
    for (const job of due) {
      const known = state.jobs.get(job.key)
      if (this.#calls.has(job.key) || isSettled(known)) continue
      if (job.skip === undefined && (isFull ||= !slots.isFree)) continue
      assertDue(job, state)
      this.#begin(job, known?.attempt)
    }
    return !isFull
  }

  #begin(job: Job, attemptInLog: number | undefined): void {
    const host = this.#host
    if (attemptInLog === undefined) host.push(jobStarted(job))
    const actor = this.#actors.get(job.actor) ?? unknownActor(job.actor, this.#actors)
    const call = new ActorCall(host, actor, job, attemptInLog ?? 1)
    const startedAt = host.clock.now()
    if (job.skip !== undefined) return this.#settle(call, { status: 'skipped', error: job.skip }, startedAt)
    this.#calls.set(job.key, call)
    runActor(call).then(
      (outcome) => this.#settle(call, outcome, startedAt),
      (thrown: unknown) => this.#settle(call, failedOutcome(call, call.abandoned ?? toTuttiError(thrown)), startedAt),
    )
  }

  #settle(call: ActorCall, outcome: Outcome, startedAt: number): void {
    const host = this.#host
    if (host.isLeft) return
    this.#calls.delete(call.job.key)
    host.budget.release(call.job.key)
    host.slots.admit()
    host.onSettled(call, resultOf(call, outcome, host.clock.now() - startedAt))
  }

  /** Abandons jobs whose task a plan change removed; returns their keys. */
  abandonOutdated(): readonly string[] {
    const { jobs } = this.#host.state
    const outdated = [...this.#calls.values()].filter(
      ({ job, abandoned }) => abandoned === undefined && jobs.get(job.key)?.isOutdated === true,
    )
    for (const call of outdated) call.abandon(new TuttiError('Cancelled', PLAN_CHANGED))
    return outdated.map(({ job }) => job.key)
  }

  /** Lets go of all; each settles as failed with the reason, unless the run is left. */
  abandon(reason: TuttiError): void {
    for (const call of this.#calls.values()) call.abandon(reason)
  }

  forget(): void {
    this.#calls.clear()
  }

  /** Resolves when no irreversible call is under way. */
  async effectsDone(): Promise<void> {
    await Promise.all([...this.#calls.values()].map((call) => call.attempt?.effectsDone()))
  }

  /** Whether all of them only wait for users and other runs. */
  get areParked(): boolean {
    for (const call of this.#calls.values()) if (call.attempt?.isParked !== true) return false
    return true
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The logged result of a job: its actor's outcome, and the engine's metadata. */
function resultOf(call: ActorCall, outcome: Outcome, latencyMs: number): Result {
  // Agents in plain JavaScript may return nothing at all.
  const status = outcome?.status ?? 'succeeded'
  // Object.assign instead of a spread with further fields, which would take a tenth of a job's time.
  const known = { status, provenance: call.provenance, latencyMs }
  const result: Writable<Result> = Object.assign({}, outcome, known)
  if (call.usage.calls > 0) result.usage = call.usage
  if (call.models.length > 0) result.models = call.models
  if (call.effectiveTask !== undefined) result.effectiveTask = call.effectiveTask
  return status === 'failed' ? withWhatWasDone(call, result) : result
}

/** A failure does not undo a job's earlier effects: the error names them, and their outputs are part of the result. */
function withWhatWasDone({ host, job }: ActorCall, result: Writable<Result>): Result {
  const { jobs, effects } = host.state
  const effectsDone = (jobs.get(job.key)?.effects ?? []).flatMap((path) => {
    const effect = effects.get(path)
    if (effect?.state !== 'done' || effect.error !== undefined) return []
    return [{ tool: effect.origin.tool, ...(effect.output === undefined ? {} : { output: effect.output }) }]
  })
  if (effectsDone.length === 0) return result
  const tools = [...new Set(effectsDone.map(({ tool }) => `"${tool}"`))].join(', ')
  const error = result.error ?? { type: 'Internal', message: 'The agent failed.' }
  const sentence = /[.!?…]$/.test(error.message) ? error.message : `${error.message}.`
  const message = `${sentence} Done before that, and it stays done: ${tools}.`
  return { ...result, error: { ...error, message }, partial: result.partial ?? { done: effectsDone } }
}

/**
 * The outcome of a job whose actor threw. The error detail `partial` may hold its results so far; for a call that was
 * not approved, the reason and the tools.
 */
function failedOutcome({ declined }: ActorCall, error: TuttiError): Outcome {
  const info = loggedError(error)
  if (info.type === 'PlanningDeclined') return { ...declined, status: 'failed', error: info }
  const partial = info.details?.['partial'] ?? refusedPart(info)
  return { status: 'failed', error: info, ...(partial === undefined ? {} : { partial }) }
}

function refusedPart({ type, details = {} }: ErrorInfo): unknown {
  const isRefused = type === 'ApprovalDenied' || type === 'ApprovalTimedOut'
  return isRefused && 'reason' in details ? { reason: details['reason'], tools: [details['tool']] } : undefined
}

/** Replaces a missing actor, such as an agent that was removed while its run waited. Every job of it fails. */
function unknownActor(name: string, actors: ReadonlyMap<string, Actor>): Actor {
  const known = [...actors.keys()].sort().join(', ')
  const error = new TuttiError('UnknownAgent', `Unknown actor "${name}". Known actors: ${known}.`)
  return { name, isRole: false, limits: {}, run: () => Promise.reject(error) }
}

/** @throws TuttiError `Internal` for a strategy that starts a job before its dependencies have settled */
function assertDue({ key, dependsOn = [], replaces }: Job, state: RunState): void {
  const awaited = replaces === undefined ? dependsOn : [...dependsOn, replaces]
  const early = awaited.filter((other) => !isSettled(state.jobs.get(other)))
  if (early.length > 0) throw new TuttiError('Internal', `Job "${key}" is due before ${early.join(', ')} settled.`)
  const by = replaces === undefined ? key : (state.jobs.get(replaces)?.supersededBy ?? key)
  if (by !== key) throw new TuttiError('Internal', `Job "${key}" is to replace "${replaces}", which "${by}" replaced.`)
}
