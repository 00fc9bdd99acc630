/** Engines for tests: ad-hoc agents, a planner that takes its plan from the request, models without a network. */
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { defineRole, type Agent, type Role } from '../../src/domain/actor.ts'
import type { Clock } from '../../src/shared/clock.ts'
import type { RunEvent } from '../../src/domain/events.ts'
import type { Task } from '../../src/domain/plan.ts'
import { parseRequest, type RequestInput, type RunRequest } from '../../src/domain/request.ts'
import type { RunState } from '../../src/domain/state.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import type { ApprovalRecord, RunStore } from '../../src/domain/store.ts'
import { defineTool, type Effect, type Tool } from '../../src/domain/tool.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineOptions } from '../../src/engine/options.ts'
import { createMemoryStorage } from '../../src/storage/index.ts'
import { pipeline } from '../../src/strategies/pipeline/next.ts'
import { dag } from './dag-strategy.ts'
import { FakeModels } from './fake-models.ts'
import { eventually, passing } from './waiting.ts'
import { mortal } from './watched-store.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'

export { FakeModels, say, type Saying } from './fake-models.ts'
export { eventually, gate, passing } from './waiting.ts'
export { mortal } from './watched-store.ts'

export function task(id: string, agent = id, extra: Partial<Task> = {}): Task {
  return { id, agent, dependsOn: [], ...extra }
}

/** A request with a given plan. A string is a task for the agent of that name. */
export function request(tasks: readonly (string | Task)[], more: Partial<RequestInput> = {}): RunRequest {
  const plan = tasks.map((one) => (typeof one === 'string' ? task(one) : one))
  return parseRequest({ question: 'What?', ...more, context: { plan, ...more.context } }, new Set())
}

/** Takes the plan from the request's context. */
export const givenPlanner: Role = defineRole({
  name: 'planner',
  async run(ctx) {
    const tasks = ctx.request.context['plan'] as Task[]
    ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: 'as given', confidence: 0.9 })
    return { answer: 'planned' }
  },
})

/** Answers with the result of every task: `a=succeeded:answer`, `b=failed:Timeout`. */
export const tellingComposer: Role = defineRole({
  name: 'composer',
  async run(ctx) {
    const lines = [...ctx.state.jobs.values()].flatMap(({ key, task, result }) =>
      task === undefined ? [] : [`${key}=${result?.status ?? 'none'}:${result?.answer ?? result?.error?.type ?? ''}`],
    )
    ctx.emit({ type: 'answer.composed', answer: lines.join(' '), by: 'fallback' })
    return { answer: 'composed' }
  },
})

/** An agent made from its function. */
export function agent(name: string, run: Agent['run'], more: Partial<Agent> = {}): Agent {
  return { name, description: name, capabilities: [], useCases: [], keywords: [], ...more, run }
}

type WorldOptions = Partial<EngineOptions> & { readonly store: RunStore; readonly clock: Clock }

/** An engine with the given planner and composer, the strategy `pipeline`, and as `graph` a strategy by readiness. */
export function engineFor(agents: readonly Agent[], options: WorldOptions): Engine {
  return new Engine({
    models: new FakeModels(),
    strategies: [pipeline, dag],
    roles: [givenPlanner, tellingComposer],
    agents,
    random: () => 0.5,
    ...options,
  })
}

/** Settings of an engine, with a clock that several engines may share. */
export type WorldSettings = Omit<Partial<EngineOptions>, 'clock'> & { readonly clock?: ManualClock }

/** An engine on this store, and what tests do with it. It is closed when the test is over, unless it has crashed. */
export function openWorld(store: RunStore, agents: readonly Agent[], settings: WorldSettings = {}) {
  const { clock = new ManualClock(), ...options } = settings
  const dying = mortal(store)
  const engine = engineFor(agents, { ...options, store: dying, clock })
  const life = { isOver: false }
  onTestFinished(() => (life.isOver ? undefined : engine.close()))
  const asked = (runId: string) => pendingApproval(store, runId)
  const end = (runId: string, stepMs?: number) => passing(clock, engine.outcome(runId), stepMs)
  return {
    store,
    clock,
    engine,
    asked,
    /** Runs to the end. The clock advances. */
    end,
    start: (...plan: Parameters<typeof request>) => engine.start(request(...plan)),
    run: (...plan: Parameters<typeof request>) => outcomeOf(engine, clock, request(...plan)),
    /** Resolves when the run waits and no process has it in memory. */
    rest: (runId: string) =>
      eventually(async () => {
        const record = await store.run(runId)
        return record?.status === 'waiting' && record.worker === undefined
      }),
    pass: <T>(promise: Promise<T>, stepMs?: number) => passing(clock, promise, stepMs),
    /** Decides the next approval of a run. */
    async decide(runId: string, decision: 'approved' | 'denied' = 'approved', instructions?: string) {
      const approval = await asked(runId)
      await engine.decide(approval.approvalId, decision, 'ann', instructions)
      return approval
    },
    /** Continues a run that another engine has left, to its end. */
    resume(runId: string) {
      void engine.resume(runId)
      return end(runId)
    },
    /** The worker dies: nothing more of it reaches the store. Its leases are over after `ms`. */
    crash(ms = 40_000) {
      dying.crash()
      life.isOver = true
      return clock.advance(ms)
    },
    /** Another engine on the same store and clock, like another process. */
    next: (others = agents, more: WorldSettings = {}) => openWorld(store, others, { ...options, ...more, clock }),
  }
}

/** An empty store in memory. */
export async function memoryStore(clock: Clock): Promise<RunStore> {
  return (await createMemoryStorage({ clock, onError: (error) => expect.fail(error.message) })).store
}

/** An engine on a store in memory. */
export async function memoryEngine(agents: readonly Agent[], settings: WorldSettings = {}) {
  return openWorld(await memoryStore(new ManualClock()), agents, settings)
}

/** A tool that takes a text; its output has the labels of its input. */
export function textTool<O>(
  name: string,
  effect: Effect,
  run: Tool<string, O>['run'],
  more: Partial<Tool<string, O>> = {},
): Tool<string, O> {
  return defineTool({ name, description: '', effect, provenance: BY_USER, input: z.string(), ...more, run })
}

/** The pending approvals of a run, once there are so many. */
export function pendingApprovals(store: RunStore, runId: string, count = 1): Promise<readonly ApprovalRecord[]> {
  return eventually(async () => {
    const found = await store.approvals({ runId, status: 'pending' })
    return found.length === count && found
  })
}

export async function pendingApproval(store: RunStore, runId: string): Promise<ApprovalRecord> {
  return (await pendingApprovals(store, runId))[0]!
}

/** Runs a request and returns the final state, which must equal the state folded from the log. */
export async function outcomeOf(engine: Engine, clock: ManualClock, of: RunRequest): Promise<RunState> {
  const state = await passing(clock, engine.outcome(await engine.start(of)))
  expect(state).toEqual(await engine.state(state.runId))
  return state
}

export function types(events: readonly RunEvent[]): string[] {
  return events.map((event) => event.type)
}
