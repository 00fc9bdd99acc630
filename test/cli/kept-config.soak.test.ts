// Soak test: starts a process per command.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rawServer } from '../mcp/support.ts'
import { startModelServer, toolCall, type ModelRequest, type ModelServer } from '../support/model-server.ts'
import { createCliWorld, type CliWorld, type Running } from './support.ts'

/** A run keeps which configuration it was started with, and nobody decides for it who lacks one of its agents. */

let world: CliWorld
/** Moves the money, then counts the customers. */
let models: ModelServer
beforeAll(async () => {
  world = await createCliWorld()
  const bank = rawServer(
    `(method) => method === 'tools/list' ? { tools: [tool('transfer_money')] } : text('The money is on its way.')`,
  )
  await writeFile(join(world.folder, 'bank.json'), JSON.stringify({ mcpServers: { bank } }))
  await writeFile(join(world.folder, 'other.json'), '{}')
  const isTurn =
    (turn: number) =>
    ({ messages }: ModelRequest): boolean =>
      messages.filter(({ role }) => role === 'tool').length === turn
  models = await startModelServer([
    { when: isTurn(0), reply: toolCall('mcp:bank/transfer_money', {}) },
    { when: isTurn(1), reply: toolCall('query', { sql: 'SELECT count(*) AS customers FROM customers' }) },
    { reply: { text: 'The money is on its way. There are 3 customers.' } },
  ])
})
afterAll(async () => {
  await world.close()
  await models.close()
})

const BOTH = ['ask', 'Transfer the money. How many customers are there?', '--no-memory']
const env = () => ({ TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' })

async function asked(): Promise<{ readonly running: Running; readonly id: string }> {
  const running = world.start(['ask', 'call transfer_money', '--config', 'bank.json'])
  const id = /tutti approvals approve (\S+)/.exec(await running.said('Decide with:'))![1]!
  return { running, id }
}

it('the printed command works unchanged, for any variables', async () => {
  const { running, id } = await asked()
  const decided = await world.run(['approvals', 'approve', id], { env: { TUTTI_CONFIG: 'other.json' } })
  expect(decided).toMatchObject({ code: 0, out: expect.stringContaining('The money is on its way.') as string })
  expect(await running.done).toMatchObject({ code: 0 })
})

it('keeps waiting when an agent is missing during the decision', async () => {
  const { running, id } = await asked()
  running.child.kill('SIGKILL')
  await running.done
  for (const choice of ['approve', 'deny']) {
    expect(await world.run(['approvals', choice, id, '--config', 'other.json'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /Nothing was decided: .*"mcp_agent_bank".*the configuration \S*bank\.json\./s,
      ) as string,
    })
  }
  const decided = await world.run(['approvals', 'approve', id])
  expect(decided).toMatchObject({ code: 0, out: expect.stringContaining('The money is on its way.') as string })
  const [run] = (
    JSON.parse((await world.run(['runs', 'list', '--json', '--limit', '1'])).out) as { runs: { runId: string }[] }
  ).runs
  expect(await world.run(['runs', 'fork', run!.runId, '--from', 'compose:1'])).toMatchObject({ code: 0 })
})

it('relative paths in a configuration refer to the folder where the run started, for decisions from any folder', async () => {
  const { mcpServers } = JSON.parse(await readFile(join(world.folder, 'bank.json'), 'utf8')) as { mcpServers: object }
  const config = { mcpServers, databases: [{ url: 'sqlite:shop.sqlite' }] }
  await writeFile(join(world.folder, 'shop.json'), JSON.stringify(config))
  const running = world.start([...BOTH, '--config', 'shop.json'], { env: env() })
  const id = /tutti approvals approve (\S+)/.exec(await running.said('Decide with:'))![1]!
  // Only the deciding process continues the run.
  running.child.kill('SIGKILL')
  await running.done
  const cwd = join(world.folder, 'elsewhere')
  await mkdir(cwd)
  const decided = await world.run(['approvals', 'approve', id], { cwd, env: env() })
  expect(decided).toMatchObject({ code: 0, out: expect.stringContaining('The money is on its way.') as string })
  expect(decided.out).toContain('FROM')
})

it('a configuration that was found automatically is kept like a named one', async () => {
  const { mcpServers } = JSON.parse(await readFile(join(world.folder, 'bank.json'), 'utf8')) as { mcpServers: object }
  const [home, away] = ['home', 'away'].map((name) => join(world.folder, name)) as [string, string]
  await Promise.all([home, away].map((folder) => mkdir(folder)))
  const config = { mcpServers, databases: [{ url: 'sqlite:../shop.sqlite' }] }
  await writeFile(join(home, 'tutti.config.json'), JSON.stringify(config))
  // Found where it is decided, this one would have neither server nor database.
  await writeFile(join(away, 'tutti.config.json'), '{}')
  const running = world.start(BOTH, { cwd: home, env: env() })
  const id = /tutti approvals approve (\S+)/.exec(await running.said('Decide with:'))![1]!
  running.child.kill('SIGKILL')
  await running.done
  const decided = await world.run(['approvals', 'approve', id], { cwd: away, env: env() })
  expect(decided).toMatchObject({ code: 0, out: expect.stringContaining('The money is on its way.') as string })
  expect(decided.out).toContain('FROM')
})

it('a server uses sources from variables, and resumes its own runs', async () => {
  const named = { TUTTI_MCP: 'bank.json', TUTTI_DB: 'sqlite:shop.sqlite' }
  const served = async (): Promise<{ readonly server: Running; readonly url: string }> => {
    const server = world.start(['serve', '--port', '0'], { env: named })
    return { server, url: /is at (http:[^\s:]+:\d+)/.exec(await server.saidOut('is at http'))![1]! }
  }
  const first = await served()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ question: 'call transfer_money' })
  const sent = await fetch(`${first.url}/query/stream`, { method: 'POST', headers, body })
  const waits = async (): Promise<string> => (await world.run(['approvals', 'list'])).out
  await expect.poll(waits).toContain('mcp:bank/transfer_money')
  await sent.body!.cancel()
  for (const [place, { server }] of [first, await served()].entries()) {
    server.child.kill('SIGTERM')
    expect((await server.done).err, String(place)).not.toContain('Did not continue')
  }
})
