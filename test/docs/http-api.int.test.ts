import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { signInLocally } from '../../src/server/access.ts'
import { createFolder } from '../support/folder.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'http-api.md'), 'utf8')
const walk = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands!)

const folder = openForAll(createFolder)
const world = openForAll(() => startHttpWorld({}, () => signInLocally))

async function run(commands: string): Promise<string> {
  const script = commands.replaceAll('http://127.0.0.1:8080', world.url).replaceAll('curl -s', 'curl -fsS')
  return (await promisify(execFile)('sh', ['-ec', script], { cwd: folder.path })).stdout
}

describe('docs/http-api.md', () => {
  it('works with curl', async () => {
    const said: string[] = []
    for (const commands of walk) said.push(await run(commands))
    const all = said.join('\n')
    expect(said.length).toBeGreaterThan(4)
    expect(all).toMatch(/"answer":"[^"]*42/)
    expect(all).toMatch(/^event: done$/m)
    expect(all).toContain('"question":"What is 12 times 12?"')
    expect(all).toContain('Employees get 28 days of holiday.')
    expect(world.trouble).toEqual([])
  })

  it('names existing endpoints', () => {
    const named = [...page.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    )
    const known = new Set(world.routes.map((route) => route.replaceAll(/:(\w+)/g, '{$1}')))
    expect(named.filter((one) => !known.has(one))).toEqual([])
    expect(named.length).toBeGreaterThan(8)
  })
})
