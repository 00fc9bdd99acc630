/** One server in a process of its own, for `bench/server.ts`: `tutti` or `fastify`. Told how much to send, it sends it and says so. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { createApp } from '../src/app/create-app.ts'
import type { NewEvent } from '../src/domain/events.ts'
import { LOCAL_OWNER } from '../src/domain/owner.ts'
import { parseRequest } from '../src/domain/request.ts'
import { signInLocally } from '../src/server/access.ts'
import { resources } from '../src/server/resources.ts'
import { startServer } from '../src/server/server.ts'

interface Job {
  readonly seconds: number
  readonly perSecond: number
}

const at = new Date(0).toISOString()
const note = (i: number): NewEvent => ({ type: 'note', kind: 'MESSAGE', message: `n${i} ${'x'.repeat(200)}`, at })

async function tutti() {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-bench-streams-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const app = await createApp({ storage: { folder } })
  const server = await startServer({
    app,
    host: '127.0.0.1',
    port: 0,
    version: '0',
    authenticate: signInLocally,
    resources: resources({ version: '0' }),
    onTrouble: ({ message }) => console.error(message),
  })
  const runId = randomUUID()
  const start: NewEvent = {
    type: 'run.started',
    request: parseRequest({ question: 'q' }, new Set()),
    owner: LOCAL_OWNER,
    at,
  }
  await app.store.append([{ runId, afterSeq: 0, events: [start] }])
  const send = async (i: number) => void (await app.store.append([{ runId, afterSeq: i + 1, events: [note(i)] }]))
  return { port: Number(new URL(server.url).port), path: `/runs/${runId}/events?format=log`, send }
}

async function bare() {
  const server = fastify()
  const streams = new Set<NodeJS.WritableStream>()
  server.get('/events', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
    streams.add(reply.raw)
    reply.raw.on('close', () => streams.delete(reply.raw))
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const send = async (i: number): Promise<void> => {
    const text = `id: ${i}\nevent: note\ndata: ${JSON.stringify({ ...note(i), seq: i, runId: randomUUID() })}\n\n`
    for (const stream of streams) stream.write(text)
  }
  return { port: (server.server.address() as { port: number }).port, path: '/events', send }
}

const { port, path, send } = await (process.argv[2] === 'tutti' ? tutti() : bare())
process.on('SIGTERM', () => process.exit(0))
process.on('message', ({ seconds, perSecond }: Job) => {
  void (async () => {
    const startedAt = performance.now()
    for (let i = 0; i < seconds * perSecond; i++) {
      const wait = startedAt + (i * 1_000) / perSecond - performance.now()
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)))
      await send(i)
    }
    process.send!('sent')
  })()
})
globalThis.gc?.()
process.send!({ port, path })
