import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { RunEvent } from '../../../src/domain/events.ts'
import { routesOf } from '../../../src/server/routes.ts'
import { pageFor, web } from '../../../src/server/web/web.ts'
import type { Replies } from './replies.ts'

/** Replies of the server while a picture is taken. */
export interface Told {
  readonly replies: Replies
  readonly runs: Readonly<Record<string, readonly RunEvent[]>>
}

/** An error reply. */
export class Refusal {
  readonly status: number
  readonly detail: string
  readonly code: string

  constructor(status: number, code: string, detail: string) {
    this.status = status
    this.code = code
    this.detail = detail
  }
}

/** A reply that never arrives. */
export const NEVER = Symbol('never')

export interface GalleryServer {
  readonly url: string
  tell(told: Told): void
  close(): Promise<void>
}

/** Serves the built app like the product, with fixed replies for the API. */
export async function startGallery(built: string): Promise<GalleryServer> {
  let told: Told = { replies: {}, runs: {} }
  const files = fastify({ rewriteUrl: pageFor })
  await files.register(async (instance) => web(built)(routesOf(instance as never), undefined as never))
  files.setNotFoundHandler((request, reply) => {
    reply.hijack()
    answer(told, request.raw, reply.raw)
  })
  await files.ready()
  const server = createServer((request, response) => files.routing(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell: (next) => {
      told = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await files.close()
    },
  }
}

function answer({ replies, runs }: Told, { url = '/', method }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://gallery')
  const [, runId] = /^\/runs\/([^/]+)\/events$/.exec(pathname) ?? []
  if (runId !== undefined && runs[runId] !== undefined) return stream(runs[runId], response)
  const status = searchParams.get('status')
  const ofList = status === null ? undefined : replies[`${pathname}?status=${status}`]
  const reply = method === 'GET' ? (ofList ?? replies[pathname]) : replies[`${method} ${pathname}`]
  if (reply === NEVER) return
  const said =
    reply instanceof Refusal
      ? reply
      : reply === undefined
        ? new Refusal(404, 'NotFound', `The gallery has nothing at ${method} ${pathname}.`)
        : undefined
  response.writeHead(said?.status ?? 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(said === undefined ? reply : { ...said }))
}

/** The events of a run; the stream of an active run stays open. */
function stream(log: readonly RunEvent[], response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of log) response.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
  if (['run.finished', 'run.failed', 'run.cancelled'].includes(log.at(-1)!.type)) response.end()
}
