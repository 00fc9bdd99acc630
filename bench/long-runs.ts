/** Whether a task costs the same in a long run as in a short one. */
import { defineAgent, defineRole } from '../src/domain/actor.ts'
import type { Task } from '../src/domain/plan.ts'
import { outsideData } from '../src/domain/provenance.ts'
import { parseRequest } from '../src/domain/request.ts'
import type { RunStore } from '../src/domain/store.ts'
import { defineTool } from '../src/domain/tool.ts'
import { Engine } from '../src/engine/engine.ts'
import { graph } from '../src/strategies/graph/next.ts'
import { pipeline } from '../src/strategies/pipeline/next.ts'
import { z } from 'zod'
import { noModels } from './engine.ts'
import { median } from './measure.ts'

const [SHORT, LONG] = [100, 2_000]

export interface LengthCost {
  readonly plan: string
  /** Microseconds a task, in the median run. */
  readonly short: number
  readonly long: number
}

/** Its results are of mixed descent, so that provenance is counted in. */
const look = defineTool({
  name: 'look',
  description: 'looks',
  effect: 'read',
  input: z.object({}),
  provenance: outsideData('web'),
  run: async () => 'seen',
})

const worker = defineAgent({
  name: 'worker',
  description: 'looks',
  capabilities: [],
  useCases: [],
  keywords: [],
  run: async (_task, ctx) => ({ answer: await ctx.call(look, {}) }),
})

export async function lengthCosts(store: RunStore, rounds: number): Promise<LengthCost[]> {
  const costs: LengthCost[] = []
  for (const [plan, strategy, isChain] of [
    ['chain (graph)', 'graph', true],
    ['side by side (graph)', 'graph', false],
    ['pipeline', 'pipeline', false],
  ] as const) {
    const times: Record<number, number[]> = { [SHORT]: [], [LONG]: [] }
    // The first round is until the code is compiled. As many tasks of either kind.
    for (let round = 0; round <= rounds; round++) {
      for (const length of [SHORT, LONG]) {
        let ms = 0
        for (let done = 0; done < LONG; done += length) ms += await timed(store, strategy, length, isChain)
        if (round > 0) times[length]!.push((ms * 1_000) / LONG)
      }
    }
    costs.push({ plan, short: median(times[SHORT]!), long: median(times[LONG]!) })
  }
  return costs
}

async function timed(
  store: RunStore,
  strategy: 'graph' | 'pipeline',
  length: number,
  isChain: boolean,
): Promise<number> {
  const planner = defineRole({
    name: strategy === 'graph' ? 'master-planner' : 'planner',
    async run(ctx) {
      const tasks = Array.from({ length }, (_, i): Task => {
        return { id: `t${i}`, agent: 'worker', dependsOn: isChain && i > 0 ? [`t${i - 1}`] : [] }
      })
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
  const roles = [planner, composer]
  const engine = new Engine({ store, models: noModels, strategies: [graph, pipeline], roles, agents: [worker] })
  const request = parseRequest({ question: 'q', strategy }, new Set())
  const begun = performance.now()
  const { status } = await engine.outcome(await engine.start(request))
  const ms = performance.now() - begun
  await engine.close()
  if (status !== 'finished') throw new Error(`The run of the benchmark is ${status}.`)
  return ms
}
