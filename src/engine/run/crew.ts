import type { Agent, Role } from '../../core/actor.ts'
import type { Actor } from '../calls/actor-call.ts'
import { actorOfAgent, actorOfRole } from '../calls/actors.ts'

/** Who works on runs: the roles, and the agents as they are now. */
export class Crew {
  readonly #roles: readonly Actor[]
  #agents: readonly Agent[] = []
  #actors: ReadonlyMap<string, Actor> = new Map()

  constructor(roles: readonly Role[], agents: readonly Agent[]) {
    this.#roles = roles.map(actorOfRole)
    this.agents = agents
  }

  get agents(): readonly Agent[] {
    return this.#agents
  }

  set agents(agents: readonly Agent[]) {
    this.#agents = agents
    this.#actors = new Map([...this.#roles, ...agents.map(actorOfAgent)].map((actor) => [actor.name, actor]))
  }

  /** By their names. */
  get actors(): ReadonlyMap<string, Actor> {
    return this.#actors
  }

  get agentNames(): ReadonlySet<string> {
    return new Set(this.#agents.map(({ name }) => name))
  }
}
