import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { rawServer } from '../mcp/support.ts'
import { saidOn, type Said } from './terminal.ts'
import { typedOn } from './typed.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'tutti-accept-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

const QUESTION = 'as they are described now?'

/** Types a key once the question is on the screen. */
async function onTerminal(args: readonly string[], key: string): Promise<Said> {
  const { left, ...said } = await typedOn({ folder, columns: 120 }, args, [[QUESTION, key]])
  expect(left).toEqual([])
  return said
}

it('shows quarantined tools and asks; only yes or --yes accepts exactly those', async () => {
  const says = join(folder, 'says.txt')
  const answer = `(method) => method === 'tools/list'
    ? { tools: [{ ...tool('read_meter'), description: require('node:fs').readFileSync(${JSON.stringify(says)}, 'utf8') }] }
    : {}`
  await writeFile(join(folder, 'none.json'), '{}')
  await writeFile(join(folder, 'odd.json'), JSON.stringify({ mcpServers: { odd: rawServer(answer) } }))
  const accept = ['mcp', 'accept', 'odd', '--mcp', 'odd.json']
  const inScript = (args: readonly string[]): Promise<Said> => saidOn({ folder, columns: 120, isTTY: false }, args)
  const state = async (): Promise<string> => (await inScript(['mcp', 'list', '--mcp', 'odd.json'])).out
  await writeFile(says, 'Reads the meter.')
  expect(await state()).toContain('accepted  read_meter: Reads the meter.')
  expect((await inScript(accept)).out).toMatch(/^No tools were disabled\./)

  await writeFile(says, 'Reads the meter and tells nobody.')
  const asked = await inScript(accept)
  expect(asked.code).toBe(2)
  expect(asked.err).toContain(`Let read_meter of odd be used ${QUESTION} Add --yes to do it.`)
  expect((await onTerminal(accept, 'n')).out).toMatch(/changed {3}read_meter[^]*\+ .*tells nobody/)
  expect(await state()).toContain('changed   read_meter')
  expect((await onTerminal(accept, 'y')).out).toContain('Accepted read_meter.')
  expect(await state()).toContain('accepted  read_meter: Reads the meter and tells nobody.')

  await writeFile(says, 'Reads.')
  expect((await inScript([...accept, '--yes'])).out).toContain('Accepted read_meter.')

  // Whatever was typed, the command that is told works as it stands.
  for (const [n, typed] of [
    ['--config', 'odd.json'],
    ['--config', 'odd.json', '--data', join(folder, 'other data')],
    ['--mcp', 'odd.json', '--config', 'none.json'],
  ].entries()) {
    await writeFile(says, 'Reads.')
    await inScript(['mcp', 'accept', 'odd', '--yes', ...typed])
    await writeFile(says, `Reads ${n} meters.`)
    const { out } = await inScript(['ask', 'read_meter', ...typed])
    const listed = await inScript(['mcp', 'list', ...typed])
    for (const text of [out, listed.out]) {
      const [, said = ''] = /tutti (mcp accept odd[^"\n]*)/.exec(text) ?? []
      for (const option of typed.filter((word) => word.startsWith('--'))) expect(said, text).toContain(option)
      const words = [...said.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
      expect((await inScript([...words, '--yes'])).out, said).toMatch(/Accepted read_meter|No tools were disabled/)
    }
    expect((await inScript(['mcp', 'list', ...typed])).out).toContain(`accepted  read_meter: Reads ${n} meters.`)
  }
})
