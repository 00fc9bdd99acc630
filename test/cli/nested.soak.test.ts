// Soak test: starts a process per command and step of nested runs.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
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
  await writeFile(join(world.folder, 'team.json'), JSON.stringify(team))
  const importing = world.start(['teams', 'import', 'team.json', ...sources])
  await world.run(['approvals', 'approve', await waitsFor(importing)])
  await importing.done
})

async function waitsFor(running: Running): Promise<string> {
  return /tutti approvals approve (\S+)/.exec(await running.said('Decide with:'))![1]!
}

/** The approval, its run and the one above it, each by its id. */
async function asked(): Promise<{ running: Running; id: string; nested: string; outer: string }> {
  await rm(note(), { force: true })
  const running = world.start(['ask', 'Leave the note of payment', ...sources])
  const id = await waitsFor(running)
  const nested = id.slice(0, id.lastIndexOf('.'))
  return { running, id, nested, outer: nested.split('.')[0]! }
}

const written = (): Promise<string> => readFile(note(), 'utf8').catch(() => 'nothing')

describe('a team that did not pass its checks', () => {
  it('can be exported for correction, as its answer explains', async () => {
    const team = JSON.parse(await readFile(join(world.folder, 'team.json'), 'utf8')) as object
    const other = { ...team, name: 'other_team', keywords: ['leave another note'] }
    const checks = [{ question: 'Leave another note', contains: ['what it never says'] }]
    await writeFile(join(world.folder, 'other.json'), JSON.stringify({ ...other, checks }))
    const importing = world.start(['teams', 'import', 'other.json', ...sources])
    await world.run(['approvals', 'approve', await waitsFor(importing)])
    expect((await importing.done).out).toContain('"teams export other_team team.json"')
    expect((await world.run(['teams', 'list'])).out).toContain('other_team  version 1, not used: it did not pass')
    expect(JSON.parse((await world.run(['teams', 'export', 'other_team'])).out)).toMatchObject({ ...other, checks })
    expect((await world.run(['teams', 'show', 'other_team'])).out).toContain('version 1: failed')
    expect((await world.run(['teams', 'export', 'no_team'])).err).toContain('There is no team "no_team"')
  })
})

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
    expect((await world.run(['trace', 'export', nested])).code).toBe(0)
    expect(await world.run(['approvals', 'deny', id, '--instructions', 'not today'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('not today') as string,
    })
    expect((await running.done).code).toBe(1)
    expect(await written()).toBe('nothing')
  })

  it.each(['id', 'outer', 'nested'] as const)('is approved by its %s', async (by) => {
    const { running, ...ids } = await asked()
    const { code, err } = await world.start(['approvals', 'approve', ids[by]]).done
    expect(err).toContain('note_team done')
    expect([code, await written()]).toEqual([0, 'Paid.'])
    expect((await running.done).code).toBe(0)
  })

  it('continues with its parent run in the deciding process when the asking process is gone', async () => {
    const { running, id } = await asked()
    running.child.kill('SIGKILL')
    await running.done
    const { code, err } = await world.start(['approvals', 'approve', id]).done
    expect(err).toContain('note_team done')
    expect([code, await written()]).toEqual([0, 'Paid.'])
  })
})
