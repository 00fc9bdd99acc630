import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { clientTypes } from '../../scripts/client/types.ts'
import { ApiError, applyEvent, createClient, type Client, type RunState } from '../../src/client/index.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { openForAll } from '../support/opened.ts'

const URL_OF_DOCS = 'http://127.0.0.1:8080'
const ROOT = join(import.meta.dirname, '..', '..')

const world = openForAll(() => startHttpWorld({}, authenticateBy))
let client: Client
beforeAll(async () => {
  client = createClient({ url: `${world.url}/` })
})

describe('tutti/client', () => {
  it('has the types of this server; "npm run client" writes them', async () => {
    const made = (text: string): string => text.replaceAll(/[\s;'"(),|]+/g, '')
    expect(made(await readFile(join(ROOT, 'src/client/api-types.ts'), 'utf8'))).toBe(made(await clientTypes()))
  })

  it('calls operations with path, query and body', async () => {
    const { answer, metadata } = await client.call('POST /query', { body: { question: 'What is 6 times 7?' } })
    expect(answer).toContain('42')
    const { items } = await client.call('GET /runs', { query: { limit: 1, search: '6 times' } })
    expect(items.map(({ runId }) => runId)).toEqual([metadata.runId])
    const { run } = await client.call('GET /runs/{runId}', { path: { runId: items[0]!.runId } })
    expect(run.status).toBe('finished')
    expect(await client.call('DELETE /runs/{runId}', { path: { runId: run.runId } })).toBeUndefined()
    expect(await client.call('GET /health')).toMatchObject({ status: 'ok' })
  })

  it.each(['..', '.', '', undefined])(
    'refuses %s as a path parameter, because it would change the path',
    async (part) => {
      const path = { runId: part as string }
      await expect(client.call('DELETE /runs/{runId}', { path })).rejects.toThrow('The path needs a runId')
      await expect(client.follow(part as string).next()).rejects.toThrow('The path needs a runId')
    },
  )

  it('throws the server’s error, with its code', async () => {
    const asked = client.call('GET /runs/{runId}', { path: { runId: '../people' } })
    await expect(asked).rejects.toThrow(ApiError)
    await expect(asked).rejects.toMatchObject({ name: 'ApiError', status: 404, code: 'RunNotFound' })
    expect(String(await asked.catch((thrown: unknown) => thrown))).toMatch(/^ApiError: /)
    await expect(client.follow('no-such-run').next()).rejects.toMatchObject({ status: 404 })
  })

  it('names the address of a missing server', async () => {
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as AddressInfo
    await new Promise((resolve) => gone.close(resolve))
    const asked = createClient({ url: `http://127.0.0.1:${port}/` }).call('GET /health')
    await expect(asked).rejects.toThrow(TypeError)
    await expect(asked).rejects.toThrow(`The server at http://127.0.0.1:${port} cannot be reached (ECONNREFUSED).`)
  })

  it('follows a run to its end, each entry once, through lost connections', async () => {
    const cutting = await startCutting(world.url)
    const { runId } = await client.call('POST /runs', { body: { question: 'What is 12 times 12?' } })
    let state: RunState | undefined
    const seen: number[] = []
    for await (const item of createClient({ url: cutting.url }).follow(runId)) {
      if (item.type === 'live.text') continue
      seen.push(item.seq)
      state = applyEvent(state, item)
    }
    cutting.server.close()
    expect(cutting.cuts).toBeGreaterThan(0)
    expect(seen).toEqual(seen.map((_, at) => at + 1))
    expect(state?.status).toBe('finished')
    expect(state?.answer?.text).toContain('144')
  })

  it('works as docs/http-api.md shows', async () => {
    const page = await readFile(join(ROOT, 'docs/http-api.md'), 'utf8')
    const [, program] = /```ts\n(import \{ createClient \}.*?)```/s.exec(page)!
    const folder = await mkdtemp(join(tmpdir(), 'tutti-client-'))
    const file = join(folder, 'program.mts')
    await writeFile(
      file,
      program!.replace(URL_OF_DOCS, world.url).replace('tutti/client', join(ROOT, 'src/client/index.ts')),
    )
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { cwd: ROOT })
    await rm(folder, { recursive: true })
    expect(stdout).toMatch(/is at work\n[^]*42[^]*What is 6 times 7\?/)
  })

  it('asks as the owner of a key', async () => {
    const { accounts, keys } = world.app.people
    const { userId } = await accounts.add('test', { username: 'kim', password: 'a long enough sentence' })
    const { key, record } = await keys.create(userId, { name: 'mine', scopes: ['read'] })
    const mine = createClient({ url: world.url, key })
    expect(await mine.call('GET /runs')).toMatchObject({ items: [] })
    await expect(mine.call('POST /runs', { body: { question: 'Hello' } })).rejects.toMatchObject({ status: 403 })
    await keys.revoke(userId, record.keyId)
    await expect(mine.call('GET /runs')).rejects.toMatchObject({ status: 401 })
  })
})

/** A proxy that cuts off the first three answers in the middle. */
async function startCutting(target: string): Promise<{ server: Server; url: string; readonly cuts: number }> {
  let cuts = 0
  const server = createServer(({ url, headers }, response) => {
    const passed = request(target + url!, { headers: { ...headers, host: new URL(target).host } }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.on('data', (piece: Buffer) => {
        if (cuts >= 3) return void response.write(piece)
        cuts++
        answer.removeAllListeners()
        response.write(piece.subarray(0, Math.ceil(piece.length * 0.6)), () => response.destroy())
      })
      answer.on('end', () => response.end())
    })
    passed.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts
    },
  }
}
