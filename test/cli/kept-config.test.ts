import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rawServer } from '../mcp/support.ts'
import { createCliWorld, type CliWorld, type Running } from './support.ts'

/** A run keeps which configuration it was started with, and nobody decides for it who lacks one of its agents. */

let world: CliWorld
beforeAll(async () => {
  world = await createCliWorld()
  const bank = rawServer(
    `(method) => method === 'tools/list' ? { tools: [tool('transfer_money')] } : text('The money is on its way.')`,
  )
  await writeFile(join(world.folder, 'bank.json'), JSON.stringify({ mcpServers: { bank } }))
  await writeFile(join(world.folder, 'other.json'), '{}')
})
afterAll(() => world.close())

async function asked(): Promise<{ readonly running: Running; readonly id: string }> {
  const running = world.start(['ask', 'call transfer_money', '--config', 'bank.json'])
  const id = /tutti approvals approve (\S+)/.exec(await running.said('Decide with:'))![1]!
  return { running, id }
}

it('the command that is printed works as it stands, whatever a variable says', async () => {
  const { running, id } = await asked()
  const decided = await world.run(['approvals', 'approve', id], { env: { TUTTI_CONFIG: 'other.json' } })
  expect(decided).toMatchObject({ code: 0, out: expect.stringContaining('The money is on its way.') as string })
  expect(await running.done).toMatchObject({ code: 0 })
})

it('is not decided where an agent of it is missing, and waits', async () => {
  const { running, id } = await asked()
  running.child.kill('SIGKILL')
  await running.done
  for (const choice of ['approve', 'deny']) {
    expect(await world.run(['approvals', choice, id, '--config', 'other.json'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/Nothing was decided: .*"mcp_agent_bank".*the configuration \S*bank\.json\./s) as string,
    })
  }
  const decided = await world.run(['approvals', 'approve', id])
  expect(decided).toMatchObject({ code: 0, out: expect.stringContaining('The money is on its way.') as string })
  const [run] = (JSON.parse((await world.run(['runs', 'list', '--json', '--limit', '1'])).out) as { runs: { runId: string }[] }).runs
  expect(await world.run(['runs', 'fork', run!.runId, '--from', 'compose:1'])).toMatchObject({ code: 0 })
})
