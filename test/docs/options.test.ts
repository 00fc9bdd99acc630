import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { glob } from 'tinyglobby'
import { beforeAll, describe, expect, it } from 'vitest'
import { allCommands, saidOn } from '../cli/terminal.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The options of each command, without the global ones. */
const options = new Map<string, readonly string[]>()
let pages: string
let cli: string

beforeAll(async () => {
  const terminal = { folder: ROOT, columns: 200, isTTY: false }
  for (const path of await allCommands(ROOT)) {
    const { out } = await saidOn(terminal, [...path, '--help'])
    const own = out.split('\nGlobal Options:')[0]!
    const long = [...own.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name!)
    options.set(
      path.join(' '),
      long.filter((name) => name !== '--help'),
    )
  }
  const files = await glob(['README.md', 'docs/*.md'], { cwd: ROOT })
  pages = (await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')))).join('\n')
  cli = await readFile(join(ROOT, 'docs/cli.md'), 'utf8')
})

const section = (title: string): string => cli.split(`\n## \`${title}\`\n`)[1]!.split('\n## ')[0]!
const named = (text: string): string[] =>
  [...new Set([...text.matchAll(/--[a-z][a-z-]+/g)].map(([name]) => name))].sort()
const of = (command: string, ...without: string[]): string[] =>
  options
    .get(command)!
    .filter((name) => !without.includes(name))
    .sort()

const isGroup = (command: string): boolean =>
  command === '' || [...options.keys()].some((other) => other.startsWith(`${command} `))

describe('options', () => {
  it('of every command are in the documents', () => {
    const untold = [...options].flatMap(([command, names]) =>
      names.filter((name) => !new RegExp(`${name}(?![\\w-])`).test(pages)).map((name) => `${command} ${name}`),
    )
    expect(untold).toEqual([])
  })

  /** In the order of the table. */
  const ofAsk = (): string[] =>
    section('tutti ask')
      .split('\n')
      .filter((line) => line.startsWith('| `--'))
      .flatMap((row) => named(row.split(' | ')[0]!))

  it('of ask match its table', () => {
    expect(ofAsk().sort()).toEqual(of('ask'))
  })

  it('of chat match those of ask except two, as documented', () => {
    expect(section('tutti chat')).toContain('except `--json` and `--no-memory`')
    expect(of('chat')).toEqual(of('ask', '--json', '--no-memory'))
  })

  it('of eval run match those of ask down to one, as documented', () => {
    const table = ofAsk()
    const wanted = table.slice(0, table.indexOf('--max-turns') + 1)
    expect(wanted.length).toBeGreaterThan(15)
    expect(wanted.filter((name) => !of('eval run').includes(name))).toEqual([])
    expect(pages.match(/the options of `tutti ask` down to `--max-turns`/g)).toHaveLength(1)
  })

  it('of doctor match its row', () => {
    const row = cli.split('\n').find((line) => line.startsWith('| `tutti doctor`'))!
    expect(named(row)).toEqual(of('doctor', '--json'))
  })

  it('include --json, except for the commands that the page names', () => {
    const [list] = /These commands have no `--json`: ([^.]+)\./.exec(cli.replaceAll('\n', ' '))!.slice(1)
    const without = [...options].filter(([command, names]) => !isGroup(command) && !names.includes('--json'))
    expect([...list!.matchAll(/`([a-z ]+)`/g)].map(([, command]) => command).sort()).toEqual(
      without.map(([command]) => command).sort(),
    )
  })

  it('of plan match its section', () => {
    expect(named(section('tutti plan'))).toEqual(of('plan'))
  })
})
