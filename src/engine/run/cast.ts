import type { Agent, Role } from '../../core/actor.ts'
import type { Owner } from '../../core/owner.ts'
import { actorOfAgent, actorOfRole } from '../calls/actors.ts'
import type { Actor } from '../calls/actor-call.ts'

/** Who can work in a run. */
export interface Cast {
  /** All specialists that its owner has. */
  readonly agents: readonly Agent[]
  readonly actors: ReadonlyMap<string, Actor>
}

/** Who can work in whose runs. What an owner has taken from them is gone when a worker takes up one of their runs. */
export class Casts {
  private readonly roles: readonly Actor[]
  private readonly agentsOf: (owner: Owner) => Promise<readonly Agent[]>
  private readonly made = new WeakMap<readonly Agent[], Cast>()

  constructor(roles: readonly Role[], agentsOf: (owner: Owner) => Promise<readonly Agent[]>) {
    this.roles = roles.map(actorOfRole)
    this.agentsOf = agentsOf
  }

  async of(owner: Owner): Promise<Cast> {
    const agents = await this.agentsOf(owner)
    const kept = this.made.get(agents)
    if (kept !== undefined) return kept
    const actors = [...this.roles, ...agents.map(actorOfAgent)]
    const cast = { agents, actors: new Map(actors.map((actor) => [actor.name, actor])) }
    this.made.set(agents, cast)
    return cast
  }

  /** Names of the specialists that an owner has. */
  async names(owner: Owner): Promise<ReadonlySet<string>> {
    return new Set((await this.of(owner)).agents.map(({ name }) => name))
  }
}
