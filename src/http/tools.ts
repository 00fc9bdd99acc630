import { z } from 'zod'
import {
  type HttpInput,
  type HttpReply,
  type HttpTools,
  defineTool,
  type Leaving,
  type ToolIo,
} from '../domain/tool.ts'
import { outsideData, type Provenance } from '../domain/provenance.ts'
import { createSecrets, type Secrets } from '../domain/secrets.ts'
import type { HttpClient, HttpRequest } from './client.ts'
import { mediaTypeOf, bodyText } from './body.ts'

const MAX_BYTES = 1_000_000

const texts = z.record(z.string(), z.string())
const fills = z.record(z.string(), z.union([z.string(), z.number()]))
const input = z.object({
  method: z.string(),
  url: z.string(),
  address: z.string().optional(),
  among: z.number().optional(),
  params: fills.optional(),
  secretParams: fills.optional(),
  headers: texts.optional(),
  secretHeaders: texts.optional(),
  body: z.string().optional(),
}) as z.ZodType<HttpInput, HttpInput>

/** Headers that contain no data from the run, only formats. */
const FORMAT_HEADERS = new Set(
  ['application/json', 'text/plain', 'text/html', '*/*'].flatMap((type) => [
    `accept: ${type}`,
    `content-type: ${type}`,
  ]),
)

/**
 * Network access for agents with one client and its policy. Responses are untrusted.
 * @param secrets of this installation, such as keys. Agents may always use them to sign in
 */
export function httpTools(client: HttpClient, secrets: readonly string[] = []): HttpTools {
  const known = createSecrets(secrets)
  const shared = {
    input,
    secretFields: ['secretHeaders', 'secretParams'],
    assertPossible: (call: HttpInput) => client.check(requestOf(call)),
    placeOf: ({ method, address, url }: HttpInput) => `${method} ${address ?? withoutQuery(url)}`,
    destination: ({ method, url }: HttpInput) => `${method} ${withoutQuery(url)}`,
    provenance: ({ url }: HttpReply): Provenance => outsideData(`http:${hostOf(url)}`),
  }
  return {
    read: defineTool({
      ...shared,
      name: 'http_read',
      description: 'Reads from a server.',
      effect: 'read',
      reach: (call) => leavingOf(call, known),
      run: (call, { signal }) => exchange(client, call, signal, {}),
    }),
    change: defineTool({
      ...shared,
      name: 'http_change',
      description: 'Sends a request that may change something on a server.',
      effect: 'irreversible',
      // Services recognise repetitions by it (IETF draft "The Idempotency-Key HTTP Header Field").
      run: (call, io: ToolIo) => exchange(client, call, io.signal, { 'idempotency-key': io.idempotencyKey }),
    }),
  }
}

/**
 * The data that leaves with a request. For a URL that the agent declares, only its parameters and its index; otherwise
 * everything. A value marked as secret that is not a secret of this installation may be anything, so it counts.
 */
function leavingOf(call: HttpInput, known: Secrets): Leaving {
  const { url, address, among = 1, params = {}, secretParams = {}, headers = {}, secretHeaders = {}, body } = call
  const plain = Object.entries(headers).filter(
    ([name, value]) => !FORMAT_HEADERS.has(`${name}: ${value}`.toLowerCase()),
  )
  const secret = Object.entries(secretHeaders).filter(([, value]) => !isOf(known, value))
  const sent = [...[...plain, ...secret].flat(), ...(body === undefined ? [] : [body])]
  const to = hostOf(url)
  if (address === undefined) return { to, parts: [url, ...sent] }
  const filled = [...Object.values(params), ...Object.values(secretParams).filter((value) => !isOf(known, `${value}`))]
  return { to, parts: [...filled, ...sent], listed: among > 1 ? [among - 1] : [] }
}

/** Whether the value is a secret of this installation, optionally after a scheme such as `Bearer`. */
function isOf(known: Secrets, value: string): boolean {
  return /^(?:(?:bearer|basic|token|apikey)\s+)?\*+$/i.test(known.text(value).trim())
}

function requestOf({ method, url, headers, secretHeaders, body }: HttpInput): HttpRequest {
  return { method, url, headers: { ...headers, ...secretHeaders }, ...(body === undefined ? {} : { body }) }
}

async function exchange(
  client: HttpClient,
  call: HttpInput,
  signal: AbortSignal,
  extra: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const request = requestOf(call)
  const headers = { ...extra, ...request.headers }
  const response = await client.request({ ...request, headers, maxBytes: MAX_BYTES, signal })
  const { 'set-cookie': _cookies, ...received } = response.headers
  const isText = /^$|^text\/|[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson)$/.test(
    mediaTypeOf(response),
  )
  return {
    status: response.status,
    url: response.url,
    headers: received,
    text: isText ? bodyText(response) : '',
    ...(isText ? {} : { base64: Buffer.from(response.body).toString('base64') }),
    isCut: response.truncated,
  }
}

function withoutQuery(url: string): string {
  return /^[^?#]*/.exec(url)![0]
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 200)
}
