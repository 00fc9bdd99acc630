import { randomUUID } from 'node:crypto'
import { systemClock, type Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { type EventBody, type RunEvent, type RunId, LOCAL_OWNER, type Owner } from '../domain/events.ts'
import { validatePlan, type Plan } from '../domain/plan.ts'
import { withTemporalContext, type RunRequest } from '../domain/request.ts'
import { fold, isOver, type RunState } from '../domain/state.ts'
import { isFinal, type RunStore, type Wakeups } from '../domain/store.ts'
import type { ApprovalDetails } from '../domain/approvals.ts'
import { decide } from './approvals/decide.ts'
import { ActorRegistry } from './run/actor-registry.ts'
import { forkLog, type ForkChanges, type ForkOptions } from './run/fork.ts'
import { LiveHub, type LiveItem } from './readers/live.ts'
import type { DriverEnd } from './run/live-run.ts'
import { DEFAULT_APPROVALS, type EngineOptions, type RunLimits, type StartOptions } from './options.ts'
import { OwnedRuns, type RunSources } from './owned-runs.ts'
import { RunReaders } from './readers/readers.ts'
import { assertOpen, runBusyError, runNotFoundError } from './run/run-errors.ts'
import { assertHeld, LEASE_MS } from './run/lease.ts'
import { LogWriter, withTimestamp } from './log/run-log.ts'
import { claimCall } from './run/run-tree.ts'
import { Recovery, type MayTake } from './run/crash-recovery.ts'
import { RunCommands } from './run/commands.ts'
import { RunPool } from './run/run-pool.ts'
import type { Lens, StreamOptions } from './readers/stream.ts'
import { replacePlan } from './run/replace-plan.ts'
import { StrategyRegistry } from './run/strategy-registry.ts'

type Start = Extract<EventBody, { type: 'run.started' }>

/** Starts, wakes, forks and cancels runs, and lets others follow them. One per process; several may share a store. */
export class Engine {
  private readonly store: RunStore
  private readonly clock: Clock
  private readonly wakeups: Wakeups | undefined
  private readonly strategies: StrategyRegistry
  private readonly actors: ActorRegistry
  private readonly limits: RunLimits | undefined
  private readonly live = new LiveHub()
  private readonly ownedSources: RunSources
  private readonly pool: RunPool
  private readonly commands: RunCommands
  private readonly readers: RunReaders
  private readonly recovery: Recovery

  constructor(options: EngineOptions) {
    const { store, models, clock = systemClock, wakeups } = options
    this.store = store
    this.clock = clock
    this.wakeups = wakeups
    const artifacts = options.artifacts ?? store.artifacts
    this.ownedSources = { store, artifacts, clock, known: options.secrets ?? [] }
    this.strategies = new StrategyRegistry(options.strategies, options.strategyNames)
    this.limits = options.limits
    this.actors = new ActorRegistry(options)
    const leases = { store, clock, leaseMs: options.leaseMs ?? LEASE_MS }
    this.pool = new RunPool({
      ...leases,
      leaseKeeper: options.leaseKeeper,
      onOver: options.onOver,
      strategyOf: (state) => this.strategies.of(state.request),
      maxRuns: options.maxRuns ?? 50,
      actorsOf: (state) => this.actors.working(state),
      driverDeps: {
        clock,
        models,
        writer: new LogWriter(store, clock),
        live: this.live,
        approvals: { ...DEFAULT_APPROVALS, ...options.approvals },
        artifacts,
        random: options.random ?? Math.random,
        maxParallel: options.maxParallel ?? 8,
        queued: wakeups !== undefined,
        children: {
          start: (childId, request, options) => this.startChild(childId, request, options),
          outcome: (childId, signal) => this.outcome(childId, signal),
          cancel: (childId, by) => this.commands.cancelChild(childId, by),
          claim: (...asked) => claimCall({ store, clock }, ...asked),
        },
        assertHeld: (log) => assertHeld(leases, log),
        standingApprovals: (owner, tool, destination) =>
          store.approvals({ owner, tool, destination, isStanding: true }),
        expire: (runId, approvalId) => this.commands.expire(runId, approvalId),
      },
    })
    const notifyDriver = (runId: RunId) => this.pool.notifyDriver(runId)
    this.commands = new RunCommands({ store, clock, isQueued: wakeups !== undefined, notifyDriver })
    this.readers = new RunReaders({
      feed: store.feed,
      live: this.live,
      clock,
      isLocal: (runId) => this.pool.driver(runId) !== undefined,
      unkept: (runId) => this.pool.driver(runId)?.unkeptText,
      failure: (runId) => this.pool.failure(runId),
    })
    const enqueue = wakeups && this.commands.wake.bind(this.commands)
    this.recovery = new Recovery({ store, clock, pool: this.pool, enqueue })
  }

  /**
   * Writes the start of a run to the log and begins to work on it, or hands it to the queue. Resolves when it is durable.
   * @throws TuttiError `InvalidRequest` for a strategy that does not exist
   */
  async start(request: RunRequest, options: StartOptions = {}): Promise<RunId> {
    const { runId = randomUUID(), owner = LOCAL_OWNER, ...inherited } = options
    this.strategies.of(request)
    const started = { type: 'run.started', request: withTemporalContext(request, this.clock.now()), owner } as const
    await this.create(runId, [{ ...started, ...inherited }])
    return runId
  }

  /** @throws TuttiError `InvalidRequest` for an unknown strategy, naming the registered ones */
  assertStrategy(request: RunRequest): void {
    this.strategies.assertKnown(request)
  }

  /**
   * The runs of one owner, for users and their programs; no other owner's runs are visible.
   * @throws TuttiError `InvalidRequest`
   */
  as(owner: Owner): OwnedRuns {
    return new OwnedRuns(this, owner, this.ownedSources)
  }

  /**
   * Waits until a run is over, in any process, or until the signal is aborted, and returns its state. Rejects if this
   * process had to give up the run.
   */
  async outcome(runId: RunId, signal?: AbortSignal): Promise<RunState> {
    const state = (await this.pool.settled(runId, signal)) ?? (await this.state(runId))
    if (isOver(state) || signal?.aborted === true) return state
    const options = { afterSeq: state.seq, ...(signal === undefined ? {} : { signal }) }
    for await (const item of this.stream(runId, options)) void item
    return this.state(runId)
  }

  /** @throws TuttiError `RunNotFound` */
  async state(runId: RunId): Promise<RunState> {
    return fold(await this.events(runId))
  }

  /** The whole log of a run. @throws TuttiError `RunNotFound` */
  async events(runId: RunId): Promise<readonly RunEvent[]> {
    const events = await this.store.read(runId)
    if (events.length === 0) throw runNotFoundError(runId)
    return events
  }

  /**
   * All events of a run from `afterSeq` on, then live until it is over; without gaps or duplicates.
   * @param lensOf called when reading begins; the reader gets its errors
   */
  stream(runId: RunId, options: StreamOptions = {}, lensOf?: () => Promise<Lens>): AsyncGenerator<LiveItem> {
    return this.readers.stream(runId, options, lensOf)
  }

  /**
   * Resumes an unfinished run, such as one whose process died. Resolves with how far it got.
   * @throws TuttiError `RunNotFound`, or `RunConflict` if a live worker holds it
   */
  async resume(runId: RunId): Promise<DriverEnd> {
    const record = await this.commands.record(runId)
    if (isFinal(record.status)) return 'over'
    const end = await this.pool.drive(runId)
    if (end === 'busy') throw runBusyError(runId)
    return end
  }

  /**
   * Resumes or enqueues every unfinished run that no live worker holds, except those for which `mayTake` returns false.
   * Returns their ids; they continue in the background. Runs that wait for a user continue to wait.
   */
  recover(mayTake?: MayTake): Promise<readonly RunId[]> {
    return this.recovery.recover(mayTake)
  }

  /** Works on runs of the queue, and on those of dead workers, until `close`. */
  async work(mayTake?: MayTake): Promise<void> {
    this.recovery.watch(mayTake)
    await this.wakeups?.work(async (runId) => {
      const end = await this.pool.drive(runId)
      // Held by a worker that may be dead: the queue brings it back later.
      if (end === 'busy' || end === 'lost') throw runBusyError(runId)
    })
  }

  /** @throws TuttiError `RunNotFound`, or `RunConflict` when the run is over already */
  async cancel(runId: RunId, by: string): Promise<void> {
    if (await this.commands.send(runId, { type: 'run.cancelling', by })) return
    const { status } = await this.commands.record(runId)
    throw new TuttiError('RunConflict', `Run ${runId} is already ${status}.`)
  }

  /**
   * To be called before a run is resumed elsewhere.
   * @throws TuttiError `UnknownAgent` if an agent it still needs is not set up here; `RunNotFound`
   */
  async assertCast(runId: RunId): Promise<void> {
    await this.actors.assertComplete(await this.state(runId))
  }

  /**
   * A user's decision on a pending call. Only the first decision counts. With instructions, the call is not
   * made, and a call that follows them needs a new approval. For a question, the instructions are the answer. An edited
   * payload is validated against the tool's schema when the call is made.
   * @throws TuttiError `ApprovalNotPending` if it was already decided or timed out; `InvalidRequest` for a question
   * without an answer, for instructions that contradict an approval, and for a scope that this approval does not offer
   */
  async decide(
    approvalId: string,
    choice: 'approved' | 'denied',
    by: string,
    instructions?: string,
    details: ApprovalDetails = {},
  ): Promise<void> {
    const parts = { store: this.store, clock: this.clock, commands: this.commands }
    await decide(parts, { approvalId, choice, by, instructions, ...details })
  }

  /**
   * Starts a new run that shares the log of an earlier run up to the start of one job, and continues with a changed
   * model, context or plan. Earlier calls are not repeated; with another question the run is planned from scratch.
   * @throws TuttiError `RunNotFound`; `InvalidRequest` naming the jobs if the key is unknown
   */
  async fork(runId: RunId, fromKey: string, changes: ForkChanges = {}, options: ForkOptions = {}): Promise<RunId> {
    const state = await this.state(runId)
    assertOpen(state)
    const log = forkLog(await this.events(runId), fromKey, changes, await this.actors.names(state), options)
    const forkId = randomUUID()
    await this.create(forkId, log)
    return forkId
  }

  /**
   * Changes the plan of a running run. Completed tasks keep their results. A changed task runs again, with all tasks
   * that depend on it. Jobs of removed tasks are cancelled.
   * @throws TuttiError `InvalidPlan` or `UnknownAgent` naming the tasks; `RunNotFound`; `RunConflict` for a run without
   * a plan or a run that is over
   */
  async replan(runId: RunId, plan: Plan, by: string): Promise<void> {
    const state = await this.state(runId)
    const valid = validatePlan(plan, await this.actors.names(state))
    await replacePlan({ store: this.store, commands: this.commands }, state, valid, by)
  }

  /**
   * Adds to the request of a run that is under way: its tool loops give the text to the model with their next turn.
   * @throws TuttiError `RunNotFound`; `RunConflict` for a run that is over
   */
  async say(runId: RunId, text: string, by: string): Promise<void> {
    if (await this.commands.send(runId, { type: 'user.said', text, by })) return
    throw new TuttiError('RunConflict', `Run ${runId} is over; ask in its conversation instead.`)
  }

  /** Stops working. Unfinished runs continue at the next `recover`, or in another process. */
  async close(): Promise<void> {
    this.recovery.stop()
    await this.pool.close()
    await this.wakeups?.stop()
  }

  /** Writes the first events of a run and gets it going. */
  private async create(runId: RunId, [begun, ...rest]: readonly EventBody[]): Promise<void> {
    const events = [await this.withinLimits(runId, begun as Start), ...rest]
    const append = { runId, afterSeq: 0, events: withTimestamp(this.clock, events), status: 'running' } as const
    const outcome = await this.commands.append(append).catch(async (thrown: unknown) => {
      // The owner no longer exists, so nothing was stored.
      if (TuttiError.is(thrown, 'NotFound')) await this.limits?.release(runId)
      throw thrown
    })
    if (outcome !== 'appended') {
      const record = await this.store.run(runId)
      // A run that continues needs its reservation.
      if (record === undefined || isFinal(record.status)) await this.limits?.release(runId)
      throw new TuttiError('RunConflict', `Run ${runId} already exists.`)
    }
    if (this.wakeups === undefined) await this.pool.takeUp(runId)
  }

  /** A nested run shares its parent's limits. */
  private async withinLimits(runId: RunId, start: Start): Promise<Start> {
    if (this.limits === undefined || start.parent !== undefined) return start
    const { request, owner = LOCAL_OWNER } = start
    return { ...start, request: { ...request, budget: await this.limits.reserve(runId, owner, request.budget) } }
  }

  private async startChild(childId: RunId, request: RunRequest, inherited: StartOptions): Promise<boolean> {
    const record = await this.store.run(childId)
    if (record !== undefined && isFinal(record.status)) return true
    if (record === undefined) await this.start(request, { ...inherited, runId: childId })
    else if (this.wakeups === undefined) void this.pool.takeUpWhenFree(childId)
    return false
  }
}
