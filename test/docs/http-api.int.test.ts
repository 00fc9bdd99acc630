import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { signInLocally } from '../../src/server/access.ts'
import { resources } from '../../src/server/resources.ts'
import { startServer, type RunningServer } from '../../src/server/server.ts'

const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'http-api.md'), 'utf8')
const walk = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands!)

let folder: string
let app: App
let server: RunningServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-walk-'))
  app = await createApp()
  const status = { version: '0' }
  const onTrouble = (error: Error): never => expect.fail(error.message)
  const options = { app, host: '127.0.0.1', port: 0, version: '0', onTrouble }
  server = await startServer({ ...options, authenticate: signInLocally, resources: resources(status) })
})
afterAll(async () => {
  await server.close()
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(commands: string): Promise<string> {
  const script = commands.replaceAll('http://127.0.0.1:8080', server.url).replaceAll('curl -s', 'curl -fsS')
  return (await promisify(execFile)('sh', ['-ec', script], { cwd: folder })).stdout
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
  })

  it('names existing endpoints', () => {
    const named = [...page.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    )
    const known = new Set(server.routes.map((route) => route.replaceAll(/:(\w+)/g, '{$1}')))
    expect(named.filter((one) => !known.has(one))).toEqual([])
    expect(named.length).toBeGreaterThan(8)
  })
})
