import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { exportCassette } from '../../src/app/cassette/export.ts'
import { replay } from '../../src/app/cassette/replay.ts'
import type { ModelPort } from '../../src/domain/model.ts'
import { ownData } from '../../src/domain/provenance.ts'
import { defineTool, loopTool } from '../../src/domain/tool.ts'
import type { RequestInput } from '../../src/domain/request.ts'
import { parseCassette, type Cassette } from '../../src/evaluation/cassette/format.ts'
import { agent } from '../support/engine-world.ts'
import { startModelServer, toolCall, type ModelServer, type Rule } from '../support/model-server.ts'

/** Recorded runs, replayed through the engine without model and sources. */

const FOLDER = import.meta.dirname
/** Rewrites the examples of this folder. */
const IS_RECORDING = process.env['RECORD_CASSETTES'] === '1'

const sales = defineTool({
  name: 'sales',
  description: 'Sales by country.',
  effect: 'read',
  reach: 'inside',
  provenance: ownData('database shop'),
  input: z.object({ country: z.string(), year: z.number().default(2026) }),
  run: async ({ country }) => {
    // Peru is slower, so results arrive in another order than requested.
    if (country === 'Peru') await new Promise((resolve) => setTimeout(resolve, 30))
    if (country === 'Atlantis') throw new Error('There is no country "Atlantis".')
    if (country === 'World') return { text: Array.from({ length: 4_000 }, (_, n) => `Country ${n}: ${n}`).join('\n') }
    return {
      tabular: { columns: ['country', 'sales'], rows: [{ country, sales: country.length * 10 }], rowCount: 1 },
      sources: [{ kind: 'database', name: 'shop', detail: `SELECT … '${country}'` }],
    }
  },
})

const shop = (instructions = '## Shop\n\nSales of 2026.') =>
  agent('shop', async () => ({ answer: 'The shop is open.' }), {
    description: 'The shop.',
    keywords: ['shop'],
    holds: async () => 'Sales of 2026\nby country',
    toolkit: async () => ({ instructions, tools: [loopTool(sales, { kind: 'database', name: 'shop' })] }),
  })

let models: ModelServer
let app: App | undefined
afterEach(async () => {
  if (app === undefined) return
  await app.close()
  await models.close()
  app = undefined
})

async function open(rules: readonly Rule[], name = 'compatible'): Promise<App> {
  models = await startModelServer(rules)
  const provider = { name, kind: 'compatible' as const, baseUrl: models.url, defaultModel: 'm' }
  return (app = await createApp({ models: { providers: [provider] }, agents: [shop()] }))
}

async function exported(runId: string): Promise<Cassette> {
  return exportCassette(await app!.runs.events(runId), { agents: await app!.team(), models: app!.models })
}

async function record(rules: readonly Rule[], asked: RequestInput, reply?: string): Promise<Cassette> {
  app = await open(rules)
  const runId = await app.start(asked)
  for await (const event of reply === undefined ? [] : app.runs.stream(runId)) {
    if (event.type === 'approval.requested') await app.runs.decide(event.approvalId, 'approved', 'local', reply)
  }
  await app.runs.outcome(runId)
  return exported(runId)
}

const direct = (reply: Rule['reply']): Rule => ({ when: 'You are Tutti', reply, times: 1 })

/** Parallel calls of which one fails, a delegated task, and an answer with citations. */
const recordDirect = () =>
  record(
    [
      direct({
        text: 'Let me look.',
        toolCalls: ['Peru', 'Chile', 'Atlantis'].map((country) => ({ name: 'sales', arguments: { country } })),
      }),
      direct(toolCall('delegate', { tasks: [{ id: 'hours', agent: 'shop', task: 'Is it open?', depends_on: [] }] })),
      direct({ text: 'Peru sold 40 [s2], Chile 50 [s1]. The shop is open.' }),
    ],
    { question: 'Sales of Peru, Chile and Atlantis, and is the shop open?', memory: false },
  )

/** A planner's prompt, an agent's task and the composer. */
const recordPlanned = () =>
  record(
    [
      {
        when: 'You choose which specialist agents',
        reply: { json: { agents: ['shop'], rationale: 'It sells.', confidence: 0.9 } },
      },
      { reply: { text: 'It is open.' } },
    ],
    { question: 'Is the shop open?', strategy: 'pipeline', memory: false },
  )

