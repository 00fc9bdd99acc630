/**
 * What a question costs that takes one query: a YAML agent on the tool loop, beside a bare loop of the AI SDK with the same
 * instructions and tool, against the same scripted server.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import { definitionSchema } from '../src/agents/registry/definition.ts'
import { yamlAgent } from '../src/agents/registry/yaml-file.ts'
import { toolsOf } from '../src/agents/tool-agent/tools.ts'
import { defineAgent } from '../src/domain/actor.ts'
import { systemClock } from '../src/shared/clock.ts'
import { parseRequest } from '../src/domain/request.ts'
import { isSettled } from '../src/domain/state.ts'
import type { RunStore } from '../src/domain/store.ts'
import type { Strategy } from '../src/domain/strategy.ts'
import { ownData } from '../src/domain/provenance.ts'
import { defineTool } from '../src/domain/tool.ts'
import { Engine } from '../src/engine/engine.ts'
import { createModels } from '../src/models/registry.ts'
import { median } from './measure.ts'
import { startModelProcess } from './model-process.ts'

const INSTRUCTIONS = 'You answer questions about orders. Look things up with the tool.'
const QUESTION = 'How many orders are open?'
const SQL = "SELECT count(*) AS open FROM orders WHERE status = 'open'"
const ANSWER = '42 orders are open.'
const input = z.object({ sql: z.string() })
const RESULT = { columns: ['open'], rows: [{ open: 42 }], rowCount: 1 }

export interface LoopCost {
  readonly turns: { readonly tutti: number; readonly bare: number }
  /** Milliseconds of processor time of one warm question. */
  readonly tutti: number
  readonly bare: number
}

/** Measures so many questions of each, in turns; the first third warms up. */
export async function toolLoopCosts(store: RunStore, questions: number): Promise<LoopCost> {
  const server = await startModelProcess([
    { when: String(RESULT.rows[0]!.open), reply: { text: ANSWER } },
    { reply: { toolCalls: [{ name: 'query', arguments: { sql: SQL } }] } },
  ])
  const engine = openEngine(store, server.url)
  try {
    const [tutti, bare]: [number[], number[]] = [[], []]
    const turns = { tutti: 0, bare: 0 }
    for (let i = 0; i < questions; i++) {
      for (const [how, ask, times] of [
        ['tutti', () => askTutti(engine), tutti],
        ['bare', () => askBare(server.url), bare],
      ] as const) {
        const before = (await server.requests()).length
        const start = process.cpuUsage()
        if ((await ask()) !== ANSWER) throw new Error(`The ${how} loop gave another answer.`)
        const { user, system } = process.cpuUsage(start)
        times.push((user + system) / 1_000)
        turns[how] = (await server.requests()).length - before
      }
    }
    const warm = (times: readonly number[]): number => median(times.slice(Math.ceil(questions / 3)))
    return { turns, tutti: warm(tutti), bare: warm(bare) }
  } finally {
    await engine.close()
    server.close()
  }
}

const onlyTask: Strategy = {
  name: 'graph',
  next: ({ jobs }) => {
    const task = { id: 'orders', agent: 'orders', dependsOn: [] }
    return isSettled(jobs.get(task.id)) ? { finish: 'answered' } : [{ key: task.id, actor: task.agent, input: task }]
  },
}

function openEngine(store: RunStore, baseUrl: string): Engine {
  const query = defineTool({
    name: 'query',
    description: 'Runs one read-only SELECT.',
    effect: 'read',
    reach: 'inside',
    provenance: ownData('orders'),
    input,
    run: async () => RESULT,
  })
  const about = { description: 'sql', capabilities: [], useCases: [], keywords: [] }
  const sql = defineAgent({ ...about, name: 'sql', tools: [query], run: async () => ({}) })
  const definition = definitionSchema.parse({
    name: 'orders',
    description: 'Answers questions about orders.',
    prompt: INSTRUCTIONS,
    tools: ['query'],
  })
  const agent = yamlAgent(definition, { tools: [...toolsOf([sql]).values()] })
  const provider = { name: 'scripted', kind: 'compatible' as const, source: 'bench', baseUrl, defaultModel: 'm' }
  const models = createModels({ providers: [provider] }, { clock: systemClock })
  return new Engine({ store, models, strategies: [onlyTask], roles: [], agents: [agent] })
}

async function askTutti(engine: Engine): Promise<string | undefined> {
  const request = parseRequest({ question: QUESTION, strategy: 'graph' }, new Set())
  const state = await engine.outcome(await engine.start(request))
  return state.jobs.get('orders')?.result?.answer
}

async function askBare(baseURL: string): Promise<string> {
  const model = createOpenAICompatible({ name: 'bare', baseURL, includeUsage: true })('m')
  const query = tool({ description: 'Runs one read-only SELECT.', inputSchema: input, execute: async () => RESULT })
  const stopWhen = stepCountIs(8)
  return streamText({ model, system: INSTRUCTIONS, prompt: QUESTION, tools: { query }, stopWhen }).text
}
