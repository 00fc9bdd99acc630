/**
 * A scripted model provider on loopback that implements OpenAI's chat completions, with and without streaming. Tests
 * define its replies. `GET /requests` returns the requests it received.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeReply, type Reply } from './model-replies.ts'

export type { Reply } from './model-replies.ts'

export interface ModelRequest {
  readonly path: string
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly text: string }[]
  /** All messages' text, joined by new lines. */
  readonly text: string
  readonly isStream: boolean
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Index of the rule that answered; -1 when none matched. */
  readonly rule: number
}

export interface Rule {
  /** A text or pattern that must occur in the messages, or a test of one's own. Absent: always. */
  readonly when?: string | RegExp | ((request: ModelRequest) => boolean)
  readonly model?: string
  /** How many requests it answers before the next rule gets its turn; unlimited when absent. */
  readonly times?: number
  readonly reply: Reply | ((request: ModelRequest) => Reply | Promise<Reply>)
}

export interface ModelServer {
  /** Base URL for a client, ending in `/v1`. */
  readonly url: string
  readonly requests: readonly ModelRequest[]
  /** Replaces the rules and clears the recorded requests. */
  script(rules: readonly Rule[], models?: readonly string[]): void
  /** Requests answered by the rule at this index. */
  countOf(rule: number): number
  close(): Promise<void>
}

/**
 * Starts the server on a free port of 127.0.0.1. A request that no rule matches gets a 400 with that reason.
 * @param write writes the replies of rules, for responses that `Reply` cannot express
 */
export async function startModelServer(initial: readonly Rule[] = [], write = writeReply): Promise<ModelServer> {
  const state = { rules: initial, models: ['scripted'] as readonly string[], requests: [] as Mutable<ModelRequest>[] }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `model server: ${String(error)}` } }))
    })
  })

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (request.method === 'GET') return respondToGet(path, response)
    // As most gateways: chat completions alone.
    if (path.endsWith('/responses')) return notServed(path, response)
    const recorded = await readRequest(request, path)
    const index = state.rules.findIndex((rule, i) => matches(rule, recorded) && !isUsedUp(rule, i))
    const rule = state.rules[index]
    recorded.rule = index
    state.requests.push(recorded)
    if (rule === undefined) return unmatched(response, recorded)
    const reply = typeof rule.reply === 'function' ? await rule.reply(recorded) : rule.reply
    if (reply.latencyMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.latencyMs))
    if (!response.destroyed) write(response, reply, recorded.model, recorded.isStream)
  }

  function respondToGet(path: string, response: ServerResponse): void {
    const body = path.endsWith('/models')
      ? { object: 'list', data: state.models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'test' })) }
      : path.endsWith('/requests')
        ? state.requests
        : undefined
    if (body === undefined) return notServed(path, response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

  const isUsedUp = (rule: Rule, index: number): boolean => rule.times !== undefined && countOf(index) >= rule.times
  const countOf = (index: number): number => state.requests.filter((request) => request.rule === index).length

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return state.requests
    },
    script(rules, models) {
      state.rules = rules
      state.requests = []
      if (models !== undefined) state.models = models
    },
    countOf,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function notServed(path: string, response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: `nothing is served at ${path}` } }))
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

async function readRequest(request: IncomingMessage, path: string): Promise<Mutable<ModelRequest>> {
  let raw = ''
  for await (const chunk of request.setEncoding('utf8')) raw += chunk as string
  const body = JSON.parse(raw === '' ? '{}' : raw) as Record<string, unknown>
  const messages = (Array.isArray(body['messages']) ? body['messages'] : []).map(messageOf)
  return {
    path,
    model: typeof body['model'] === 'string' ? body['model'] : '',
    messages,
    text: messages.map((message) => message.text).join('\n'),
    isStream: body['stream'] === true,
    body,
    headers: request.headers,
    rule: -1,
  }
}

function messageOf(message: { role: string; content: unknown }): { role: string; text: string } {
  const { role, content } = message
  if (typeof content === 'string') return { role, text: content }
  const parts = Array.isArray(content) ? (content as { text?: string }[]) : []
  return { role, text: parts.map((part) => part.text ?? '').join('') }
}

function matches(rule: Rule, request: ModelRequest): boolean {
  if (rule.model !== undefined && rule.model !== request.model) return false
  if (rule.when === undefined) return true
  if (typeof rule.when === 'function') return rule.when(request)
  return typeof rule.when === 'string' ? request.text.includes(rule.when) : rule.when.test(request.text)
}

function unmatched(response: ServerResponse, request: ModelRequest): void {
  const message = `No rule of the scripted model server matches: ${request.text.slice(0, 200)}`
  writeReply(response, { status: 400, text: message }, request.model, request.isStream)
}
