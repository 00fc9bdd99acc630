import type { Agent, AgentTask, Limits, Role, RoleContext, TaskInput } from '../core/actor.ts'
import { TuttiError } from '../core/errors.ts'
import type { EventBody } from '../core/events.ts'
import type { Job } from '../core/job.ts'
import type { Task } from '../core/plan.ts'
import { combine, TRUSTED, type Provenance } from '../core/provenance.ts'
import type { Outcome } from '../core/result.ts'
import type { RunState } from '../core/state.ts'
import { NO_USAGE, type UsageTotals } from '../core/usage.ts'
import type { Attempt } from './attempt.ts'
import type { CallPaths } from './call-paths.ts'
import type { RunHost } from './run-host.ts'

/** Role or specialist, as the engine runs it. */
export interface Actor {
  readonly name: string
  /** Roles see the whole run and must answer even when the budget is used up. */
  readonly isRole: boolean
  readonly limits: Limits
  run(ctx: RoleContext): Promise<Outcome>
}

export function actorOfRole(role: Role): Actor {
  return { name: role.name, isRole: true, limits: role.limits ?? {}, run: (ctx) => role.run(ctx) }
}

export function actorOfAgent(agent: Agent): Actor {
  return {
    name: agent.name,
    isRole: false,
    limits: agent.limits ?? {},
    run: (ctx) => agent.run(agentTask(ctx), ctx),
  }
}

function agentTask(ctx: RoleContext): AgentTask {
  const task = ctx.job.input as Task
  return {
    id: task.id,
    text: task.text ?? ctx.request.question,
    entities: task.entities ?? {},
    inputs: () => inputsOf(ctx.job, ctx.state),
  }
}

function inputsOf(job: Job, state: RunState): TaskInput[] {
  const keys = job.sees === 'all' ? [...state.jobs.keys()] : (job.dependsOn ?? [])
  return keys.flatMap((key) => {
    const other = state.jobs.get(key)
    if (other?.result === undefined || other.task === undefined) return []
    return [{ key, actor: other.actor, result: other.result }]
  })
}

/** A job in the hands of its actor: what is gathered over all its attempts. */
export class ActorCall {
  readonly host: RunHost
  readonly actor: Actor
  readonly job: Job
  attemptNumber: number
  attempt: Attempt | undefined
  paths: CallPaths | undefined
  /** Plan and answer of the latest attempt; written together with the job's result. */
  emitted: EventBody[] = []
  /** Set once the engine has let go of the job; what its code still does has no effect. */
  abandoned: TuttiError | undefined
  /** The attempt after the run's limit was reached has been given. */
  lastChance = false
  usage: UsageTotals = NO_USAGE
  readonly models = new Set<string>()
  private readonly ancestry: (Provenance | undefined)[]
  private ending: AbortController | undefined

  constructor(host: RunHost, actor: Actor, job: Job, attemptNumber: number) {
    this.host = host
    this.actor = actor
    this.job = job
    this.attemptNumber = attemptNumber
    this.ancestry = ancestryOf(host, actor, job)
  }

  /**
   * Provenance of everything this job has seen. Whatever it makes (result, arguments of calls) is derived from that, so
   * an agent that obeys an injected instruction still cannot lose the mark.
   */
  get provenance(): Provenance {
    return combine(this.ancestry)
  }

  hasSeen(provenance: Provenance | undefined): void {
    if (provenance !== undefined && !this.ancestry.includes(provenance)) this.ancestry.push(provenance)
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
}

function ancestryOf(host: RunHost, actor: Actor, job: Job): (Provenance | undefined)[] {
  const { jobs, plan } = host.state
  const ancestry = [plan?.provenance]
  const add = (provenance: Provenance | undefined): void => {
    if (provenance !== undefined && provenance !== TRUSTED) ancestry.push(provenance)
  }
  if (actor.isRole || job.sees === 'all') for (const other of jobs.values()) add(other.result?.provenance)
  else for (const key of job.dependsOn ?? []) add(jobs.get(key)?.result?.provenance)
  return ancestry
}
