/**
 * What a question costs that takes one query: a YAML agent on the tool loop, beside a bare loop of the AI SDK with the same
 * instructions and tool, against the same scripted server.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import { definitionSchema } from '../src/agents/registry/definition.ts'
import { yamlAgent } from '../src/agents/registry/yaml-file.ts'
import { toolsOf } from '../src/agents/tool-agent/tools.ts'
import { defineAgent } from '../src/core/actor.ts'
import { systemClock } from '../src/core/clock.ts'
import { parseRequest } from '../src/core/request.ts'
import { isSettled } from '../src/core/state.ts'
import type { RunStore } from '../src/core/store.ts'
import type { Strategy } from '../src/core/strategy.ts'
import { ownData } from '../src/core/provenance.ts'
import { defineTool } from '../src/core/tool.ts'
import { Engine } from '../src/engine/engine.ts'
import { createModels } from '../src/models/registry.ts'
import type { Rule } from '../src/testing/model-server.ts'
import { median } from './measure.ts'

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
  const server = await startServer()
  const engine = openEngine(store, server.url)
  try {
    const [tutti, bare]: [number[], number[]] = [[], []]
    const turns = { tutti: 0, bare: 0 }
    for (let i = 0; i < questions; i++) {
      for (const [how, ask, times] of [
        ['tutti', () => askTutti(engine), tutti],
        ['bare', () => askBare(server.url), bare],
      ] as const) {
        const before = await server.requests()
        const start = process.cpuUsage()
        if ((await ask()) !== ANSWER) throw new Error(`The ${how} loop gave another answer.`)
        const { user, system } = process.cpuUsage(start)
        times.push((user + system) / 1_000)
        turns[how] = (await server.requests()) - before
      }
    }
    const warm = (times: readonly number[]): number => median(times.slice(Math.ceil(questions / 3)))
    return { turns, tutti: warm(tutti), bare: warm(bare) }
  } finally {
    await engine.close()
    server.close()
  }
}

/** In a process of its own, so that its time is not counted. */
async function startServer() {
  const rules: Rule[] = [
    { when: String(RESULT.rows[0]!.open), reply: { text: ANSWER } },
    { reply: { toolCalls: [{ name: 'query', arguments: { sql: SQL } }] } },
  ]
  const folder = await mkdtemp(join(tmpdir(), 'tutti-bench-loop-'))
  const script = join(folder, 'script.json')
  await writeFile(script, JSON.stringify(rules))
  const program = join(process.cwd(), 'test/support/model-server.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', program, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  await rm(folder, { recursive: true })
  const url = line.toString().trim()
  return {
    url,
    requests: async () => ((await (await fetch(`${url}/requests`)).json()) as unknown[]).length,
    close: () => child.kill(),
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
