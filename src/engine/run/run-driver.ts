import { TuttiError } from '../../domain/errors.ts'
import type { Clock } from '../../shared/clock.ts'
import type { EventBody, NewEvent, RunEvent } from '../../domain/events.ts'
import type { ModelPort } from '../../domain/model.ts'
import type { Result } from '../../domain/result.ts'
import { advance, isOver, type RunState } from '../../domain/state.ts'
import type { ApprovalRecord } from '../../domain/store.ts'
import type { Strategy } from '../../domain/strategy.ts'
import type { ActorCall } from '../calls/actor-call.ts'
import { withChecks } from '../calls/answer-checks.ts'
import { addressesOf, withoutUnknownLinks } from '../calls/answer-links.ts'
import { AnswerStream } from '../calls/answer-stream.ts'
import { SourceIds } from '../calls/source-ids.ts'
import { Activation } from './activation.ts'
import { BudgetMeter } from './budget.ts'
import type { LiveText } from '../../shared/live-text.ts'
import { Eviction, WaitConditions } from './wait-conditions.ts'
import type { ActiveRunActors } from './actor-registry.ts'
import {
  childrenOf,
  type EngineParts,
  type DriverEnd,
  type LogPosition,
  type ApprovalPolicy,
  type LiveRun,
} from './live-run.ts'
import { RunningJobs } from './running-jobs.ts'
import { loggedError } from '../log/plain-json.ts'
import { expiryFailedNote, RunEnd } from './run-end.ts'
import { MAX_TAKEOVERS, runPoisonedError } from './run-errors.ts'
import { RunLog, type RunLogOwner, timestamp } from '../log/run-log.ts'
import { Slots } from './slots.ts'
import { RunTimeLimit } from './run-time-limit.ts'

/** Maximum number of answer parts per driver; the next driver's parts have higher numbers. */
const PARTS_PER_DRIVER = 1_000

type Resumed = Omit<Extract<EventBody, { type: 'run.resumed' }>, 'type' | 'secrets'>

/**
 * Drives one run: folds events into the state, asks the strategy for due jobs, and starts them. It is the only owner of
 * the run's live state; everything in it runs in one turn of the event loop after another.
 */
export class RunDriver implements LiveRun, RunLogOwner {
  readonly state: RunState
  readonly clock: Clock
  readonly models: ModelPort
  readonly approvals: ApprovalPolicy
  readonly artifacts: LiveRun['artifacts']
  readonly random: () => number
  readonly agents: LiveRun['agents']
  readonly taskActors: LiveRun['taskActors']
  readonly assertPermitted: LiveRun['assertPermitted']
  readonly budget: BudgetMeter
  readonly ended: Promise<DriverEnd>
  private readonly deps: EngineParts
  readonly log: RunLog
  readonly epoch: number
  private readonly jobs: RunningJobs
  private readonly waits: WaitConditions
  private readonly answer: AnswerStream
  private readonly eviction: Eviction
  private readonly ending: RunEnd
  private readonly activation: Activation
  private stopped = false
  private end!: (how: DriverEnd) => void
  /** Why the driver had to let go, when that was not another worker's doing. */
  failure: TuttiError | undefined
  private readonly timeLimit: RunTimeLimit
  private shuttingDown = false
  /** Who took the run up and when, until that is in its log. */
  private resuming: { readonly by: Resumed; readonly at: string } | undefined
  readonly slots: Slots
  readonly children: LiveRun['children']
  readonly sourceIds: SourceIds

  constructor(
    deps: EngineParts,
    { actors, agents, assertPermitted }: ActiveRunActors,
    strategy: Strategy,
    state: RunState,
    epoch: number,
  ) {
    this.deps = deps
    this.clock = deps.clock
    this.models = deps.models
    this.approvals = deps.approvals
    this.artifacts = deps.artifacts
    this.sourceIds = new SourceIds(state)
    this.random = deps.random
    this.agents = agents
    this.assertPermitted = assertPermitted
    this.state = state
    this.epoch = epoch
    this.log = new RunLog(state.runId, epoch, state.seq, this)
    this.ended = new Promise((resolve) => (this.end = resolve))
    this.timeLimit = new RunTimeLimit(state, deps.clock, (message) => this.ending.endAtTimeLimit(message))
    this.budget = new BudgetMeter(state, (limit, message) => this.ending.exhaust(limit, message))
    this.waits = new WaitConditions(this)
    this.taskActors = new Set([...actors.values()].flatMap(({ name, isRole }) => (isRole ? [] : [name])))
    this.jobs = new RunningJobs(this, actors)
    this.slots = new Slots(deps.maxParallel, this.jobs)
    this.answer = new AnswerStream(
      deps.clock,
      // The driver before may have shown parts that it could no longer write.
      Math.max(state.answerPart, (epoch - 1) * PARTS_PER_DRIVER),
      (text) => deps.live.publish(state.runId, text),
      (event) => this.push(event),
      (key) => addressesOf(state, this.jobs.provenanceOf(key)),
    )
    this.eviction = new Eviction(this)
    this.ending = new RunEnd(this, { jobs: this.jobs, answer: this.answer, cancel: deps.children.cancel })
    this.activation = new Activation(this, strategy, { jobs: this.jobs, ending: this.ending, waits: this.waits })
    this.children = childrenOf(this.state, deps.children, () => this.checkWaiting())
  }

  /** Nothing more is done with the run here. */
  get isLeft(): boolean {
    return this.stopped || this.shuttingDown || isOver(this.state)
  }

  get position(): LogPosition {
    return { epoch: this.log.epoch, seq: this.log.persistedSeq }
  }

  /** When the next open approval runs out, in milliseconds since the epoch. */
  get nextExpiry(): number | undefined {
    return this.waits.nextExpiry()
  }

