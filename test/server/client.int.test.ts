import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { clientTypes } from '../../scripts/client/types.ts'
import { readEvents } from '../../src/client/event-stream.ts'
import { ApiError, createClient, type Client } from '../../src/client/index.ts'
import { applyEvent, isOver, type LiveText, type RunEvent, type RunState } from '../../src/client/run.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { listen } from '../support/listen.ts'
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
    },
  )

  it('throws the server’s error, with its code', async () => {
    const asked = client.call('GET /runs/{runId}', { path: { runId: '../people' } })
    await expect(asked).rejects.toThrow(ApiError)
    await expect(asked).rejects.toMatchObject({ name: 'ApiError', status: 404, code: 'RunNotFound' })
    expect(String(await asked.catch((thrown: unknown) => thrown))).toMatch(/^ApiError: /)
  })

  it('names the address of a missing server', async () => {
    const gone = await listen()
    await gone.close()
    const asked = createClient({ url: `${gone.url}/` }).call('GET /health')
    await expect(asked).rejects.toThrow(TypeError)
    await expect(asked).rejects.toThrow(`The server at ${gone.url} cannot be reached (ECONNREFUSED).`)
  })

  it('reads the events of a run to its end, each entry once, through lost connections', async () => {
    const cutting = await startCutting(world.url)
    const { runId } = await client.call('POST /runs', { body: { question: 'What is 12 times 12?' } })
    let state: RunState | undefined
    const seen: number[] = []
    await readEvents({ url: cutting.url }, `/runs/${runId}/events?format=log`, {
      signal: new AbortController().signal,
      take(data) {
        const item = JSON.parse(data) as RunEvent | LiveText
        if (item.type === 'live.text') return
        seen.push(item.seq)
        state = applyEvent(state, item)
      },
      isOver: () => state !== undefined && isOver(state),
      onError: () => undefined,
    })
    await cutting.close()
    expect(cutting.cuts()).toBeGreaterThan(0)
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
    expect(stdout).toMatch(/42[^]*What is 6 times 7\?/)
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
async function startCutting(target: string) {
  let cuts = 0
  const proxy = await listen(({ url, headers }, response) => {
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
  return { ...proxy, cuts: () => cuts }
}
