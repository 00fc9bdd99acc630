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
const BUSY = new Set(['', 'serve', 'demo', 'doctor'])

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

/**
 * What is wrong with how a command ended; nothing where it is one sentence, an exit code, and only JSON where that was
 * wanted. A run that failed says why in its response.
 */
function faultsOf({ out, err, code }: Said, args: readonly string[]): string[] {
  const isResponse = out.includes('"agentResults"')
  const sentences = err.split('\n').filter((line) => line.startsWith('tutti: '))
  return [
    ...(/\n\s+at |node:|TypeError|\[object |\bundefined\b|\bNaN\b/.test(`${err}${out}`) ? ['shows its inside'] : []),
    ...(code !== 0 && code !== 5 && !isResponse && sentences.length !== 1
      ? [`says ${sentences.length} sentences`]
      : []),
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
      expect(told.err).toMatch(new RegExp(`^tutti: .* See: tutti ${command ? `${command} ` : ''}--help\\n$`))
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

it.skipIf(!existsSync('/dev/full'))('a full disk for output ends with one sentence (Linux)', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(inject('dist'), 'cli', 'main.js'), '--help'], {
    env: { PATH: process.env['PATH'], HOME: folder, TUTTI_DATA: join(folder, 'data') },
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([3, expect.stringMatching(/^tutti: The output could not be written: ENOSPC.*\n$/)])
})
