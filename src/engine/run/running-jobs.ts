import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { jobStarted, type Job } from '../../domain/job.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { Outcome, Result } from '../../domain/result.ts'
import { isSettled } from '../../domain/state.ts'
import { ActorCall, type Actor } from '../calls/actor-call.ts'
import { createContext } from '../calls/actor-context.ts'
import { plain } from '../log/plain-json.ts'
import { attempt, redoWithInstructions } from '../middleware/redo-with-instructions.ts'
import { compose, retry } from '../middleware/retry.ts'
import { PLAN_CHANGED } from './run-end.ts'
import { assertDue, failedOutcome, resultOf, unknownActor } from './job-result.ts'
import type { LiveRun } from './live-run.ts'

const runActor = compose([retry, redoWithInstructions, attempt], async (call) => {
  const outcome = await call.actor.run(call, createContext(call))
  return plain(outcome, `The result of ${call.actor.name}`)
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
