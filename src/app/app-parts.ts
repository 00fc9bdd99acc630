import type { People } from '../accounts/people.ts'
import type { ArtifactStore } from '../domain/artifacts.ts'
import type { Models } from '../models/registry.ts'
import type { Storage } from '../storage/index.ts'
import type { Seal } from '../accounts/types.ts'
import type { Agents } from './agents.ts'
import type { Settings } from './check-options.ts'
import type { OpenEvaluations } from './evaluations.ts'
import type { OpenKnowledge } from './knowledge.ts'
import type { OwnMailboxes } from './mailboxes.ts'
import type { Memory } from './memory.ts'
import type { Requests } from './request.ts'
import type { OpenSchedules } from './schedules.ts'
import type { Sources } from './sources.ts'
import type { Strategies } from './strategies.ts'
import type { UserApps } from './user-apps.ts'

/** The parts of an app. Each is opened with some of those before it. */
export interface AppParts {
  readonly options: Settings
  readonly secrets: readonly string[]
  readonly strategies: Strategies
  readonly storage: Storage
  readonly people: People
  readonly mailboxes: OwnMailboxes
  /** Encrypts what is stored for a user. */
  readonly seal: Seal
  readonly knowledge: OpenKnowledge
  readonly artifacts: ArtifactStore
  readonly memory: Memory
  readonly sources: Sources
  readonly agents: Agents
  readonly models: Models
  readonly requests: Requests
  readonly users: UserApps
  readonly schedules: OpenSchedules
  readonly evaluations: OpenEvaluations
}

interface Part {
  close(): Promise<unknown>
}

/** Parts of an app, closed in the reverse order of their opening. */
export class OpenParts {
  private readonly parts: Part[] = []

  add<T extends Part>(part: T): T {
    this.parts.push(part)
    return part
  }

  /** Closes all of them. @throws the first error, when the others are closed */
  async close(): Promise<void> {
    const errors: unknown[] = []
    for (const part of this.parts.splice(0).reverse()) await part.close().catch((thrown) => errors.push(thrown))
    if (errors.length > 0) throw errors[0]
  }
}
