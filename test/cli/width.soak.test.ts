// Soak test: prints at many terminal widths.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { widthOf } from '../../src/cli/render/text.ts'
import { allCommands, saidOn, type Said } from './terminal.ts'
import { sample } from '../support/length.ts'

let folder: string
let run: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-width-'))
  await said(80, ['demo'])
  await writeFile(
    join(folder, 'note.md'),
    '# Häuser\n\n東京は日本の首都です。人口は約千四百万人で、世界最大の都市圏を形成しています。The house has 🏠 many rooms, all of which are warm in winter and cool in summer.\n',
  )
  await writeFile(
    join(folder, 'cases.jsonl'),
    `{"question":"How many customers are there?","expect":{"numbers":[1]}}\n`,
  )
  await said(80, ['docs', 'add', 'note.md'])
  for (const question of [
    'How many orders are in each status?',
    'Which five products brought in the most money in 2025?',
  ])
    await said(80, ['ask', question, ...DEMO])
  const { out } = await said(80, ['runs', 'list', '--json'])
  run = (JSON.parse(out) as { runs: { runId: string }[] }).runs[0]!.runId
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const DEMO = ['--db', 'sqlite:brindlemoor.sqlite']

const said = (columns: number, args: readonly string[], isTTY = true): Promise<Said> =>
  saidOn({ folder, columns, isTTY }, args)

/** Lines that must not be wrapped: a command or code to paste, JSON, or a single word. */
const WHOLE = /^\s*["`]?(?:(?:npx )?tutti|export|echo) |^\s*\{"|^\s*(?:\S+ )?\S+$|^\s*(?:graph|flowchart|\w+ -->|\w+\[)/

function tooWide({ out, err }: Said, columns: number): string[] {
  return `${out}${err}`.split('\n').filter((line) => widthOf(line) > columns && !WHOLE.test(line))
}

describe.each(sample([50, 80, 120], 3))('on a terminal of %i columns', (columns) => {
  it('all help fits', async () => {
    const commands = await allCommands(folder)
    expect(commands.length).toBeGreaterThan(40)
    for (const command of commands) {
      const text = await said(columns, [...command, '--help'])
      expect(text.out).toContain('Usage:')
      expect(tooWide(text, columns), command.join(' ')).toEqual([])
    }
  })

  it.each([
    ['ask', 'How many customers are there?', ...DEMO],
    ['ask', 'Which five products brought in the most money in 2025?', '--trace', ...DEMO],
    ['ask', 'Who is the king of Norway and what does he eat on Sundays?', ...DEMO],
    ['plan', 'How many customers are there, and what does the returns policy say of damaged goods?', ...DEMO],
    ['ask', 'What does the returns policy say about damaged goods?', '--docs', 'brindlemoor-documents'],
    ['docs', 'list'],
    ['docs', 'search', 'house'],
    ['docs', 'show', 'note.md'],
    ['db', 'tables', ...DEMO],
    ['db', 'check', 'DELETE FROM orders', ...DEMO],
    ['db', 'tables', '--db', 'sqlite:nowhere/at/all/there-is-no-such-file.sqlite'],
    ['agents'],
    ['doctor', ...DEMO],
    ['runs', 'list'],
    ['runs', 'show', 'RUN', '--trace'],
    ['runs', 'show', '00000000'],
    ['approvals', 'list'],
    ['conversations', 'list'],
    ['memory', 'show'],
    ['memory', 'forget', 'shoe-size'],
    ['eval', 'cases.jsonl', ...DEMO],
    ['demo', 'another-folder'],
  ])('%s %s %s fits', async (...args) => {
    const text = await said(
      columns,
      args.map((word) => (word === 'RUN' ? run : word)),
    )
    expect(text.out + text.err).not.toBe('')
    expect(tooWide(text, columns)).toEqual([])
  })
})

describe('where there is no terminal', () => {
  it('only help is wrapped', async () => {
    const { out } = await said(50, ['agents'], false)
    expect(out.split('\n').some((line) => widthOf(line) > 120)).toBe(true)
    expect(tooWide(await said(50, ['ask', '--help'], false), 50)).toEqual([])
  })

  it('JSON is the same as on a terminal', async () => {
    const args = ['db', 'check', 'DELETE FROM orders', '--json', ...DEMO]
    expect((await said(50, args)).out).toBe((await said(120, args, false)).out)
    expect(JSON.parse((await said(50, args)).out)).toMatchObject({ allowed: false })
  })
})
