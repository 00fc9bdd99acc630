/**
 * What readiness scheduling is worth: plans of agents that take a fixed time, on the graph strategy and stage by stage,
 * beside the critical path, which no scheduling can beat.
 */
import { defineAgent, defineRole } from '../src/domain/actor.ts'
import type { Job } from '../src/domain/job.ts'
import { stages, type Task } from '../src/domain/plan.ts'
import { parseRequest } from '../src/domain/request.ts'
import { isSettled, type RunState } from '../src/domain/state.ts'
import type { RunStore } from '../src/domain/store.ts'
import type { Finish, Strategy } from '../src/domain/strategy.ts'
import { Engine } from '../src/engine/engine.ts'
import { graph } from '../src/strategies/graph/next.ts'
import { composeThenFinish, planJob, taskJob } from '../src/strategies/steps.ts'
import { noModels } from './engine.ts'
import { median } from './measure.ts'

/** Milliseconds each task takes, and the tasks it waits for. Long enough for late timers of a busy machine not to count. */
type Shape = Readonly<Record<string, readonly [ms: number, dependsOn: readonly string[]]>>

const SHAPES: Readonly<Record<string, Shape>> = {
  chain: { a: [500, []], b: [500, ['a']], c: [500, ['b']] },
  parallel: { a: [750, []], b: [500, []], c: [250, []], d: [625, []] },
  diamond: { a: [500, []], b: [750, []], c: [500, ['a', 'b']] },
  // Each stage holds a slow task on which the long way does not depend.
  'two uneven ways': { a: [1000, []], b: [250, []], c: [250, ['a']], d: [1000, ['b']] },
  'uneven ladder': {
    a: [250, []],
    b: [250, ['a']],
    c: [1000, ['b']],
    x: [1000, []],
    y: [250, ['x']],
    z: [250, ['y']],
  },
}

export interface GraphCost {
  readonly plan: string
  readonly criticalPathMs: number
  /** From the first task's start to the last one's end, median of the rounds. */
  readonly makespanMs: number
  readonly stageByStageMs: number
}

/** Measures each plan in so many rounds, both ways in turns. */
export async function graphCosts(store: RunStore, rounds: number): Promise<GraphCost[]> {
  const costs: GraphCost[] = []
  for (const [plan, shape] of Object.entries(SHAPES)) {
    const times: Record<'ready' | 'staged', number[]> = { ready: [], staged: [] }
    // The first round is until the code is compiled.
    for (let round = 0; round <= rounds; round++) {
      const [ready, staged] = [await makespan(store, shape, graph), await makespan(store, shape, stageByStage)]
      if (round === 0) continue
      times.ready.push(ready)
      times.staged.push(staged)
    }
    costs.push({
      plan,
      criticalPathMs: criticalPath(shape),
      makespanMs: median(times.ready),
      stageByStageMs: median(times.staged),
    })
  }
  return costs
}

/** As an orchestrator with a barrier after each of Kahn's stages works. */
const stageByStage: Strategy = {
  name: 'graph',
  next(state: RunState): readonly Job[] | Finish {
    if (state.plan === undefined) return [planJob(1, 'master-planner')]
    for (const stage of stages(state.plan.plan)) {
      const open = stage.filter(({ id }) => !isSettled(state.jobs.get(id)))
      if (open.length > 0) return open.map((task) => taskJob(task, task.dependsOn))
    }
    return composeThenFinish(state)
  },
}

async function makespan(store: RunStore, shape: Shape, strategy: Strategy): Promise<number> {
  const span = { start: Infinity, end: 0 }
  const sleeper = defineAgent({
    name: 'sleeper',
    description: 'takes its time',
    capabilities: [],
    useCases: [],
    keywords: [],
    async run({ id }) {
      span.start = Math.min(span.start, performance.now())
      await new Promise((resolve) => setTimeout(resolve, shape[id]![0]))
      span.end = Math.max(span.end, performance.now())
      return { answer: id }
    },
  })
  const planner = defineRole({
    name: 'master-planner',
    async run(ctx) {
      const tasks = Object.entries(shape).map(([id, [, dependsOn]]): Task => ({
        id,
        agent: 'sleeper',
        dependsOn: [...dependsOn],
      }))
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
  const engine = new Engine({
    store,
    models: noModels,
    strategies: [strategy],
    roles: [planner, composer],
    agents: [sleeper],
  })
  const request = parseRequest({ question: 'q', strategy: 'graph' }, new Set())
  const { status } = await engine.outcome(await engine.start(request))
  await engine.close()
  if (status !== 'finished') throw new Error(`The run of the benchmark is ${status}.`)
  return span.end - span.start
}

/** The longest way through the plan, in milliseconds. */
function criticalPath(shape: Shape): number {
  const until = (id: string): number => {
    const [ms, dependsOn] = shape[id]!
    return ms + Math.max(0, ...dependsOn.map(until))
  }
  return Math.max(...Object.keys(shape).map(until))
}
