import { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parseDatabase, parseWholeNumber } from './option-values.ts'
import { applySettings, SETTINGS } from './settings.ts'

function optionsWith(env: Record<string, string>, ...argv: string[]): Record<string, unknown> {
  return optionsOf('ask', env, ...argv)
}

function optionsOf(name: string, env: Record<string, string>, ...argv: string[]): Record<string, unknown> {
  const root = new Command('tutti')
  const command = root
    .command(name)
    .option('--db <url>', '', parseDatabase)
    .option('--max-calls <n>', '', parseWholeNumber)
    .option('--port <n>', '', parseWholeNumber, 8080)
    .option('--json')
    .exitOverride()
  command.action(() => applySettings(command, env))
  root.parse([name, ...argv], { from: 'user' })
  return command.opts()
}

describe('variables for options', () => {
  it('replace options that are not given, including defaults', () => {
    const env = { TUTTI_DB: 'shop=sqlite:a.db', TUTTI_MAX_CALLS: '3', TUTTI_PORT: '9000', TUTTI_LOCALE: 'de-DE' }
    expect(optionsWith(env)).toEqual({ db: [{ name: 'shop', url: 'sqlite:a.db' }], maxCalls: 3, port: 9000 })
    expect(optionsWith(env, '--db', 'sqlite:b.db', '--port', '1')).toMatchObject({
      db: [{ url: 'sqlite:b.db' }],
      port: 1,
    })
  })

  it('do not apply to a run that was started with others', () => {
    expect(optionsOf('runs', { TUTTI_DB: 'sqlite:a.db' })).toEqual({ port: 8080 })
  })

  it('are ignored when empty, and named when invalid', () => {
    expect(optionsWith({ TUTTI_MAX_CALLS: ' ' })).toEqual({ port: 8080 })
    expect(() => optionsWith({ TUTTI_MAX_CALLS: 'few' })).toThrow(
      'TUTTI_MAX_CALLS is "few". Write a whole number above 0.',
    )
  })

  it('are documented as in the list', async () => {
    const docs = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
    const rows = SETTINGS.map(({ option, variable, field }) => {
      return `| \`--${option}\` | \`${variable}\` |${field === undefined ? '' : ` \`${field}\``} |`
    })
    const table = ['| option | variable | field of the file |', '|---|---|---|', ...rows].join('\n')
    expect(docs.replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---')).toContain(table)
  })
})