  timeLeft(): number | undefined {
    return this.timeLimit.left()
  }

  get queued(): boolean {
    return this.deps.queued
  }

  get unkeptText(): LiveText | undefined {
    return this.answer.unkept
  }

  /** Takes the run up. @param by who does when the run is not begun */
  async start(by?: Resumed): Promise<void> {
    if (by !== undefined) this.resuming = { by, at: timestamp(this.clock) }
    this.timeLimit.start(this.resuming === undefined)
    const isTakeover = by?.takenFrom !== undefined
    if (isTakeover && this.state.takeovers >= MAX_TAKEOVERS && this.state.cancelling === undefined) {
      return this.ending.finish({ finish: 'failed', error: loggedError(runPoisonedError(this.state.runId)) })
    }
    this.ending.endOutdated()
    // Durable before any work, so that the takeover counts even if the work stops this process, too.
    if (isTakeover) await this.flushResumed()
    this.activation.run()
  }

  private async flushResumed(): Promise<void> {
    if (this.resuming !== undefined) this.writeResumed(this.resuming)
    await this.flush().catch(() => undefined) // onLost was called
  }

  push(event: EventBody): void {
    // A run has no events after its last one.
    if (this.stopped || isOver(this.state)) return
    if (this.resuming !== undefined) this.writeResumed(this.resuming)
    this.write({ ...event, at: timestamp(this.clock) })
  }

  private write(event: NewEvent): void {
    const { activeMs } = this.state
    advance(this.state, event)
    if (event.type === 'child.finished') this.timeLimit.take(this.state.activeMs - activeMs)
    this.deps.writer.push(this.log, event)
  }

  /** With the first thing that happens: a run that continues waiting was not gone on with. */
  private writeResumed({ by, at }: { readonly by: Resumed; readonly at: string }): void {
    this.resuming = undefined
    this.write({ type: 'run.resumed', ...by, at })
    this.log.status ??= 'running'
  }

  flush(): Promise<void> {
    this.answer.flush()
    return this.deps.writer.flush(this.log, true)
  }

  assertHeld(): Promise<void> {
    return this.deps.assertHeld(this.log)
  }

  standingApprovals(tool: string, destination: string): Promise<readonly ApprovalRecord[]> {
    return this.deps.standingApprovals(this.state.owner, tool, destination)
  }

  async expire(approvalId: string): Promise<boolean> {
    const note = await this.deps.expire(this.state.runId, approvalId).then(() => undefined, expiryFailedNote)
    if (note !== undefined) this.push(note)
    return note === undefined
  }

  /** A waiting job uses no slot, so another job may start, and the run may leave memory. */
  onIdle(): void {
    this.slots.admit()
    this.activation.onFreeSlot()
    this.checkWaiting()
  }

  streamAnswer(key: string, text: string, offset: number, release?: (soFar: string) => string): void {
    if (!this.stopped) this.answer.write(key, text, offset, release)
  }

  pauseAnswer(): void {
    if (!this.stopped) this.answer.pause()
  }

  until(isDone: (state: RunState) => boolean): Promise<void> {
    return this.waits.until(isDone)
  }

  // --- external events ---

  /** Releases the run for another process. Irreversible calls are awaited, and the usage of model calls that are cut off is logged. */
  async shutDown(): Promise<void> {
    this.shuttingDown = true
    const reason = new TuttiError('RunLost', 'This worker is shutting down; another one continues the run.')
    this.jobs.abandon(reason)
    await this.jobs.effectsDone()
    await this.flush().catch(() => undefined) // unwritten work is repeated
    this.stop('lost', reason)
  }

  onCommitted(events: readonly NewEvent[], afterSeq: number): void {
    const { runId } = this.state
    if (!this.deps.live.hasListeners(runId)) return
    for (const [i, event] of events.entries()) {
      this.deps.live.publish(runId, { ...event, runId, seq: afterSeq + 1 + i, v: 1 })
    }
  }

  onForeign(events: readonly RunEvent[]): void {
    if (this.stopped) return
    for (const event of events) {
      if (this.ending.accepts(event)) advance(this.state, event)
      this.deps.live.publish(this.state.runId, event)
    }
    this.activation.run()
  }

  onLost(error: TuttiError): void {
    if (error.code !== 'RunLost') this.failure = error
    this.stop('lost', error)
  }

  onSettled(call: ActorCall, result: Result): void {
    const { sources } = result
    const withIds = sources === undefined ? result : { ...result, sources: this.sourceIds.name(sources) }
    const events = withChecks(this.state, withoutUnknownLinks(this.state, call, withIds))
    const composed = events.find((event) => event.type === 'answer.composed')
    this.answer.end(call.job.key, composed?.answer)
    this.ending.expireApprovals((key) => key === call.job.key)
    for (const event of events) this.push(event)
    this.activation.soon()
  }

  leave(): void {
    this.stop('waiting')
  }

  over(): void {
    if (isOver(this.state)) this.stop('over')
  }

  private stop(how: DriverEnd, why?: TuttiError): void {
    if (this.stopped) return
    this.stopped = true
    this.timeLimit.cancel()
    this.answer.stop()
    this.waits.clear()
    if (this.jobs.size > 0) {
      this.jobs.abandon(why ?? new TuttiError('Cancelled', 'The run is no longer in memory.'))
      this.jobs.forget()
    }
    this.end(how)
  }

  /** Lets the run leave memory when all it does is wait. */
  checkWaiting(): void {
    if (!this.stopped) this.eviction.consider()
  }

  isWaiting(): boolean {
    if (this.isLeft || this.jobs.size === 0) return false
    return this.jobs.areParked && !this.waits.hasNews()
  }
}
