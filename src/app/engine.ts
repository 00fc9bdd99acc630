import { omitUndefined } from '../shared/json.ts'
import type { Owner } from '../domain/events.ts'
import type { AppParts } from './app-parts.ts'
import type { RunRequest } from '../domain/request.ts'
import type { People } from '../accounts/people.ts'
import { Engine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/options.ts'
import { planQuestion, type PlannedQuestion } from '../engine/run/plan-question.ts'
import { createMemoryStorage } from '../storage/index.ts'
import { withConfirmation } from '../strategies/confirmation/next.ts'
import { planOnly } from '../strategies/plan-only.ts'
import { withMemory } from '../strategies/memory-jobs.ts'
import type { Agents } from './agents.ts'
import { AUTO } from './auto-strategy.ts'
import { openLeaseKeeper } from './lease-keeper.ts'
import { openLimits } from './limits.ts'
import { openTracing } from './tracing.ts'
import { TuttiError } from '../domain/errors.ts'
import { allowedSources } from '../shared/source-name.ts'

/** The engine, and the work after the end of runs. */
export type OpenEngine = ReturnType<typeof openEngine>

type Parts = Pick<
  AppParts,
  'options' | 'secrets' | 'storage' | 'artifacts' | 'people' | 'strategies' | 'memory' | 'agents' | 'models'
>

export function openEngine(parts: Parts) {
  const { options, secrets, storage, artifacts, people, strategies, memory, agents, models } = parts
  const { config, clock, onError } = options
  const common: Omit<EngineOptions, 'store' | 'strategies'> = {
    models,
    strategyNames: [AUTO],
    roles: [...strategies.roles, ...memory.roles],
    leads: strategies.leads,
    agents: agents.all,
    agentsOf: agents.agentsOf,
    rightsOf: openRights(people, agents),
    clock,
    approvals: {
      allowsWithoutApproval: (tool) => config.approvals.allow.includes(tool),
      allowsDestination: (destination) => config.egress.allow.includes(destination),
      ...omitUndefined({ timeoutMs: config.approvals.timeoutMs }),
    },
    artifacts,
    secrets,
  }
  const limits = openLimits(people, storage.store, onError)
  const leaseKeeper = openLeaseKeeper(options)
  const engine = new Engine({
    ...common,
    store: storage.store,
    strategies: strategies.all.map((strategy) => withMemory(withConfirmation(strategy))),
    limits,
    onOver(runId) {
      limits.onOver(runId)
      tracing.onOver(runId)
    },
    ...omitUndefined({ leaseKeeper }),
    ...(options.queue === true ? { wakeups: storage.wakeups } : {}),
  })
  const tracing = openTracing(options, secrets, engine)
  return {
    engine,
    limits,
    tracing,
    /** Plans a request without storing anything. @throws TuttiError of the planner */
    async plan(request: RunRequest, owner: Owner): Promise<PlannedQuestion> {
      const passing = await createMemoryStorage({ clock, onError })
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
      await limits.finishCounting()
      await tracing.close()
    },
  }
}

/** Reads the user's permissions when a run is resumed; the returned function throws once one of them was revoked. */
function openRights(people: Pick<People, 'sourcesOf'>, agents: Pick<Agents, 'sources'>) {
  return async (user: Owner): Promise<() => Promise<void>> => {
    const wasGiven = allowedSources(await people.sourcesOf(user, agents.sources))
    return async () => {
      const isGiven = allowedSources(await people.sourcesOf(user, agents.sources))
      // A source that no longer exists was not revoked.
      const revoked = agents.sources.find((source) => wasGiven(source) && !isGiven(source))
      if (revoked === undefined) return
      const message = `The source ${revoked} was taken away from you while this was worked on. Ask again, without it.`
      throw new TuttiError('NotAllowed', message)
    }
  }
}
