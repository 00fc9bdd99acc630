// Soak test: starts a process for every kind of wrong input.
import { spawnSync } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sample } from '../support/length.ts'
import { allCommands, saidOn, type Said } from './terminal.ts'

/** These begin their work whatever they are told, and are walked through elsewhere. */
const BUSY = new Set(['', 'serve', 'demo', 'init', 'doctor'])

let folder: string
/** Commands that are no group of others, with their help. */
const commands = new Map<string, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-nonsense-'))
  for (const path of await allCommands(folder)) {
    const { out } = await said([...path, '--help'])
    if (path[0] === 'eval' || !out.includes('\nCommands:\n')) commands.set(path.join(' '), out)
  }
  const files = {
    'bytes.bin': Buffer.from([0, 1, 2, 255, 254]),
    'broken.yaml': 'databases: [\n  - url: x\n',
    'wrong.yaml': 'databass: []\n',
    'wrong.json': '{"mcpServers": 7}',
    'agents.yaml': 'agentFolders: [bad]\n',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await mkdir(join(folder, 'bad'))
  await writeFile(join(folder, 'bad/one.yaml'), 'description: [\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function said(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Said> {
  const keys = new PassThrough()
  keys.end()
  return saidOn({ folder, columns: 80, isTTY: false, keys, env }, args)
}

/** What is wrong with how a command ended; nothing where it is one sentence, an exit code, and only JSON where that was wanted. */
function faultsOf({ out, err, code }: Said, args: readonly string[]): string[] {
  const sentences = err.split('\n').filter((line) => line.startsWith('tutti: '))
  return [
    ...(/\n\s+at |node:|TypeError|\[object |\bundefined\b|\bNaN\b/.test(`${err}${out}`) ? ['shows its inside'] : []),
    ...(code !== 0 && code !== 5 && sentences.length !== 1 ? [`says ${sentences.length} sentences`] : []),
    ...(sentences.some((line) => !/[.?!)]$|: \S.*$/.test(line)) ? ['is no sentence'] : []),
    ...(args.includes('--json') && !isJsonOrNothing(out) ? ['prints more than JSON'] : []),
  ].map((fault) => `${args.join(' ')} ${fault}: ${err}`)
}

function isJsonOrNothing(text: string): boolean {
  try {
    return text === '' || typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

describe('every command', () => {
  it('refuses an unknown option, and refers to its help', async () => {
    expect(commands.size).toBeGreaterThan(35)
    for (const command of commands.keys()) {
      const told = await said([...command.split(' ').filter(Boolean), '--nonsense'])
      expect([command, told.code]).toEqual([command, 2])
      expect(told.err).toMatch(new RegExp(`^tutti: .* See: npx tutti ${command ? `${command} ` : ''}--help\\n$`))
    }
  })

  it('refuses invalid arguments in one sentence', async () => {
    const faults = []
    for (const [command, help] of commands) {
      if (BUSY.has(command) || command === 'backup') continue
      const more = ['--yes', '--json'].filter((option) => help.includes(` ${option} `))
      for (const words of sample([['zzz'], [], ['zzz', 'ü/\n', '--'], ['', '']], 2)) {
        const args = [...command.split(' '), ...words.slice(0, 2), ...more]
        faults.push(...faultsOf(await said(args), args))
      }
    }
    expect(faults).toEqual([])
  })

  it('refuses invalid options in one sentence', async () => {
    const faults = []
    for (const [command, help] of commands) {
      if (BUSY.has(command)) continue
      const options = [...help.split('\nGlobal Options')[0]!.matchAll(/^ +(?:-\w, )?(--[a-z-]+) [<[]/gm)].map(
        ([, name]) => name!,
      )
      const json = help.includes(' --json ') ? ['--json'] : []
      for (const option of options)
        for (const value of ['', 'no:n/sense ü']) {
          const args = [...command.split(' '), option, value, ...json]
          faults.push(...faultsOf(await said(args), args))
        }
    }
    expect(faults).toEqual([])
  })
})

describe('a wrong configuration', () => {
  it.each([
    [
      'a configuration that is not there',
      ['--config', 'absent.yaml'],
      {},
      3,
      /absent\.yaml cannot be read: there is no such file\./,
    ],
    ['one of another kind', ['--config', 'bytes.bin'], {}, 3, /its name must end in \.ts, /],
    ['one that is a folder', ['--config', '.'], {}, 3, /it is a directory\./],
    ['one that is no YAML', ['--config', 'broken.yaml'], {}, 3, /broken\.yaml cannot be read: line 2: /],
    ['one with a field that there is not', ['--config', 'wrong.yaml'], {}, 3, /did you mean "databases"\?/],
    ['an agent that is no YAML', ['--config', 'agents.yaml'], {}, 3, /bad\/one\.yaml:\d/],
    [
      'a file of MCP servers that is wrong',
      ['--mcp', 'wrong.json'],
      {},
      3,
      /wrong\.json is not valid: line 1, mcpServers/,
    ],
    ['a data folder that is a file', ['--data', '/dev/null'], {}, 3, /cannot be created: part of the path is a file/],
    ['a database address that is none', ['--db', 'nope'], {}, 3, /use sqlite:path\/to\/file\.db/],
    ['a database that is not there', ['--db', 'sqlite:absent.db'], {}, 2, /absent\.db: there is no such file\./],
    ['one that is no database', ['--db', 'sqlite:bytes.bin'], {}, 3, /is not an SQLite database/],
    ['an API that is not there', ['--api', 'absent.yaml'], {}, 2, /there is no such file\./],
    ['documents that are not there', ['--docs', 'absent'], {}, 2, /There is no file or folder absent\./],
    ['documents of another kind', ['--docs', 'bytes.bin'], {}, 2, /save it as one of PDF/],
    ['a number that is none', [], { TUTTI_MAX_CALLS: 'many' }, 2, /TUTTI_MAX_CALLS is "many"\. Write a whole number/],
    ['a model that is none', [], { TUTTI_MODEL: 'nonsense' }, 3, /Write provider:model\./],
    ['a storage that is none', [], { DATABASE_URL: 'mysql://x/y' }, 3, /must begin with postgres:\/\//],
    ['a mailbox that is none', [], { TUTTI_MAIL_URL: 'ftp://x' }, 3, /must be imaps:.*maildir:path/],
    ['an embedding model that is none', [], { TUTTI_EMBEDDING_MODEL: 'x' }, 3, /write openai:model or ollama:model/],
  ])('%s is reported in one sentence', async (_, options, env, code, sentence) => {
    const args = ['ask', 'How many customers are there?', ...options, '--json']
    const told = await said(args, env)
    expect(faultsOf(told, args)).toEqual([])
    expect([told.code, told.err]).toEqual([code, expect.stringMatching(sentence)])
    expect(JSON.parse(told.out)).toMatchObject({ error: { type: expect.any(String), message: expect.any(String) } })
  })
})

it.skipIf(!existsSync('/dev/full'))('a full disk for output ends with one sentence (Linux)', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(inject('dist'), 'cli', 'main.js'), 'agents'], {
    env: { PATH: process.env['PATH'], HOME: folder, TUTTI_DATA: join(folder, 'data') },
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([3, expect.stringMatching(/^tutti: The output could not be written: ENOSPC.*\n$/)])
})
