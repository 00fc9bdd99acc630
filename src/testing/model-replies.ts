import type { ServerResponse } from 'node:http'

/**
 * Faults between Tutti and a provider. `malformed-body`: the HTTP body is not JSON (in a stream: one event is not).
 * `malformed-json`, `fenced-json`, `trailing-text`, `wrong-schema`: the envelope is valid, but the content is not plain
 * JSON of the schema. `truncated`: the connection is cut in the middle. `no-finish`: a clean end without a finish
 * reason and without `[DONE]`. `stall`: no byte at all; `stall-mid-stream`: half an answer, then silence. `close`: the
 * connection is dropped before any byte.
 */
export type Fault =
  | 'malformed-body'
  | 'malformed-json'
  | 'fenced-json'
  | 'trailing-text'
  | 'wrong-schema'
  | 'truncated'
  | 'no-finish'
  | 'stall'
  | 'stall-mid-stream'
  | 'html'
  | 'empty'
  | 'length'
  | 'content-filter'
  | 'close'

export interface WireUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cached_tokens?: number
}

export interface Reply {
  readonly text?: string
  /** Answered as its JSON text. */
  readonly json?: unknown
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[]
  /** Pieces of a streamed text; by default words. */
  readonly chunks?: readonly string[]
  readonly finishReason?: string
  /** `false`: the server reports no usage. Default: 100 in, 20 out. */
  readonly usage?: WireUsage | false
  /** Wait before the first byte. */
  readonly latencyMs?: number
  /** An HTTP error instead of an answer; `text` is its message, `code` its machine-readable code. */
  readonly status?: number
  readonly code?: string
  /** Seconds as a number, or any header value such as an HTTP date. */
  readonly retryAfter?: number | string
  readonly retryAfterMs?: number
  readonly fault?: Fault
}

const DEFAULT_USAGE: WireUsage = { prompt_tokens: 100, completion_tokens: 20 }

/** Writes one reply in the wire format of OpenAI's chat completions. Resolves when there is nothing more to write. */
export function writeReply(response: ServerResponse, reply: Reply, model: string, isStream: boolean): void {
  if (reply.fault === 'stall') return
  if (reply.fault === 'close') {
    response.destroy()
  } else if (reply.status !== undefined) {
    writeError(response, reply, reply.status)
  } else if (reply.fault === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><html><head><title>Welcome</title></head><body>Please sign in</body></html>')
  } else if (isStream) {
    writeStream(response, reply, model)
  } else {
    writeWhole(response, reply, model)
  }
}

function writeError(response: ServerResponse, reply: Reply, status: number): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(reply.retryAfter === undefined ? {} : { 'retry-after': String(reply.retryAfter) }),
    ...(reply.retryAfterMs === undefined ? {} : { 'retry-after-ms': String(reply.retryAfterMs) }),
  })
  const message = reply.text ?? `scripted error ${status}`
  response.end(JSON.stringify({ error: { message, type: 'scripted', code: reply.code ?? null } }))
}

/** The content of the model's reply, with the fault applied. */
function contentOf(reply: Reply): string {
  const byDefault = reply.toolCalls === undefined ? 'ok' : ''
  const content = reply.text ?? (reply.json === undefined ? byDefault : JSON.stringify(reply.json))
  switch (reply.fault) {
    case 'empty':
    case 'content-filter':
      return ''
    case 'malformed-json':
      return `${content.slice(0, Math.max(1, content.length - 1))}, "oops": `
    case 'fenced-json':
      return `Here is the JSON you asked for:\n\`\`\`json\n${content}\n\`\`\``
    case 'trailing-text':
      return `${content}\n\nI hope this helps! Let me know if {anything} is unclear.`
    case 'wrong-schema':
      return '{"scripted":"not what the schema asks for"}'
    case 'length':
      return content.slice(0, Math.ceil(content.length / 2))
    default:
      return content
  }
}

function finishReasonOf(reply: Reply): string | null {
  if (reply.fault === 'no-finish') return null
  if (reply.fault === 'length') return 'length'
  if (reply.fault === 'content-filter') return 'content_filter'
  return reply.finishReason ?? (reply.toolCalls === undefined ? 'stop' : 'tool_calls')
}

function usageOf(reply: Reply): Record<string, unknown> | undefined {
  if (reply.usage === false) return undefined
  const { cached_tokens, ...usage } = reply.usage ?? DEFAULT_USAGE
  return {
    ...usage,
    total_tokens: usage.prompt_tokens + usage.completion_tokens,
    ...(cached_tokens === undefined ? {} : { prompt_tokens_details: { cached_tokens } }),
  }
}

function toolCallsOf(reply: Reply): Record<string, unknown>[] | undefined {
  return reply.toolCalls?.map((call, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }))
}

function writeWhole(response: ServerResponse, reply: Reply, model: string): void {
  const toolCalls = toolCallsOf(reply)
  const usage = usageOf(reply)
  const body = JSON.stringify({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReasonOf(reply),
        message: {
          role: 'assistant',
          content: contentOf(reply),
          ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
        },
      },
    ],
    ...(usage === undefined ? {} : { usage }),
  })
  const half = body.slice(0, body.length / 2)
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  if (reply.fault === 'malformed-body') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(half)
  } else if (reply.fault === 'truncated') {
    response.writeHead(200, headers).write(half, () => response.destroy())
  } else if (reply.fault === 'stall-mid-stream') {
    response.writeHead(200, headers).write(half)
  } else {
    response.writeHead(200, headers).end(body)
  }
}

function writeStream(response: ServerResponse, reply: Reply, model: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = (fields: Record<string, unknown>, done?: () => void): void => {
    const event = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1, model, ...fields }
    response.write(`data: ${JSON.stringify(event)}\n\n`, done)
  }
  const delta = (content: Record<string, unknown>, done?: () => void): void =>
    send({ choices: [{ index: 0, delta: content, finish_reason: null }] }, done)

  const pieces = reply.chunks ?? contentOf(reply).match(/\s*\S+\s*/g) ?? []
  const isCut = reply.fault === 'truncated' || reply.fault === 'stall-mid-stream'
  const shown = isCut ? pieces.slice(0, Math.ceil(pieces.length / 2)) : pieces
  delta({ role: 'assistant', content: '' })
  for (const piece of shown) delta({ content: piece })
  if (reply.fault === 'truncated') return void delta({ content: '' }, () => response.destroy())
  if (reply.fault === 'stall-mid-stream') return
  if (reply.fault === 'malformed-body') response.write('data: {"id": "chatcmpl-scr\n\n')
  const toolCalls = toolCallsOf(reply)
  if (toolCalls !== undefined) delta({ tool_calls: toolCalls })
  const finishReason = finishReasonOf(reply)
  if (finishReason !== null) send({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }] })
  const usage = usageOf(reply)
  if (usage !== undefined) send({ choices: [], usage })
  response.end(reply.fault === 'no-finish' ? '' : 'data: [DONE]\n\n')
}
