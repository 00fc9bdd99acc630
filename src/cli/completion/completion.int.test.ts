import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import type { Cli } from '../cli.ts'
import { createOutput } from '../output.ts'
import { runCli } from '../program.ts'

/** What the program prints for a command line. */
async function printed(...argv: string[]): Promise<string> {
  let out = ''
  const output = createOutput({ write: (text) => ((out += text), true) }, {})
  const cli: Cli = {
    out: output,
    err: output,
    self: 'tutti',
    stdin: process.stdin,
    env: {},
    globals: {},
    cwd: process.cwd(),
    clock: systemClock,
    onInterrupt: () => () => undefined,
    untilStopped: () => Promise.resolve('SIGINT'),
    kill: () => expect.fail('killed'),
  }
  expect(await runCli(argv, cli)).toBe(0)
  return out
}

/** What bash proposes for the last of the words, after it has read the script. */
function proposed(script: string, words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ')
  const look = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _tutti; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', look], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

describe('tutti completion bash, in a real bash', () => {
  it('proposes the commands, options and values of each place', async () => {
    const script = await printed('completion', 'bash')
    const of = (...words: string[]): string[] => proposed(script, ['tutti', ...words])
    expect(of('')).toEqual(expect.arrayContaining(['ask', 'chat', 'runs', 'init', '--data']))
    expect(of('ru')).toEqual(['runs'])
    expect(of('runs', '')).toEqual(expect.arrayContaining(['list', 'show', 'delete', '--help']))
    expect(of('runs', '')).not.toContain('approve') // hidden in the help, too
    expect(of('runs', 'delete', '--')).toEqual(expect.arrayContaining(['--all', '--yes']))
    expect(of('ask', '--strategy', 'gr')).toEqual(['graph'])
    expect(of('ask', '--docs', '')).toEqual([]) // left to bash, which completes files
    expect(of('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
  })

  it('knows every command that the help names', async () => {
    const help = await printed('--help')
    const named = [
      ...help
        .split('Commands:')[1]!
        .split('\n\n')[0]!
        .matchAll(/^ {2}([a-z]+)\b/gm),
    ].map(([, name]) => name!)
    expect(named.length).toBeGreaterThan(15)
    const script = await printed('completion', 'bash')
    expect(proposed(script, ['tutti', ''])).toEqual(expect.arrayContaining(named))
  })
})

describe('tutti completion zsh and fish', () => {
  it('hold the same commands and options', async () => {
    const zsh = await printed('completion', 'zsh')
    expect(zsh).toMatch(/^#compdef tutti\n/)
    expect(zsh).toContain("('runs delete') compadd -- '--all' '--yes' '-y'")
    const fish = await printed('completion', 'fish')
    expect(fish).toContain("complete -c tutti -n '__tutti_here \\'runs\\'' -f -a delete -d ")
    expect(fish).toContain(
      "complete -c tutti -n '__tutti_here \\'ask\\'' -l strategy -x -a 'auto direct pipeline graph supervisor",
    )
  })
})
