/** What engines and runs keep in memory while nothing happens. */
import { z } from 'zod'
import { defineAgent, defineRole } from '../src/domain/actor.ts'
import { parseRequest } from '../src/domain/request.ts'
import type { RunStore } from '../src/domain/store.ts'
import { defineTool } from '../src/domain/tool.ts'
import { Engine } from '../src/engine/engine.ts'
import { pipeline } from '../src/strategies/pipeline/next.ts'
import { noModels } from './engine.ts'
import { heapAfterGc } from './measure.ts'

const launch = defineTool({
  name: 'launch',
  description: 'needs approval',
  effect: 'irreversible',
  input: z.string(),
  run: async () => 'done',
})

const launcher = defineAgent({
  name: 'launcher',
  description: 'waits for a person',
  capabilities: [],
  useCases: [],
  keywords: [],
  run: async (_task, ctx) => ({ answer: await ctx.call(launch, 'moon') }),
})

const planner = defineRole({
  name: 'planner',
  async run(ctx) {
    const tasks = [{ id: 'launcher', agent: 'launcher', dependsOn: [] }]
    ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: '' })
    return {}
  },
})

function openEngine(store: RunStore): Engine {
  return new Engine({ store, models: noModels, strategies: [pipeline], roles: [planner], agents: [launcher] })
}

/** Bytes of heap an engine that does nothing takes. */
export async function memoryPerEngine(store: RunStore, count = 1_000): Promise<number> {
  openEngine(store)
  const before = await heapAfterGc()
  const engines = Array.from({ length: count }, () => openEngine(store))
  const after = await heapAfterGc()
  await Promise.all(engines.map((engine) => engine.close()))
  return (after - before) / count
}

/** Bytes of heap a run takes that waits for a person; its log is wherever the store keeps it. */
export async function memoryPerWaitingRun(store: RunStore, count = 1_000): Promise<number> {
  const engine = openEngine(store)
  const request = parseRequest({ question: 'q' }, new Set())
  const waiting = async (runs: number): Promise<void> => {
    const ids = []
    for (let i = 0; i < runs; i++) ids.push(await engine.start(request))
    const open = new Set(ids)
    while (open.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const records = await store.runs({ status: ['waiting'] })
      for (const { runId, worker } of records) if (worker === undefined) open.delete(runId)
    }
  }
  await waiting(50)
  const before = await heapAfterGc()
  await waiting(count)
  const after = await heapAfterGc()
  await engine.close()
  return (after - before) / count
}