describe('cassettes of this folder', () => {
  test.runIf(IS_RECORDING)('are recorded', async () => {
    const cassettes = { direct: await recordDirect() }
    await app!.close()
    await models.close()
    for (const [name, one] of Object.entries({ ...cassettes, planned: await recordPlanned() })) {
      writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(one, null, 2)}\n`)
      expect(one.outcome.isAnswered).toBe(true)
    }
  })

  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
  test.each(files)('%s replays as it was recorded', async (file) => {
    const replayed = await replay(read(file))
    expect(replayed.differences).toEqual([])
    expect(replayed.turns + replayed.prompts).toBeGreaterThan(0)
  })
})

function read(file: string): Cassette {
  return parseCassette(readFileSync(join(FOLDER, file), 'utf8'), file)
}

describe('a replay', () => {
  test('shows a changed instruction once, with job and turn', async () => {
    const cassette = read('direct.json')
    const text = JSON.stringify(cassette).replace('You are Tutti, the assistant of this team.', 'You are an assistant.')
    const { differences, turns } = await replay(parseCassette(text, 'changed'))
    expect(turns).toBe(3)
    expect(differences).toHaveLength(1)
    expect(differences[0]).toMatch(/^job assistant, turn 1: instructions\n-You are an assistant\. .*\n\+You are Tutti/)
  })

  test('shows a changed prompt of a role', async () => {
    const text = JSON.stringify(read('planned.json')).replace('You choose which specialist', 'You pick the specialist')
    const { differences } = await replay(parseCassette(text, 'changed'))
    expect(differences).toHaveLength(1)
    expect(differences[0]).toMatch(/^job plan:1, prompt .*: text\n-You pick the specialist/)
  })

  test('compares instructions and tools of the given agents', async () => {
    const cassette = await recordDirect()
    const agents = await app!.team()
    expect((await replay(cassette, { agents })).differences).toEqual([])
    const changed = agents.map((one) => (one.name === 'shop' ? shop('## Shop\n\nSales of all years.') : one))
    const { differences } = await replay(cassette, { agents: changed })
    expect(differences).toHaveLength(1)
    expect(differences[0]).toContain('-Sales of 2026.\n+Sales of all years.')
  })

  test('names turns that are no longer requested', async () => {
    const cassette = read('direct.json')
    const [first, ...others] = cassette.jobs
    const turn = first!.transcript.findLast(({ type }) => type === 'turn.finished')!
    const jobs = [{ ...first!, transcript: [...first!.transcript, turn] }, ...others]
    const { differences } = await replay({ ...cassette, jobs })
    expect(differences.join('\n')).toMatch(/job assistant: The turn \d was not asked\./)
  })

  test('asks another model, with recorded results for equal calls', async () => {
    const calls = ['Chile', 'Norway'].map((country) => ({ name: 'sales', arguments: { country } }))
    const { models: asked } = await open(
      [direct({ toolCalls: calls }), direct({ text: 'Chile sold 50 [s1].' })],
      'other',
    )
    const other = { port: asked as ModelPort, models: { default: 'other:m' } }
    const { differences, answer } = await replay(read('direct.json'), { other })
    expect(differences).toEqual(['job assistant: The cassette has no call sales {"country":"Norway"}.'])
    expect(answer).toBe('Chile sold 50 [1].')
    expect(models.requests.at(-1)!.text).toContain('country,sales\nChile,50')
  })
})

test('a question to the user gets the recorded reply', async () => {
  const rules = [direct(toolCall('ask_user', { question: 'Which year?' })), direct({ text: 'In 2025: 7.' })]
  const cassette = await record(rules, { question: 'Sales?', interactive: true }, '2025')
  expect(cassette.jobs[0]!.decisions).toEqual([expect.objectContaining({ decision: 'approved', instructions: '2025' })])
  expect(await replay(cassette)).toMatchObject({ turns: 2, differences: [], answer: 'In 2025: 7.' })
})

test('a long result can be read further in a replay', async () => {
  const rules = [
    direct(toolCall('sales', { country: 'World' })),
    direct(toolCall('read_result', { id: 's1', offset: 15_993 })),
    direct({ text: 'Done [s1].' }),
  ]
  const cassette = await record(rules, { question: 'Sales of all countries?' })
  expect(JSON.stringify(cassette.jobs[0]!.transcript)).toMatch(/\[Characters 15993 to \d+ of/)
  expect(await replay(cassette)).toMatchObject({ turns: 3, differences: [] })
})

test.each(['graph', 'supervisor', 'review'])('a run of the strategy %s is replayed', async (strategy) => {
  const agents = ['shop', 'computation']
  const chosen = { when: 'You choose which', reply: { json: { agents, rationale: 'Both.', confidence: 0.9 } } }
  const task = { when: '## Arithmetic', reply: toolCall('calculate', { expression: '40 + 2' }), times: 1 }
  const question = 'Is the shop open and what is 40 + 2?'
  const cassette = await record([chosen, task, { reply: { text: '42.' } }], { question, strategy, memory: false })
  expect((await replay(cassette)).differences).toEqual([])
})

test('a follow-up is replayed with its conversation and the facts about the user', async () => {
  app = await open([{ when: 'You are Tutti', reply: { text: 'Forty.' } }, { reply: { status: 400 } }])
  await app.profiles.update('local', { values: { userName: 'Ada' }, source: { by: 'user', at: 0 }, key: 'k' })
  const first = await app.ask('Sales of Peru?')
  const { conversationId } = first.metadata as { conversationId: string }
  const { metadata } = await app.ask({ question: 'Again?', conversationId, systemPrompt: 'Be brief.' })
  const cassette = await exported(metadata.runId)
  expect(cassette.recollection).toMatchObject({ recent: [{}, {}], profile: {} })
  expect(await replay(cassette)).toMatchObject({ turns: 1, differences: [] })
})

test('a cassette has no metadata of providers', async () => {
  expect(JSON.stringify(await recordDirect())).not.toContain('providerMetadata')
})

test('a file of another version is refused', () => {
  expect(() => parseCassette('{"version": 2}', 'a.json')).toThrow(/a\.json is no cassette of version 1: version/)
})
