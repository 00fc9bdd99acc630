import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { eventually } from '../support/engine-world.ts'
import { startModelServer, TOOL_AGENT, toolCall, type ModelRequest, type ModelServer } from '../support/model-server.ts'
import { openForAll, openForEach } from '../support/opened.ts'
import { askAndDecide, callsOf, createMcpWorld, official, rawServer, type McpWorld } from './support.ts'

const world = openForEach(createNotesWorld)
let models: ModelServer | undefined
afterEach(async () => {
  await models?.close()
  models = undefined
})

async function createNotesWorld(): Promise<McpWorld> {
  const made = await createMcpWorld()
  await writeFile(join(made.folder, 'notes.txt'), 'The notes of Monday name 12 orders from Lyon.\n')
  return made
}

const QUESTION = 'read_text_file path=notes.txt'
const filesystem = (more: object = {}, { folder } = world): Record<string, object> => ({
  files: { command: process.execPath, args: [official('filesystem'), folder], ...more },
})

/** Names of the tools that a request offers. */
function offered({ body }: ModelRequest): readonly string[] {
  return (body['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name)
}

describe('the filesystem server as an agent, without a model', () => {
  const shared = openForAll(createNotesWorld)
  let trusting: App
  let strict: App
  beforeAll(async () => {
    trusting = await shared.open({ mcpFiles: [await shared.servers(filesystem({ trustHints: true }, shared))] })
    strict = await shared.open({ mcpFiles: [await shared.servers(filesystem({}, shared), 'strict.json')] })
  })

  it.each(['auto', 'review'])(
    'makes the reads that the operator allows, names the server, and reports open parts: %s',
    async (strategy) => {
      const response = await trusting.ask({ question: QUESTION, strategy })
      expect(response.answer).toContain('The notes of Monday name 12 orders from Lyon.')
      expect(response.metadata).toMatchObject({ isAnswered: true, unanswered: [] })
      expect(response.agentResults).toMatchObject([
        { agent: 'mcp_agent_files', status: 'succeeded', sources: [{ kind: 'mcp', name: 'files' }] },
      ])
      expect(callsOf(response)).toEqual([{ tool: 'mcp:files/read_text_file', input: { path: 'notes.txt' } }])
      const open = await trusting.ask({ question: `${QUESTION} and tell me how many orders it names`, strategy })
      expect(open.metadata.unanswered).toEqual(['tell me how many orders it names'])
      expect(shared.trouble).toEqual([])
    },
  )

  it.each(['auto', 'supervisor'])(
    'a write waits, and is made as approved; without trustHints the read waits, too: %s',
    async (strategy) => {
      const out = join(shared.folder, `${strategy}.txt`)
      const write = { question: `write_file path=${out} content=hello`, strategy }
      const denied = await askAndDecide(trusting, write, 'denied')
      expect(denied.payload).toEqual({ path: out, content: 'hello' })
      expect(denied.reason).toBe('This call may change something: the server does not say that it only reads.')
      await expect(readFile(out, 'utf8')).rejects.toThrow('ENOENT')
      await askAndDecide(trusting, write, 'approved')
      expect(await readFile(out, 'utf8')).toBe('hello')

      const read = await askAndDecide(strict, { question: QUESTION, strategy }, 'approved')
      expect(read.payload).toEqual({ path: 'notes.txt' })
      expect(read.reason).toBe(
        'The server says that this only reads; Tutti relies on that only if its operator allows it (docs/mcp.md).',
      )
      expect(read.response.answer).toContain('12 orders')
      const unasked = await strict.ask({ question: QUESTION, strategy, interactive: false })
      expect(unasked.metadata.isAnswered).toBe(false)
    },
  )

  it.each(['auto', 'supervisor'])('can access only its folder; its refusal is reported: %s', async (strategy) => {
    const { answer, metadata } = await trusting.ask({ question: 'read_text_file path=/etc/hostname', strategy })
    expect(metadata.isAnswered).toBe(false)
    expect(answer).toMatch(/denied/i)
  })
})

describe('other official servers as agents, without a model', () => {
  it('everything and memory: each is bound to its own tools only', async () => {
    const servers = {
      everything: { command: process.execPath, args: [official('everything'), 'stdio'], reads: ['get-sum', 'echo'] },
      memory: {
        command: process.execPath,
        args: [official('memory')],
        env: { MEMORY_FILE_PATH: join(world.folder, 'memory.json') },
        reads: ['read_graph'],
      },
    }
    const app = await world.open({ mcpFiles: [await world.servers(servers)] })
    const sum = await app.ask('Get the sum with get-sum a=19 b=23')
    expect(sum.answer).toContain('42')
    expect((await app.ask('read_graph')).answer).toContain('entities')
    for (const name of ['everything', 'memory']) {
      const agent = app.agents.find((one) => one.name === `mcp_agent_${name}`)!
      const prefixes = new Set(agent.tools!.map((tool) => tool.name.split('/')[0]))
      expect([...prefixes]).toEqual([`mcp:${name}`])
    }
  })
})

it('a run that is cancelled cancels the call at the server', async () => {
  const seen = join(world.folder, 'seen')
  const write = (what: string): string => `require('node:fs').appendFileSync(${JSON.stringify(seen)}, ${what})`
  const slow = rawServer(
    `(method) => method === 'tools/list' ? { tools: [tool('read_meter')] } : ${write("'called '")}`,
    `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { method, params } = JSON.parse(line)
      if (method === 'notifications/cancelled') ${write("'cancelled ' + typeof params.requestId")}
    })`,
  )
  const app = await world.open({ mcpFiles: [await world.servers({ meter: { ...slow, reads: ['read_meter'] } })] })
  const runId = await app.start('read_meter')
  const hasSeen = (text: string) =>
    eventually(async () => (await readFile(seen, 'utf8').catch(() => '')).includes(text))
  await hasSeen('called')
  await app.runs.cancel(runId, 'ada')
  await hasSeen('cancelled number')
  expect((await app.runs.outcome(runId)).status).toBe('cancelled')
})

describe('a server that breaks', () => {
  const failing = (tool: string, call: string) => ({
    ...rawServer(`(method) => method === 'tools/list' ? { tools: [tool('${tool}')] } : ${call}`),
    reads: [tool],
    timeoutMs: 3_000,
  })

  it.each(['auto', 'supervisor'])(
    'in mid-call, or that never answers: the run continues, and the part is reported as missing: %s',
    async (strategy) => {
      const servers = {
        meter: failing('read_meter', "process.kill(process.pid, 'SIGKILL')"),
        gauge: failing('check_gauge', 'undefined'),
        ...filesystem({ trustHints: true }),
      }
      const app = await world.open({ mcpFiles: [await world.servers(servers)] })
      const question = 'read_text_file path=notes.txt. Call read_meter. Call check_gauge.'
      const response = await app.ask({ question, strategy })
      expect(response.answer).toContain('12 orders')
      expect(response.metadata.unanswered).toHaveLength(2)
      const messageOf = (name: string) => response.agentResults.find(({ agent }) => agent === name)?.error?.message
      expect(messageOf('mcp_agent_meter')).toMatch(/connection broke/)
      expect(messageOf('mcp_agent_gauge')).toMatch(/no answer within 3 s|took too long/)
    },
  )

  it('that cannot be started: its agent is unavailable, and the others work', async () => {
    const servers = { gone: { command: '/nowhere/at/all' }, ...filesystem({ trustHints: true }) }
    const app = await world.open({ mcpFiles: [await world.servers(servers)] })
    expect((await app.ask(QUESTION)).answer).toContain('12 orders')
    expect(world.trouble).toEqual([
      expect.stringMatching(/^The agent "mcp_agent_gone" cannot work: .*command is not found/),
    ])
  })
})

describe('with a model', () => {
  it('the agent calls the tools, gets their descriptions as data, and answers', async () => {
    const read = toolCall('mcp:files/read_text_file', { path: 'notes.txt' })
    models = await startModelServer([
      { when: TOOL_AGENT, reply: read, times: 1 },
      { when: TOOL_AGENT, reply: { text: 'It names 12 orders.' } },
      { reply: { text: 'It names 12 orders.' } },
    ])
    const app = await world.open({
      env: { TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:m' },
      mcpFiles: [await world.servers(filesystem({ trustHints: true }))],
    })
    const response = await app.ask({ question: QUESTION, memory: false, preferAgents: ['mcp_agent_files'] })
    expect(response.answer).toContain('12 orders')
    const steps = models.requests.filter(({ text }) => text.includes(TOOL_AGENT))
    expect(offered(steps[0]!)).toContain('mcp_files_read_text_file')
    expect(steps[1]!.text).toContain('The notes of Monday')
  })

  it('of 500 tools it gets those that the task mentions, and can search for others', async () => {
    const many = rawServer(
      `(method, params) => method === 'tools/list'
        ? { tools: [...Array(499).keys()].map((i) => tool('job_' + i)).concat(tool('weigh_parcel', { description: 'Weighs one parcel.' })) }
        : text('called ' + params.name)`,
    )
    models = await startModelServer([
      { when: TOOL_AGENT, reply: toolCall('find_tools', { words: 'job_77' }), times: 1 },
      { when: TOOL_AGENT, reply: toolCall('mcp:yard/weigh_parcel', {}), times: 1 },
      { when: TOOL_AGENT, reply: { text: 'Weighed.' } },
      { reply: { text: 'Weighed.' } },
    ])
    const reads = ['weigh_parcel']
    const app = await world.open({
      env: { TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:m' },
      mcpFiles: [await world.servers({ yard: { ...many, reads } })],
    })
    const response = await app.ask({ question: 'Weigh the parcel', memory: false, preferAgents: ['mcp_agent_yard'] })
    const [first, second] = models.requests.filter(({ text }) => text.includes(TOOL_AGENT))
    const shown = offered(first!).filter((name) => name.startsWith('mcp_yard_'))
    expect(shown).toHaveLength(24)
    expect(shown).toContain('mcp_yard_weigh_parcel')
    expect(second!.text).toContain('"mcp_yard_job_77"')
    expect(callsOf(response)).toContainEqual({ tool: 'mcp:yard/weigh_parcel', input: {} })
    expect(first!.text).toContain(
      'You are the yard Specialist. You are a function-calling engine. You do not talk; you execute.',
    )
  })
})
