import type { ArtifactStore } from '../domain/artifacts.ts'
import type { ModelPort } from '../domain/model.ts'
import type { Owner } from '../domain/events.ts'
import type { RunRequest } from '../domain/request.ts'
import type { People } from '../accounts/people.ts'
import { Engine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/options.ts'
import { planQuestion, type PlannedQuestion } from '../engine/run/plan-question.ts'
import { httpTools } from '../http/tools.ts'
import { omitUndefined } from '../shared/json.ts'
import { createMemoryStorage, type Storage } from '../storage/index.ts'
import { withConfirmation } from '../strategies/confirmation/next.ts'
import { planOnly } from '../strategies/plan-only.ts'
import { withMemory } from '../strategies/memory-jobs.ts'
import type { Agents } from './agents.ts'
import { AUTO } from './auto-strategy.ts'
import type { Checked } from './check-options.ts'
import { approvalPolicy } from './config/approval-policy.ts'
import { openLeaseKeeper } from './lease-keeper.ts'
import { openLimits, type OpenLimits } from './limits.ts'
import type { Memory } from './memory.ts'
import { openRights } from './rights.ts'
import type { Sources } from './sources.ts'
import type { Strategies } from './strategies.ts'
import { openTracing, type Tracing } from './tracing.ts'

interface Parts {
  readonly options: Checked
  readonly secrets: readonly string[]
  readonly storage: Storage
  readonly artifacts: ArtifactStore
  readonly people: People
  readonly sources: Pick<Sources, 'http'>
  readonly strategies: Strategies
  readonly memory: Pick<Memory, 'roles'>
  readonly agents: Agents
  readonly models: ModelPort
}

export interface OpenEngine {
  readonly engine: Engine
  readonly limits: OpenLimits
  readonly tracing: Tracing
  /** Plans a request without storing anything. @throws TuttiError of the planner */
  plan(request: RunRequest, owner: Owner): Promise<PlannedQuestion>
  close(): Promise<void>
}

/** The engine, and the work after the end of runs. */
export function openEngine(parts: Parts): OpenEngine {
  const { options, secrets, storage, artifacts, people, sources, strategies, memory, agents, models } = parts
  const { config, clock, onTrouble } = options
  const common: Omit<EngineOptions, 'store' | 'strategies'> = {
    models,
    strategyNames: [AUTO],
    roles: [...strategies.roles, ...memory.roles],
    leads: strategies.leads,
    agents: agents.all,
    agentsOf: agents.agentsOf,
    rightsOf: openRights(people, agents),
    clock,
    approvals: approvalPolicy(config.approvals, config.egress),
    artifacts,
    http: httpTools(sources.http, secrets),
    secrets,
  }
  const limits = openLimits(people, storage.store, onTrouble)
  const leaseKeeper = openLeaseKeeper(options)
  const engine = new Engine({
    ...common,
    store: storage.store,
    strategies: strategies.all.map((strategy) => withMemory(withConfirmation(strategy))),
    limits,
    onOver: limits.onOver,
    ...omitUndefined({ leaseKeeper }),
    ...(options.queue === true ? { wakeups: storage.wakeups } : {}),
  })
  const tracing = openTracing(options, secrets, engine)
  limits.listen(({ runId }) => tracing.onOver(runId))
  return {
    engine,
    limits,
    tracing,
    async plan(request, owner) {
      const passing = await createMemoryStorage({ clock, onError: onTrouble })
      try {
        const planning = { ...common, store: passing.store, strategies: strategies.all.map(planOnly) }
        return await planQuestion(planning, request, owner)
      } finally {
        await passing.close()
      }
    },
    async close() {
      await engine.close()
      await leaseKeeper?.close()
      await limits.counted()
      await tracing.close()
    },
  }
}
