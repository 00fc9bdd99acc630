import type { Agent, LeadAgent } from '../../domain/actor.ts'
import { actorOfAgent, actorOfLead, actorOfRole } from '../calls/actors.ts'
import type { Actor } from '../calls/actor-call.ts'
import { plannedAttempt } from '../../domain/job.ts'
import { TuttiError } from '../../domain/errors.ts'
import { isSettled, type RunState } from '../../domain/state.ts'
import type { EngineOptions } from '../options.ts'

type AgentsOf = NonNullable<EngineOptions['agentsOf']>

/** Who can work in a run. */
export interface RunActors {
  /** All specialists that its owner has. */
  readonly agents: readonly Agent[]
  readonly actors: ReadonlyMap<string, Actor>
}

/** Of a run that is worked on. */
export interface ActiveRunActors extends RunActors {
  /** @throws TuttiError `NotAllowed` once a permission that its agents were built with was revoked */
  assertPermitted(): Promise<void>
}

/**
 * The actors that can work in the runs of an owner. A revoked permission takes effect when a worker takes a run of the
 * owner, and with the next call in it.
 */
export class ActorRegistry {
  private readonly roles: readonly Actor[]
  private readonly leads: readonly LeadAgent[]
  private readonly agentsOf: AgentsOf
  private readonly rightsOf: NonNullable<EngineOptions['rightsOf']>
  private readonly made = new WeakMap<readonly Agent[], RunActors>()

  constructor({
    roles,
    leads = [],
    agents,
    agentsOf,
    rightsOf,
  }: Pick<EngineOptions, 'roles' | 'leads' | 'agents' | 'agentsOf' | 'rightsOf'>) {
    this.leads = leads
    this.roles = [...roles.map(actorOfRole), ...leads.map(actorOfLead)]
    this.agentsOf = agentsOf ?? (async () => agents)
    this.rightsOf = rightsOf ?? (async () => async () => undefined)
  }

  async of(run: Parameters<AgentsOf>[0]): Promise<RunActors> {
    const agents = await this.agentsOf(run)
    const cached = this.made.get(agents)
    if (cached !== undefined) return cached
    const actors = [...this.roles, ...agents.map(actorOfAgent)]
    const cast = { agents, actors: new Map(actors.map((actor) => [actor.name, actor])) }
    this.made.set(agents, cast)
    return cast
  }

  /** The actors for a process that resumes the run. */
  async working(run: Parameters<AgentsOf>[0]): Promise<ActiveRunActors> {
    // Rights first: a permission that is revoked in between then fails, rather than staying effective.
    const assertPermitted = await this.rightsOf(run.owner)
    return { ...(await this.of(run)), assertPermitted: assertPermitted }
  }

  /**
   * A decision resumes a run, so all actors that it still needs must be set up here.
   * @throws TuttiError `UnknownAgent` that names the missing actors and the configuration that the run was started with
   */
  async assertComplete(state: RunState): Promise<void> {
    const { actors } = await this.of(state)
    const open = [...state.jobs.values()].filter((job) => !isSettled(job)).map(({ actor }) => actor)
    const planned = state.plan?.plan.tasks.filter(({ id }) => !isSettled(plannedAttempt(state, id))) ?? []
    const missing = [...new Set([...open, ...planned.map(({ agent }) => agent)])].filter((name) => !actors.has(name))
    if (missing.length === 0) return
    const { configFile: config } = state.request
    const needed = config === undefined ? 'the configuration that it was started with' : `the configuration ${config}`
    throw new TuttiError(
      'UnknownAgent',
      `Nothing was decided: run ${state.runId} needs ${missing.map((name) => `"${name}"`).join(', ')}, which is not set up here. Decide where it was started, or with ${needed}.`,
    )
  }

  /** Names of the agents that may work in a run. */
  async names(run: Parameters<AgentsOf>[0]): Promise<ReadonlySet<string>> {
    return new Set([...(await this.of(run)).agents, ...this.leads].map(({ name }) => name))
  }
}
