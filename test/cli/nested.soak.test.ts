// Soak test: starts a process per command and step of nested runs.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { parseTeam } from '../../src/domain/team.ts'
import { official } from '../mcp/support.ts'
import { createCliWorld, type Running } from './support.ts'
import { openForAll } from '../support/opened.ts'

/** What a team asks for, decided from another shell: it waits in a run of its own. */

const world = openForAll(() => createCliWorld())
const sources = ['--mcp', 'mcp.json']
const note = (): string => join(world.folder, 'note.txt')

beforeAll(async () => {
  const files = { command: process.execPath, args: [official('filesystem'), '.'], trustHints: true }
  await writeFile(join(world.folder, 'mcp.json'), JSON.stringify({ mcpServers: { files } }))
  const writer = {
    name: 'note_writer',
    purpose: 'Writes the note.',
    tools: ['mcp:files/write_file'],
    task: 'Write',
    call: { tool: 'mcp:files/write_file', input: { path: 'note.txt', content: 'Paid.' } },
  }
  const team = {
    name: 'note_team',
    purpose: 'Writes notes.',
    keywords: ['leave the note of payment'],
    agents: [writer],
    checks: [{ question: 'Leave the note of payment' }],
  }
  const app = await createApp({ storage: { folder: world.dataDir } })
  const { version } = await app.teams.save('local', { team: parseTeam(team), key: 'note', at: 1 })
  await app.teams.settle('local', 'note_team', version, 'ready', '')
  await app.close()
})

/** The approval, its run and the one above it, each by its id. */
async function asked(): Promise<{ running: Running; id: string; nested: string; outer: string }> {
  await rm(note(), { force: true })
  const running = world.start(['ask', 'Leave the note of payment', ...sources])
  const id = await running.approvalId()
  const nested = id.slice(0, id.lastIndexOf('.'))
  return { running, id, nested, outer: nested.split('.')[0]! }
}

const written = (): Promise<string> => readFile(note(), 'utf8').catch(() => 'nothing')

describe('a call of a team that waits', () => {
  it('is shown with its run by every command that accepts its printed id', async () => {
    const { running, id, nested, outer } = await asked()
    const list = await world.run(['runs', 'list', '--json'])
    expect((JSON.parse(list.out) as { runs: object[] }).runs).toContainEqual(
      expect.objectContaining({ runId: nested, parentId: outer }),
    )
    const short = /^\S+\.\S+/m.exec((await world.run(['runs', 'list'])).out)![0]
    for (const text of [nested, short, nested.slice(0, -1), nested.toUpperCase()]) {
      const { out, err } = await world.run(['runs', 'show', text])
      expect(out).toContain(`Run ${nested}  waiting`)
      expect(err).toContain(`approvals approve ${id}`)
    }
    const above = await world.run(['runs', 'show', outer])
    expect(above.out).toContain(`Nested    ${short}`)
    expect(above.err).toContain(`approvals approve ${id}`)
    expect((await world.run(['approvals', 'list', '--run', outer.slice(0, 8)])).out).toContain(id)
    expect(await world.run(['approvals', 'deny', id, ...sources, '--instructions', 'not today'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('not today') as string,
    })
    expect((await running.done).code).toBe(1)
    expect(await written()).toBe('nothing')
  })

  it.each(['id', 'outer', 'nested'] as const)('is approved by its %s', async (by) => {
    const { running, ...ids } = await asked()
    const { code, err } = await world.start(['approvals', 'approve', ids[by], ...sources]).done
    expect(err).toContain('note_team done')
    expect([code, await written()]).toEqual([0, 'Paid.'])
    expect((await running.done).code).toBe(0)
  })

  it('continues with its parent run in the deciding process when the asking process is gone', async () => {
    const { running, id } = await asked()
    await running.kill()
    const { code, err } = await world.start(['approvals', 'approve', id, ...sources]).done
    expect(err).toContain('note_team done')
    expect([code, await written()]).toEqual([0, 'Paid.'])
  })
})
