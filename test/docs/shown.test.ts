import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_API_KEY, startDemoApi, type DemoApi } from '../../examples/demo-api/server.ts'
import { saidOn } from '../cli/terminal.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = [
  'README.md',
  'docs/cli.md',
  'docs/documents.md',
  'docs/mail-and-web.md',
  'docs/demo-data.md',
  'docs/people.md',
  'docs/first-hour.md',
]

interface Shown {
  readonly command: string
  readonly env: Readonly<Record<string, string>>
  readonly text: string
}

/** Commands with the output shown of them: both in one block, after `$`, or a block of text after one of commands. */
function shownIn(page: string): Shown[] {
  const blocks = [...page.replaceAll(/ \\\n */g, ' ').matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)]
  return blocks.flatMap(([, kind, body], i) => {
    if (kind === 'console') return inConsole(body!)
    const [, before, commands] = blocks[i - 1] ?? []
    return kind === 'text' && before === 'sh' ? inConsole(`${commands!.replaceAll(/^/gm, '$ ')}\n${body}`) : []
  })
}

function inConsole(block: string): Shown[] {
  let env = {}
  const parts = block.split(/^\$ /m).slice(1)
  return parts.flatMap((part) => {
    const [command = '', ...lines] = part.trimEnd().split('\n')
    const set = command.startsWith('export ') ? [...command.matchAll(/(\w+)=(\S+)/g)] : []
    env = { ...env, ...Object.fromEntries(set.map(([, name, value]) => [name, value])) }
    return lines.length === 0 ? [] : [{ command, env, text: lines.join('\n') }]
  })
}

/** Returns a pattern for shown output: `…` matches any text, and ids match any id. */
function patternOf(text: string): RegExp {
  const escaped = text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  const open = escaped
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '[0-9a-f-]{36}')
    .replaceAll(/^ *…$/gm, String.raw`[\s\S]*?`)
    .replaceAll('…', '.*')
  return new RegExp(`^${open}\\s*$`)
}

/** The words of a command line; quotation marks group several words. */
const wordsOf = (command: string): string[] =>
  [...command.replace(/ +# .*/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)

let folder: string
let api: DemoApi
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-shown-'))
  await saidOn({ folder, columns: 100, isTTY: false }, ['demo', 'demo'])
  api = await startDemoApi({ databasePath: join(folder, 'demo/brindlemoor.sqlite'), port: 0, apiKey: DEMO_API_KEY })
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const pages = await Promise.all(PAGES.map(async (page) => [page, await readFile(join(ROOT, page), 'utf8')] as const))
const shown = pages.flatMap(([page, text]) => shownIn(text).map((one) => ({ page, ...one })))

describe('output shown in the documents equals the output of the command', () => {
  it('is found', () => expect(shown.length).toBeGreaterThan(6))

  // test/cli/approval.int.test.ts covers approvals.
  const asked = shown.filter(({ text }) => !text.includes('Approval needed'))

  it.each(asked.map((one) => [`${one.page}: ${one.command}`, one] as const))(
    '%s',
    async (_, { command, env, text }) => {
      const [program, ...args] = wordsOf(
        command.replace(/^npx /, '').replaceAll('127.0.0.1:7460', new URL(api.url).host),
      )
      if (program === 'cat') return writeFile(join(folder, args[0]!), `${text}\n`)
      expect(program).toBe('tutti')
      const { out } = await saidOn({ folder, columns: 100, isTTY: false, env }, args)
      const said = out.replaceAll(new URL(api.url).host, '127.0.0.1:7460')
      expect(said).toMatch(patternOf(text.replaceAll('npx tutti', 'tutti')))
    },
  )
})
