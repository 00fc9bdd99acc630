import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { defineTool } from '../../domain/tool.ts'
import type { McpSpec } from '../../mcp/spec.ts'
import { toolPins } from '../../mcp/tool-pins.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { ToolServer, type McpToolServer } from '../mcp/server.ts'
import { loadAgents, type LoadedAgents, type LoadOptions } from './load.ts'

let folder: string
const open: ToolServer[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-registry-'))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
  await rm(folder, { recursive: true, force: true })
})

const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks a word up.',
  effect: 'read',
  input: z.object({ word: z.string() }),
  run: async ({ word }) => `meaning of ${word}`,
})
const library = defineAgent({
  name: 'library',
  description: 'Has books',
  capabilities: [],
  useCases: [],
  keywords: [],
  tools: [lookUp, { name: 'only_described', description: 'Made for each task', effect: 'read' }],
  run: async () => ({}),
})

function serverOf(spec: McpSpec, says: Partial<McpToolServer> = {}): ToolServer {
  const settings = { written: '', spec, reads: [], trustHints: false, trusted: false, isInternal: false, ...says }
  const server = new ToolServer(settings, toolPins(undefined), new ManualClock())
  open.push(server)
  return server
}

async function load(files: Readonly<Record<string, string>>, more: Partial<LoadOptions> = {}): Promise<LoadedAgents> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return loadAgents({
    cwd: folder,
    folders: [join(folder, 'agents')],
    agents: [library],
    reserved: ['planner'],
    mcp: { servers: [] },
    checkModel: () => undefined,
    onError: (error) => expect.fail(error.message),
    ...more,
  })
}

/** A program with the tools `read` and `delete`. */
const SERVER = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
const server = new McpServer({ name: 'files', version: '1' })
const inputSchema = { path: z.string() }
server.registerTool('read', { description: 'Reads', inputSchema, annotations: { readOnlyHint: true } }, ({ path }) => ({
  content: [{ type: 'text', text: 'content of ' + path }],
}))
server.registerTool('delete', { description: 'Deletes', inputSchema }, () => ({ content: [] }))
await server.connect(new StdioServerTransport())
`
const mcp = (): McpSpec => ({
  transport: 'stdio',
  name: 'files',
  command: process.execPath,
  args: ['--input-type=module', '-e', SERVER],
  cwd: process.cwd(),
})

describe('an agent in YAML', () => {
  it('matches its file', async () => {
    const { agents } = await load({
      'agents/glossary.yaml': `
name: words
description: Explains words
capabilities: [Explains_Terms]
keywords: [Mean]
useCases: [What does peaberry mean?]
requiredContext: [language]
tools: [look_up]
timeout: 2m
retries: 3
model: openai:gpt-5.4-mini
prompt: Be brief.
`,
    })
    expect(agents).toHaveLength(1)
    expect(agents[0]).toMatchObject({
      name: 'words',
      description: 'Explains words',
      capabilities: ['Explains_Terms'],
      keywords: ['mean'],
      useCases: ['What does peaberry mean?'],
      requiredContext: ['language'],
      limits: { timeoutMs: 120_000, retries: 3 },
      tools: [{ name: 'look_up', effect: 'read' }],
    })
    expect(agents.map(({ name, model }) => [name, model])).toContainEqual(['words', 'openai:gpt-5.4-mini'])
  })

  it('may be written as a registry, several in one file', async () => {
    const { agents } = await load({
      'agents/registry.yaml': `
agents:
  summary_agent:
    description: "Generates concise summaries of long-form text"
    capabilities:
      - text_summarisation
    tools: []
    typical_use_cases:
      - "Summarise this document in 3 bullet points"
    default_timeout: 30
    max_retries: 2
  word_agent:
    description: Explains words
    tools: [look_up]
