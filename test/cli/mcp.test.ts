import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { official } from '../mcp/support.ts'
import { createCliWorld, type CliWorld } from './support.ts'

let world: CliWorld
beforeAll(async () => {
  world = await createCliWorld()
  await writeFile(join(world.folder, 'notes.txt'), 'The notes of Monday name 12 orders from Lyon.\n')
  await write('mcp.json', {
    files: { command: process.execPath, args: [official('filesystem'), '.'], trustHints: true },
  })
})
afterAll(() => world.close())

const write = (name: string, mcpServers: object): Promise<void> =>
  writeFile(join(world.folder, name), JSON.stringify({ mcpServers }))

describe('tutti mcp', () => {
  it('lists the tools of a file, and says when there is none', async () => {
    const { code, out } = await world.run(['mcp', 'list', '--mcp', 'mcp.json'])
    expect(code).toBe(0)
    expect(out).toMatch(/accepted {2}read_text_file \(says that it only reads\): /)
    expect(await world.run(['mcp', 'accept', 'files'], { env: { TUTTI_MCP: 'mcp.json' } })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing was put aside\. \d+ tools of files can be used\.\n$/) as string,
    })
    expect(await world.run(['mcp', 'list'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('name a file with --mcp') as string,
    })
    expect(await world.run(['mcp', 'accept', 'other', '--mcp', 'mcp.json'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('No MCP server is named "other". There are: files.') as string,
    })
  })

  it('refuses a file that is wrong, with its line, and a server that does not answer', async () => {
    await write('wrong.json', { files: { command: 'x', trustHint: true } })
    expect(await world.run(['ask', 'x', '--mcp', 'wrong.json'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/wrong\.json is not valid: line 1/) as string,
    })
    await write('gone.json', { gone: { command: '/nowhere/at/all' } })
    expect(await world.run(['mcp', 'list', '--mcp', 'gone.json'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('gone  does not answer: Cannot connect') as string,
    })
  })
})

describe('tutti ask --mcp', () => {
  it('answers with the tools of the file; a run that waits finds them again when it is approved later', async () => {
    const read = ['ask', 'Read notes.txt and tell me how many orders it names', '--mcp', 'mcp.json']
    expect(await world.run(read)).toMatchObject({ code: 0, out: expect.stringContaining('12 orders') as string })

    const running = world.start(['ask', 'Write the file out.txt: "hello"', '--mcp', 'mcp.json'])
    const id = /approvals approve (\S+)/.exec(await running.said('Decide with:'))![1]!
    running.child.kill('SIGKILL')
    await running.done
    const { code, out, err } = await world.run(['approvals', 'approve', id])
    expect([code, err], out).toEqual([0, expect.any(String)])
    const { readFile } = await import('node:fs/promises')
    expect(await readFile(join(world.folder, 'out.txt'), 'utf8')).toBe('hello')
  })
})
