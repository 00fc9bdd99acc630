import type { ServerResponse } from 'node:http'
import { bodyOf, eventsOf, writeReply, type Reply as PlainReply } from '../../src/testing/model-replies.ts'

/**
 * Faults between Tutti and a provider. `malformed-body`: the HTTP body is not JSON (in a stream: one event is not).
 * `truncated`: the connection is cut in the middle. `no-finish`: a clean end without a finish reason and without
 * `[DONE]`. `stall`: no byte at all; `stall-mid-stream`: half an answer, then silence. `html`: a web page. `close`: the
 * connection is dropped before any byte.
 */
type Fault = 'malformed-body' | 'truncated' | 'no-finish' | 'stall' | 'stall-mid-stream' | 'html' | 'close'

export interface Reply extends PlainReply {
  readonly retryAfterMs?: number
  readonly fault?: Fault
}

/** Writes one reply with its fault. */
export function writeWithFault(response: ServerResponse, reply: Reply, model: string, isStream: boolean): void {
  if (reply.retryAfterMs !== undefined) response.setHeader('retry-after-ms', reply.retryAfterMs)
  switch (reply.fault) {
    case 'stall':
      return
    case 'close':
      response.destroy()
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><html><head><title>Welcome</title></head><body>Please sign in</body></html>')
      return
    case undefined:
      writeReply(response, reply, model, isStream)
      return
    default:
      if (isStream) writeFaultyStream(response, reply.fault, eventsOf(reply, model))
      else writeFaultyBody(response, reply.fault, bodyOf(reply, model))
  }
}

type AnswerFault = Exclude<Fault, 'stall' | 'close' | 'html'>

function writeFaultyStream(response: ServerResponse, fault: AnswerFault, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const half = events.slice(0, events.length / 2).join('')
  if (fault === 'truncated') {
    response.write(half, () => response.destroy())
  } else if (fault === 'stall-mid-stream') {
    response.write(half)
  } else if (fault === 'malformed-body') {
    response.end([...events.slice(0, -3), 'data: {"id": "chatcmpl-scr\n\n', ...events.slice(-3)].join(''))
  } else {
    response.end(events.filter((event) => !/"finish_reason":"|\[DONE\]/.test(event)).join(''))
  }
}

function writeFaultyBody(response: ServerResponse, fault: AnswerFault, body: string): void {
  const half = body.slice(0, body.length / 2)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  if (fault === 'truncated') {
    response.writeHead(200, headers).write(half, () => response.destroy())
  } else if (fault === 'stall-mid-stream') {
    response.writeHead(200, headers).write(half)
  } else if (fault === 'malformed-body') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(half)
  } else {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body.replace(/"finish_reason":"\w+"/, '"finish_reason":null'))
  }
}
