/** What the engine itself costs a job, beside what the store takes for the same writes. */
import { randomUUID } from 'node:crypto'
import { defineAgent, defineRole } from '../src/domain/actor.ts'
import type { Job } from '../src/domain/job.ts'
import type { ModelPort } from '../src/domain/model.ts'
import type { Task } from '../src/domain/plan.ts'
import { parseRequest, type RunRequest } from '../src/domain/request.ts'
import { isSettled, type RunState } from '../src/domain/state.ts'
import type { Append, RunStore } from '../src/domain/store.ts'
import type { Finish, Strategy } from '../src/domain/strategy.ts'
import { Engine } from '../src/engine/engine.ts'
import { pipeline } from '../src/strategies/pipeline/next.ts'
import { composeThenFinish, planJob } from '../src/strategies/steps.ts'
import { median } from './measure.ts'

const JOBS = 100

export interface EngineCost {
  /** Microseconds a job of a run with 100 of them, planner and composer included. */
  readonly perJob: number
  /** The same for the bare appends of such a run, in the same groups. */
  readonly bare: number
  /** Appends to the log of one run. */
  readonly appends: number
}

/** All tasks at once. */
const sideBySide: Strategy = {
  name: 'graph',
  next(state: RunState): readonly Job[] | Finish {
    if (state.plan === undefined) return [planJob(1)]
    const open: Job[] = []
    for (const task of state.plan.plan.tasks) {
      if (!isSettled(state.jobs.get(task.id))) open.push({ key: task.id, actor: task.agent, input: task })
    }
    return open.length > 0 ? open : composeThenFinish(state)
  },
}

const idle = defineAgent({
  name: 'idle',
  description: 'does nothing',
  capabilities: [],
  useCases: [],
  keywords: [],
  run: async () => ({ answer: 'done' }),
})

const planner = defineRole({
  name: 'planner',
  async run(ctx) {
    const tasks = Array.from({ length: JOBS }, (_, i): Task => ({ id: `t${i}`, agent: 'idle', dependsOn: [] }))
    ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: '' })
    return {}
  },
})

const composer = defineRole({
  name: 'composer',
  async run(ctx) {
    ctx.emit({ type: 'answer.composed', answer: 'x', by: 'fallback' })
    return {}
  },
})

export const noModels: ModelPort = {
  ask: () => Promise.reject(new Error('The benchmark asks no model.')),
}

function openEngine(store: RunStore): Engine {
  return new Engine({
    store,
    models: noModels,
    strategies: [pipeline, sideBySide],
    roles: [planner, composer],
    agents: [idle],
    maxParallel: JOBS,
  })
}

/** Measures runs of 100 jobs that do nothing, one after the other or side by side. */
export async function engineCost(store: RunStore, how: 'sequential' | 'parallel', runs: number): Promise<EngineCost> {
  const request = parseRequest({ question: 'q', strategy: how === 'sequential' ? 'pipeline' : 'graph' }, new Set())
  const { batches, close } = await record(store, request)
  const engine = openEngine(store)
  const [whole, bare]: [number[], number[]] = [[], []]
  // In turns, so that whatever else the machine does hits both alike.
  for (let i = 0; i < runs; i++) {
    whole.push(await timed(() => runOnce(engine, request)))
    bare.push(await timed(() => appendAll(store, batches)))
  }
  await engine.close()
  await close()
  return { perJob: (median(whole) * 1_000) / JOBS, bare: (median(bare) * 1_000) / JOBS, appends: batches.length }
}

async function runOnce(engine: Engine, request: RunRequest): Promise<void> {
  const { status } = await engine.outcome(await engine.start(request))
  if (status !== 'finished') throw new Error(`The run of the benchmark is ${status}.`)
}

interface Batch {
  readonly appends: readonly Append[]
  readonly durable: boolean
}

/** What one run writes, and in which groups. */
async function record(
  store: RunStore,
  request: RunRequest,
): Promise<{ readonly batches: readonly Batch[]; close(): Promise<void> }> {
  const batches: Batch[] = []
  const recording: RunStore = {
    append(appends, options) {
      batches.push({ appends, durable: options?.durable === true })
      return store.append(appends, options)
    },
    read: (...args) => store.read(...args),
    run: (...args) => store.run(...args),
    runs: (...args) => store.runs(...args),
    parts: (...args) => store.parts(...args),
    approvals: (...args) => store.approvals(...args),
    revokeApproval: (...args) => store.revokeApproval(...args),
    claim: (...args) => store.claim(...args),
    renew: (...args) => store.renew(...args),
    release: (...args) => store.release(...args),
    remove: (...args) => store.remove(...args),
    feed: store.feed,
    close: () => store.close(),
  }
  const engine = openEngine(recording)
  await runOnce(engine, request)
  return { batches, close: () => engine.close() }
}

async function appendAll(store: RunStore, batches: readonly Batch[]): Promise<void> {
  const runId = randomUUID()
  for (const { appends, durable } of batches) {
    const outcomes = await store.append(
      appends.map(({ epoch: _epoch, ...append }) => ({ ...append, runId })),
      { durable },
    )
    if (outcomes[0] !== 'appended') throw new Error(`A bare append of the benchmark gave ${outcomes[0]}.`)
  }
}

async function timed(action: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}
