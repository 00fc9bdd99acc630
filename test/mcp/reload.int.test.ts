import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { AppOf } from '../../src/app/user-app.ts'
import { pendingApproval } from '../e2e/support.ts'
import { openForEach } from '../support/opened.ts'
import { createMcpWorld, rawServer } from './support.ts'

const world = openForEach(createMcpWorld)

const meter = (says: string, more: object = {}): object => ({
  ...rawServer(`(method) => method === 'tools/list' ? { tools: [tool('read_meter')] } : text('${says}')`),
  reads: ['read_meter'],
  ...more,
})
const mcpAgents = ({ agents }: App): readonly string[] =>
  agents.flatMap(({ name }) => (name.startsWith('mcp_agent_') ? [name] : []))

/** With coarse timestamps two files of equal length would look the same. */
let seconds = 0
async function rewrite(file: string, text: string): Promise<void> {
  await writeFile(file, text)
  seconds += 10
  await utimes(file, seconds, seconds)
}

describe('MCP servers that are changed while Tutti runs', () => {
  const configure = (mcpServers: object): Promise<void> =>
    rewrite(join(world.folder, 'tutti.config.json'), JSON.stringify({ mcpServers }))

  it('an added server works from the next question on, and a removed one no longer works', async () => {
    const app = await world.open()
    expect(mcpAgents(app)).toEqual([])
    await configure({ meter: meter('seven') })
    expect((await app.ask('read_meter')).answer).toContain('seven')
    expect(mcpAgents(app)).toEqual(['mcp_agent_meter'])
    expect((await app.plan('read_meter')).tasks).toMatchObject([{ agent: 'mcp_agent_meter' }])
    await configure({})
    expect((await app.ask('read_meter')).metadata.isAnswered).toBe(false)
    expect(mcpAgents(app)).toEqual([])
    expect(world.trouble).toEqual([])
  })

  it('of a configuration and of a file: a changed server is replaced, the others keep running', async () => {
    const pid = {
      ...rawServer(`(method) => method === 'tools/list' ? { tools: [tool('show_pid')] } : text('pid ' + process.pid)`),
      reads: ['show_pid'],
    }
    await configure({ meter: meter('seven'), pid })
    const file = await world.servers({ scale: meter('a kilo', { description: 'Weighs.' }) })
    const app = await world.open({ mcpFiles: [file] })
    const first = (await app.ask('show_pid')).answer
    await configure({ meter: meter('eight'), pid })
    await rewrite(file, JSON.stringify({ mcpServers: {} }))
    expect((await app.ask('read_meter')).answer).toContain('eight')
    expect((await app.ask('show_pid')).answer).toBe(first)
    expect(mcpAgents(app)).toEqual(['mcp_agent_meter', 'mcp_agent_pid'])
  })

  it('the fault of a change is reported once, and the servers stay unchanged', async () => {
    const file = join(world.folder, 'tutti.config.json')
    await rewrite(file, JSON.stringify({ mcpServers: { meter: meter('seven') } }))
    const app = await world.open()
    for (const wrong of [
      '{ "mcpServers": { "meter": 5 } }',
      '{ "mcpServers": ',
      '{ "mcpServers": { "a b": { "command": "x" }, "a+b": { "command": "x" } } }',
    ]) {
      await rewrite(file, wrong)
      expect((await app.ask('read_meter')).answer).toContain('seven')
      expect((await app.ask('read_meter')).answer).toContain('seven')
    }
    expect(world.trouble).toEqual([
      expect.stringContaining('mcpServers.meter: '),
      expect.stringContaining('cannot be read'),
      expect.stringContaining('would both be the agent "mcp_agent_a_b"'),
    ])
    await rm(file)
    expect((await app.ask('read_meter')).metadata.isAnswered).toBe(false)
  })

  it('a server whose agent would have the name of another one does not change the existing servers', async () => {
    await mkdir(join(world.folder, 'agents'))
    await writeFile(join(world.folder, 'agents', 'mcp_agent_scale.yaml'), 'description: Weighs.\nprompt: Weigh it.\n')
    const file = join(world.folder, 'tutti.config.json')
    await rewrite(file, JSON.stringify({ mcpServers: { meter: meter('seven') } }))
    const app = await world.open()
    await rewrite(file, JSON.stringify({ mcpServers: { meter: meter('eight'), scale: meter('a kilo') } }))
    for (const _time of [1, 2]) expect((await app.ask('read_meter')).answer).toContain('seven')
    expect(app.sources).toEqual(['mcp:meter'])
    expect(world.trouble).toEqual([expect.stringContaining('The name "mcp_agent_scale" is taken already')])
    await rewrite(file, JSON.stringify({ mcpServers: { meter: meter('nine') } }))
    expect((await app.ask('read_meter')).answer).toContain('nine')
  })

  describe('agents in files follow', () => {
    const ask = (app: AppOf) => app.ask({ question: 'call read_meter', preferAgents: ['bellwether'] })
    beforeEach(async () => {
      await mkdir(join(world.folder, 'agents'))
      const yaml =
        "description: Says what is due.\nkeywords: [bellwether]\ntools: ['mcp:meter/read_meter']\nprompt: Look it up.\n"
      await writeFile(join(world.folder, 'agents', 'bellwether.yaml'), yaml)
    })
    const unavailable = ({ agents }: App) => agents.find(({ name }) => name === 'bellwether')?.unavailable
    const effects = ({ agents }: App) =>
      agents.find(({ name }) => name === 'bellwether')?.tools?.map(({ effect }) => effect)

    it('a server that is changed, removed and added again', async () => {
      await configure({ meter: meter('seven') })
      const app = await world.open()
      expect(await ask(app)).toMatchObject({
        agentResults: [{ agent: 'bellwether' }],
        answer: expect.stringContaining('seven'),
      })
      await configure({ meter: meter('eight') })
      expect((await ask(app)).answer).toContain('eight')
      await configure({ meter: meter('nine', { reads: [] }) })
      await app.plan('anything')
      expect(effects(app)).toEqual(['irreversible'])
      await configure({})
      expect((await ask(app)).metadata.isAnswered).toBe(false)
      expect(unavailable(app)).toBe('The MCP server "meter" is no longer set up.')
      await configure({ meter: meter('ten') })
      expect((await ask(app)).answer).toContain('ten')
      expect([unavailable(app), effects(app)]).toEqual([undefined, ['read']])
    })

    it('a server that did not answer at start, also for people who are given it', async () => {
      const down = join(world.folder, 'down')
      const server = rawServer(`(method) => {
        if (method !== 'tools/list') return text('seven')
        return require('node:fs').existsSync(${JSON.stringify(down)}) ? {} : { tools: [tool('read_meter')] }
      }`)
      await writeFile(down, '')
      await configure({ meter: { ...server, reads: ['read_meter'] } })
      const app = await world.open()
      const { accounts, groups } = app.people
      const password = 'a long enough sentence'
      await accounts.register({ username: 'root', password }, 'closed')
      const [ben, eve] = await Promise.all(
        ['ben', 'eve'].map(async (username) => (await accounts.add('test', { username, password })).userId),
      )
      await groups.setGrant('test', 'mcp:meter', `user:${ben}`, 'reader')
      expect((await ask(app)).metadata.isAnswered).toBe(false)
      expect((await ask(app.as(ben!))).metadata.isAnswered).toBe(false)
      expect(unavailable(app)).toContain('meter')
      await rm(down)
      expect((await ask(app.as(ben!))).answer).toContain('seven')
      expect((await ask(app)).answer).toContain('seven')
      expect((await app.as(eve!).team()).map(({ name }) => name)).not.toContain('bellwether')
    })
  })

  it('a run that waits while its server is removed names the missing server; the call is not made', async () => {
    const calls = join(world.folder, 'calls')
    const server = rawServer(`(method) => {
      if (method === 'tools/list') return { tools: [tool('wipe_meter')] }
      require('node:fs').appendFileSync(${JSON.stringify(calls)}, 'x')
      return text('wiped')
    }`)
    await configure({ meter: server })
    const app = await world.open()
    const runId = await app.start('wipe_meter')
    const approval = await pendingApproval(app, runId)
    await configure({})
    await app.plan('anything')
    await app.runs.decide(approval.approvalId, 'approved', 'ada')
    await app.runs.outcome(runId)
    const { metadata, answer } = await app.response(runId)
    expect(metadata.isAnswered).toBe(false)
    expect(answer).toContain('mcp_agent_meter')
    await expect(rm(calls)).rejects.toThrow('ENOENT')
  })

  it('secrets of a server that was added later are shown nowhere: results and errors', async () => {
    const app = await world.open()
    const badge = 'zq7r88xkp0wd'
    const server = rawServer(`(method, params, id) => {
      if (method === 'tools/list') return { tools: [tool('read_meter'), tool('break_meter')] }
      const { BADGE } = process.env
      if (params.name === 'read_meter') return text('badge ' + BADGE)
      process.stderr.write('lost ' + BADGE, () => process.exit(1))
    }`)
    await configure({ meter: { ...server, env: { BADGE: badge }, reads: ['read_meter', 'break_meter'] } })
    const asked = async (question: string): Promise<string> => {
      const runId = await app.start({ question, trace: true, interactive: false })
      await app.runs.outcome(runId)
      return JSON.stringify([await app.response(runId), await app.engine.events(runId)])
    }
    const [read, broke] = [await asked('read_meter'), await asked('break_meter')]
    expect(read).toContain('badge ***')
    expect(broke).toContain('lost ***')
    expect(read + broke).not.toContain(badge)
  })
})
