import type { ServerResponse } from 'node:http'

export interface WireUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly prompt_tokens_details?: { readonly cached_tokens: number }
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
}

const DEFAULT_USAGE: WireUsage = { prompt_tokens: 100, completion_tokens: 20 }

/** Writes one reply in the wire format of OpenAI's chat completions. */
export function writeReply(response: ServerResponse, reply: Reply, model: string, isStream: boolean): void {
  if (reply.status !== undefined) {
    writeError(response, reply, reply.status)
  } else if (isStream) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    for (const event of eventsOf(reply, model)) response.write(event)
    response.end()
  } else {
    response.writeHead(200, { 'content-type': 'application/json' }).end(bodyOf(reply, model))
  }
}

function writeError(response: ServerResponse, reply: Reply, status: number): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(reply.retryAfter === undefined ? {} : { 'retry-after': String(reply.retryAfter) }),
  })
  const message = reply.text ?? `scripted error ${status}`
  response.end(JSON.stringify({ error: { message, type: 'scripted', code: reply.code ?? null } }))
}

function contentOf({ text, json, toolCalls }: Reply): string {
  const byDefault = toolCalls === undefined ? 'ok' : ''
  return text ?? (json === undefined ? byDefault : JSON.stringify(json))
}

function finishReasonOf(reply: Reply): string {
  return reply.finishReason ?? (reply.toolCalls === undefined ? 'stop' : 'tool_calls')
}

function usageOf({ usage = DEFAULT_USAGE }: Reply): object | undefined {
  return usage === false ? undefined : { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens }
}

function toolCallsOf(reply: Reply): Record<string, unknown>[] | undefined {
  return reply.toolCalls?.map((call, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }))
}

/** The answer as one JSON text. */
export function bodyOf(reply: Reply, model: string): string {
  return JSON.stringify({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReasonOf(reply),
        message: { role: 'assistant', content: contentOf(reply), tool_calls: toolCallsOf(reply) },
      },
    ],
    usage: usageOf(reply),
  })
}

/** The answer as events of a stream, from the role to `[DONE]`. */
export function eventsOf(reply: Reply, model: string): string[] {
  const event = (fields: object): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1, model, ...fields })}\n\n`
  const delta = (content: object, finishReason: string | null = null): string =>
    event({ choices: [{ index: 0, delta: content, finish_reason: finishReason }] })
  const pieces = reply.chunks ?? contentOf(reply).match(/\s*\S+\s*/g) ?? []
  const toolCalls = toolCallsOf(reply)
  const usage = usageOf(reply)
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces.map((content) => delta({ content })),
    ...(toolCalls === undefined ? [] : [delta({ tool_calls: toolCalls })]),
    delta({}, finishReasonOf(reply)),
    ...(usage === undefined ? [] : [event({ choices: [], usage })]),
    'data: [DONE]\n\n',
  ]
}
