import type { ActorContext, Limits } from '../../domain/actor.ts'
import { inputJobs, plannedTask, type Job, type Rejection } from '../../domain/job.ts'
import type { TuttiError } from '../../domain/errors.ts'
import type { EventBody } from '../../domain/events.ts'
import { BY_USER, combine, type Provenance } from '../../domain/provenance.ts'
import type { EffectiveTask, Outcome } from '../../domain/result.ts'
import type { CallRecord } from '../../domain/state.ts'
import type { ToolInfo } from '../../domain/tool.ts'
import { type Usage, type UsageTotals, addUsage, NO_USAGE } from '../../domain/usage.ts'
import type { Attempt, CallPaths } from './attempt.ts'
import type { LiveRun } from '../run/live-run.ts'

/** Role or specialist, as the engine runs it. */
export interface Actor {
  readonly name: string
  /** Roles see the whole run and must answer even when the budget is used up. */
  readonly isRole: boolean
  readonly limits: Limits
  readonly followsInstructions?: boolean
  readonly tools?: readonly ToolInfo[]
  run(call: ActorCall, ctx: ActorContext): Promise<Outcome>
}

/** A job and its actor: the data collected over all its attempts. */
export class ActorCall {
  readonly host: LiveRun
  readonly actor: Actor
  readonly job: Job
  attemptNumber: number
  attempt: Attempt | undefined
  paths: CallPaths | undefined
  /** Plan and answer of the latest attempt; written together with the job's result. */
  emitted: EventBody[] = []
  /** Waits for its next attempt. */
  isResting = false
  /** Set once the engine has abandoned the job; from then on its code has no effect. */
  abandoned: TuttiError | undefined
  /** The attempt after a limit was reached has been given. */
  lastChance = false
  /** The rejection of the previous attempt, if it was sent back. */
  rejected: Rejection | undefined
  /** The reason why that attempt calls no model. */
  withoutModel: string | undefined
  /** The task as changed by a user's instructions. */
  effectiveTask: EffectiveTask | undefined
  /** Replaces the planned text for the agent in that case. */
  taskText: string | undefined
  /** How the instructions of approvals relate to the task, by approval id. */
  readonly intents = new Map<string, { readonly intent: EffectiveTask['intent']; readonly by: 'model' | 'fallback' }>()
  /** Added to the result of a job that its agent declined. */
  declined: Partial<Outcome> = {}
  usage: UsageTotals = NO_USAGE
  /** Models that had a part in it, without duplicates. */
  readonly models: string[] = []
  /** Made with the first entry; most jobs have none. */
  private ancestry: Set<Provenance> | undefined
  /** The read labels of each running tool call. */
  private readonly reading = new Set<Set<Provenance>>()
  private ending: AbortController | undefined

  constructor(host: LiveRun, actor: Actor, job: Job, attemptNumber: number) {
    this.host = host
    this.actor = actor
    this.job = job
    this.attemptNumber = attemptNumber
    this.addInputLabels()
    this.restoreFromJournal()
  }

  /**
   * Provenance of everything this job has seen. Whatever it makes (result, arguments of calls) is derived from that, so
   * an agent that obeys an injected instruction still cannot lose the mark.
   */
  get provenance(): Provenance {
    if (this.actor.isRole) this.addInputLabels() // it looks at the run as it continues
    return this.ancestry === undefined ? BY_USER : combine(this.ancestry)
  }

  addLabels(provenance: Provenance | undefined): void {
    if (provenance === undefined || provenance === BY_USER) return
    if (provenance.author === 'user' && !provenance.private && provenance.sources.length === 0) return
    this.ancestry ??= new Set()
    this.ancestry.add(provenance)
  }

  /** Adds the labels of data that the actor reads through its context without a journalled call. */
  addReadLabels(provenance: Provenance | undefined): void {
    this.addLabels(provenance)
    if (provenance !== undefined) for (const read of this.reading) read.add(provenance)
  }

  /**
   * Runs the code of a tool. Labels of data that the job reads meanwhile are added to `read`; parallel calls all get
   * them.
   */
  async watchReads<T>(read: Set<Provenance>, run: () => Promise<T>): Promise<T> {
    this.reading.add(read)
    try {
      return await run()
    } finally {
      this.reading.delete(read)
    }
  }

  recordUsage(usage: Usage | undefined, requests: number, model: string | undefined): void {
    this.usage = addUsage(this.usage, usage, requests)
    if (model !== undefined && !this.models.includes(model)) this.models.push(model)
  }

  /** It is only waiting: for a user, for a nested run, or for its next attempt. */
  get isIdle(): boolean {
    return this.isResting || this.attempt?.isParked === true
  }

  /** Ends waits between attempts; an attempt has a signal of its own. */
  get signal(): AbortSignal {
    this.ending ??= new AbortController()
    return this.ending.signal
  }

  abandon(reason: TuttiError): void {
    this.abandoned ??= reason
    this.ending?.abort(reason)
    this.attempt?.abort(reason)
  }

  /** The run's time is up: a role may still answer in another attempt. */
  endAtLimit(reason: TuttiError): void {
    if (this.actor.isRole) this.attempt?.abort(reason)
    else this.abandon(reason)
  }

  private addInputLabels(): void {
    const { jobs, plan, provenance, recollection, resultProvenance } = this.host.state
    this.addLabels(provenance)
    this.addLabels(plan?.provenance)
    if (this.actor.isRole) this.addLabels(recollection?.provenance)
    if (this.actor.isRole || this.job.sees === 'all') {
      this.addLabels(resultProvenance)
    } else {
      for (const { result } of inputJobs(this.job, this.host.state)) this.addLabels(result?.provenance)
    }
    // An input that a strategy created itself may be derived from any result.
    if (!this.actor.isRole && plannedTask(this.host.state, this.job.input) === undefined)
      this.addLabels(resultProvenance)
    const { replaces, feedback } = this.job
    if (replaces !== undefined) this.addLabels(jobs.get(replaces)?.result?.provenance)
    if (feedback === undefined) return
    const { from } = feedback
    const critique = from === undefined ? undefined : jobs.get(from)?.result
    this.addLabels(critique === undefined ? resultProvenance : critique.provenance)
  }

  /** Calls that the job made before this process took it over count as its own, even if it does not repeat them. */
  private restoreFromJournal(): void {
    const { calls, effects, jobs, transcripts } = this.host.state
    for (const record of calls.get(this.job.key)?.values() ?? []) this.restoreCall(record)
    const { turns = [], used, provenance } = transcripts.get(this.job.key) ?? {}
    this.addLabels(provenance)
    for (const { provenance } of turns) this.addLabels(provenance)
    if (used !== undefined) {
      this.usage = addUsage(this.usage, used.usage, used.usage.calls)
      this.models.push(...used.models)
    }
    for (const path of jobs.get(this.job.key)?.effects ?? []) {
      const effect = effects.get(path)
      if (effect?.state === 'done') this.addLabels(effect.provenance)
    }
  }

  private restoreCall({ kind, by, model, usage, requests = 0, provenance }: CallRecord): void {
    this.addLabels(provenance)
    if (kind === 'model') this.recordUsage(usage, requests, by === 'model' ? model : undefined)
  }
}