`,
    })
    expect(agents.map(({ name, limits, useCases }) => [name, limits, useCases])).toEqual([
      ['summary_agent', { timeoutMs: 30_000, retries: 2 }, ['Summarise this document in 3 bullet points']],
      ['word_agent', { timeoutMs: 180_000 }, []],
    ])
    // An agent without keywords is found by its capabilities.
    expect(agents[0]!.keywords).toEqual(['text summarisation'])
    expect(agents[0]!.planning?.worksOnResults).toBe(true)
  })

  it('is named after its file or folder when it gives no name; other files are left alone', async () => {
    const { agents } = await load({
      'agents/first.yml': 'description: One',
      'agents/second/agent.yaml': 'description: Two',
      'agents/second/prompt.yaml': 'not: an agent',
      'agents/notes.txt': 'no agent',
      'agents/.hidden.yaml': 'no agent',
      'agents/empty/readme.md': '',
    })
    expect(agents.map(({ name }) => name)).toEqual(['first', 'second'])
  })
})

/** Each line refers to the previous one nine times. */
function bomb(): string {
  const lines = ['a', 'b', 'c', 'd'].map((name, i, all) => {
    const items = Array.from({ length: 9 }, () => (i === 0 ? 'x' : `*${all[i - 1]}`))
    return `${name}: &${name} [${items.join(', ')}]`
  })
  return `${lines.join('\n')}\ndescription: x\nprompt: { instructions: x, output: { a: *d } }`
}

describe('mistakes are told with their file', () => {
  const base = 'name: words\ndescription: Explains words\n'

  it.each([
    ['an unknown field', `${base}tols: [look_up]`, 'a.yaml: tols: unknown field.'],
    [
      'a missing description',
      'name: words\ntools: [look_up]',
      'a.yaml: description: Invalid input: expected string, received undefined.',
    ],
    [
      'a wrong entry of a list',
      `${base}keywords:\n  - good\n  - [bad]`,
      'a.yaml: keywords.1: Invalid input: expected string, received array.',
    ],
    [
      'an unknown tool',
      `${base}tools:\n  - look_up\n  - look_down`,
      'a.yaml: There is no tool "look_down". There are: look_up, mcp:files/<tool>.',
    ],
    [
      'an unknown tool of an MCP server',
      `${base}tools: ['mcp:files/write']`,
      'The MCP server "files" has no tool "write". There are: mcp:files/read, mcp:files/delete.',
    ],
    [
      'a schema that is none',
      `${base}prompt:\n  instructions: x\n  output: { type: nothing }`,
      'a.yaml: prompt.output is no JSON schema',
    ],
    ['an alias without its anchor', `${base}tools: *none`, 'a.yaml: Unresolved alias'],
    ['aliases that multiply', bomb(), 'a.yaml: Excessive alias count'],
    ['two documents', `${base}---\n${base}`, 'a.yaml: It holds several documents.'],
    ['names that are those of objects', `${base}constructor: 1\n__proto__: 2`, 'a.yaml: constructor: unknown field.'],
    ['a tool given twice', `${base}tools: [look_up, look_up]`, 'a.yaml: tools: names a tool twice.'],
    ['broken YAML', `${base}tools: [look_up`, /a\.yaml: .* at line \d+/],
    ['no agent at all', '- just\n- a list', 'a.yaml: It must hold the fields of an agent'],
    ['a name that is taken', 'name: library\ndescription: x', 'a.yaml: The name "library" is taken already'],
    ['the name of a role', 'description: x\nname: planner', 'a.yaml: The name "planner" is taken already'],
  ])('%s', async (_what, text, message) => {
    const loading = load({ 'agents/a.yaml': text }, { mcp: { servers: [serverOf(mcp())] } })
    await expect(loading).rejects.toMatchObject({ code: 'ConfigurationError' })
    await expect(loading).rejects.toThrow(message)
  })

  it('several at once', async () => {
    const files = { 'agents/a.yaml': 'name: a\ntols: []', 'agents/b.yaml': 'name: b\ndescription: x\ntools: [nothing]' }
    const error = await load(files).catch((thrown: unknown) => thrown as TuttiError)
    expect((error as TuttiError).message).toMatch(/agents\/a\.yaml: .*agents\/a\.yaml: .*agents\/b\.yaml: /)
  })

  it('a model of no configured provider', async () => {
    const checkModel = (text: string): void => {
      throw new TuttiError('ConfigurationError', `The model is "${text}", which nobody has.`)
    }
    const loading = load({ 'agents/a.yaml': `${base}model:\n  provider: nobody\n  model: x` }, { checkModel })
    await expect(loading).rejects.toThrow('a.yaml: The model is "nobody:x", which nobody has.')
  })

  it('a name that two files give', async () => {
    const files = { 'agents/a.yaml': base, 'agents/b.yaml': base }
    await expect(load(files)).rejects.toThrow(
      /b\.yaml: The name "words" is taken already: that of agents\/a\.yaml\. Choose/,
    )
  })

  it('a folder that is missing', async () => {
    await expect(load({}, { folders: [join(folder, 'none')] })).rejects.toThrow(
      /The agent folder .*none cannot be read: it is not there\./,
    )
  })
})

describe('an agent in code', () => {
  const code = (name: string, tool: string): string => `
import { z } from '${import.meta.resolve('zod')}'
export default {
  name: '${name}', description: 'Counts', capabilities: [], useCases: [], keywords: ['count'],
  tools: [{ name: '${tool}', description: 'Counts letters', effect: 'read', input: z.object({ text: z.string() }), run: async ({ text }) => text.length }],
  run: async () => ({ answer: 'done' }),
}`

  it('is found in its folder, and its tools can be used by declared ones', async () => {
    const { agents } = await load({
      'agents/counter/agent.mjs': code('counter', 'count_letters'),
      'agents/a.yaml': 'description: Counts\ntools: [count_letters]',
    })
    expect(agents.map(({ name }) => name)).toEqual(['counter', 'a'])
    expect(agents[1]!.tools).toMatchObject([{ name: 'count_letters' }])
  })

  it.each([
    ['no agent', 'export default { name: "x" }', 'agents/bad/agent.mjs: Its default export is no agent.'],
    ['no default export', 'export const agent = 1', 'it has no default export'],
    ['a mistake in it', 'export default nothingThere', 'nothingThere is not defined'],
    [
      'a taken name',
      'export default { name: "library", description: "x", capabilities: [], useCases: [], keywords: [], run() {} }',
      'agents/bad/agent.mjs: The name "library" is taken already',
    ],
  ])('with %s is reported', async (_what, text, message) => {
    await expect(load({ 'agents/bad/agent.mjs': text })).rejects.toThrow(message)
  })
})

describe('tools of MCP servers', () => {
  const declared = { 'agents/a.yaml': "description: Reads files\ntools: ['mcp:files/read', 'mcp:files/delete']" }

  it('are bound by name; a server’s own annotations are ignored unless the operator trusts them', async () => {
    const strange = await load(declared, { mcp: { servers: [serverOf(mcp())] } })
    expect(strange.agents[0]!.tools).toMatchObject([{ effect: 'irreversible' }, { effect: 'irreversible' }])
    const named = await load(declared, { mcp: { servers: [serverOf(mcp(), { reads: ['delete'] })] } })
    expect(named.agents[0]!.tools).toMatchObject([{ effect: 'irreversible' }, { effect: 'read' }])
    const { agents } = await load(declared, { mcp: { servers: [serverOf(mcp(), { trustHints: true })] } })
    expect(agents[0]!.tools).toMatchObject([
      {
        name: 'mcp:files/read',
        effect: 'read',
        provenance: { author: 'outside', private: true, sources: ['mcp:files'] },
      },
      { name: 'mcp:files/delete', effect: 'irreversible' },
    ])
  })

  it('that the configuration lists as reads and that do not exist are an error that names the known ones', async () => {
    const loading = load(declared, { mcp: { servers: [serverOf(mcp(), { reads: ['read', 'reed'] })] } })
    await expect(loading).rejects.toThrow(
      'a.yaml: The configuration says "reads: [reed]" of the MCP server "files", which has no such tool. There are: read, delete.',
    )
  })

  it('of a trusted server give the operator’s own data', async () => {
    const { agents } = await load(declared, { mcp: { servers: [serverOf(mcp(), { trusted: true, reads: ['read'] })] } })
    const own = { author: 'own', private: true, sources: ['mcp:files'] }
    expect(agents[0]!.tools).toMatchObject([{ reach: 'inside', provenance: own }, { provenance: own }])
  })

  it('of a server that does not answer make only this agent unavailable, with a warning', async () => {
    const warnings: string[] = []
    const missingServer: McpSpec = { transport: 'stdio', name: 'files', command: join(folder, 'no-such-program') }
    const { agents } = await load(declared, {
      mcp: { servers: [serverOf(missingServer)] },
      onError: ({ message }) => warnings.push(message),
    })
    expect(agents[0]!.unavailable).toMatch(/files/)
    expect(warnings).toEqual([expect.stringMatching(/^The agent "a" cannot work: .*files/)])
  })
})
