import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import { openStrategies } from '../../src/app/strategies.ts'
import type { Agent } from '../../src/domain/actor.ts'
import type { RunEvent } from '../../src/domain/events.ts'
import { outsideData } from '../../src/domain/provenance.ts'
import { parseRequest } from '../../src/domain/request.ts'
import { responseOf } from '../../src/domain/response.ts'
import type { Outcome } from '../../src/domain/result.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineOptions, StartOptions } from '../../src/engine/options.ts'
import { createModels } from '../../src/models/registry.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { createMemoryStorage, type Storage } from '../../src/storage/index.ts'
import { pipeline } from '../../src/strategies/pipeline/next.ts'
import { agent } from './engine-world.ts'
import { startModelServer, TOOL_AGENT, type ModelServer, type Reply, type Rule } from './model-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Replies of an agent's model, one for each turn. Planner and composer get none, so that they fall back to rules. */
export function turns(...replies: readonly Reply[]): Rule[] {
  const own = replies.map((reply): Rule => ({ when: TOOL_AGENT, times: 1, reply }))
  return [...own, { reply: { status: 400, text: 'not scripted' } }]
}

interface AgentRuns {
  readonly server: ModelServer
  /** Absent: there is no model. */
  readonly rules?: readonly Rule[] | undefined
  readonly context?: Readonly<Record<string, unknown>>
  readonly options?: Partial<EngineOptions>
  readonly start?: StartOptions
  /** Called with each request for approval; without it, the run is left waiting. */
  readonly decide?: (engine: Engine, approval: { approvalId: string; payload?: unknown }) => Promise<unknown>
}

/** An engine with the strategy `pipeline`. @param kept storage that stays open */
export async function openPipeline(
  agents: readonly Agent[],
  { server, hasModel, options, kept }: Pick<AgentRuns, 'server' | 'options'> & { hasModel: boolean; kept?: Storage },
) {
  const storage = kept ?? (await createMemoryStorage({ clock: systemClock, onError: () => undefined }))
  const providers = [
    { name: 'compatible', kind: 'compatible' as const, source: 'test', baseUrl: server.url, structuredOutputs: true },
  ]
  const config = hasModel ? { providers, default: 'compatible:scripted' } : { providers: [] }
  const engine = new Engine({
    store: storage.store,
    models: createModels(config, { clock: systemClock }),
    strategies: [pipeline],
    roles: openStrategies({}).roles,
    agents,
    random: () => 0,
    ...options,
  })
  const close = async (): Promise<void> => {
    await engine.close()
    if (kept === undefined) await storage.close()
  }
  return { engine, close }
}

/** Asks one question of agents in an engine of its own. */
export async function runAgents(question: string, agents: readonly Agent[], runs: AgentRuns) {
  const { server, rules, context = {}, options = {}, start, decide } = runs
  if (rules !== undefined) server.script(rules)
  const { engine, close } = await openPipeline(agents, { server, hasModel: rules !== undefined, options })
  try {
    const names = agents.map(({ name }) => name)
    const request = parseRequest({ question, preferAgents: names, context, trace: true }, new Set(names))
    const runId = await engine.start(request, start)
    for await (const item of engine.stream(runId)) {
      if (item.type !== 'approval.requested') continue
      if (decide === undefined) break
      await decide(engine, item)
    }
    const events: readonly RunEvent[] = await engine.events(runId)
    const requests = rules === undefined ? [] : server.requests.filter(({ text }) => text.includes(TOOL_AGENT))
    return { events, requests, response: responseOf(events) }
  } finally {
    await close()
  }
}

/** An agent that works before the others, with its results. @param source of untrusted content that it reads */
export function earlierAgent(name: string, outcome: Outcome, source?: string): Agent {
  const fetch = defineTool({
    name: 'fetch',
    description: 'Fetches',
    effect: 'read',
    input: z.object({}),
    ...(source === undefined ? {} : { provenance: outsideData(source) }),
    run: async () => 1,
  })
  const run: Agent['run'] = async (_task, ctx) => {
    await ctx.call(fetch, {})
    return outcome
  }
  return agent(name, run, { description: 'Lists orders', keywords: ['list'], planning: { rank: 10 }, tools: [fetch] })
}

/** A sandbox and a model server for the tests of a file. */
export function useSandbox(): { sandbox: Sandbox; models: ModelServer } {
  const world = {} as { sandbox: Sandbox; models: ModelServer }
  const folder = temporaryFolder()
  beforeAll(async () => {
    world.sandbox = createSandbox({ cacheDir: folder, allowWeakIsolation: true }, { clock: systemClock })
    world.models = await startModelServer()
    await world.sandbox.warm()
  })
  afterAll(() => Promise.all([world.sandbox.close(), world.models.close()]))
  return world
}
