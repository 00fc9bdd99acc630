import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { defineAgent } from '../../../src/domain/actor.ts'
import { signInLocally } from '../../../src/server/access.ts'
import { startHttpWorld } from '../../support/http-server.ts'
import { openForAll } from '../../support/opened.ts'

const page = await readFile(join(import.meta.dirname, '../../../docs/protocols.md'), 'utf8')
const blocks = (kind: string): string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, language, body]) => (language === kind ? [body!] : []))

const oracle = defineAgent({
  name: 'oracle',
  description: 'Counts customers.',
  capabilities: [],
  useCases: [],
  keywords: ['customers'],
  run: async () => ({ answer: 'There are 12 customers.' }),
})

const world = openForAll(() => startHttpWorld({ agents: [oracle] }, () => signInLocally))
const here = (text: string): string => text.replaceAll('http://127.0.0.1:8080', world.url)

it('shows commands that work', async () => {
  for (const block of blocks('sh')) {
    const { stdout } = await promisify(execFile)('bash', ['-ec', here(block)])
    expect(stdout).toContain('"id":"pipeline"')
    expect(stdout).toContain('There are 12 customers.')
  }
})

it.each(blocks('js').map((block) => [/from '(.*)'/.exec(block)![1]!, block]))(
  'shows how to use %s',
  async (_, block) => {
    const said: unknown[] = []
    const load = {
      openai: async () => import('openai'),
      ai: async () => import('ai'),
      '@ag-ui/client': async () => import('@ag-ui/client'),
    }
    const program = here(block)
      .replaceAll(/^import (\w+) from '(.*)'$/gm, "const { default: $1 } = await load['$2']()")
      .replaceAll(/^import (\{.*\}) from '(.*)'$/gm, "const $1 = await load['$2']()")
    const Program = (async () => undefined).constructor as new (
      ...words: string[]
    ) => (...given: unknown[]) => Promise<void>
    await new Program('load', 'console', program)(load, { log: (...words: unknown[]) => said.push(...words) })
    expect(said.join('\n')).toMatch(/12 customers|text-delta/)
  },
)
