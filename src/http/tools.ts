import { z } from 'zod'
import type { HttpInput, HttpReply, HttpTools } from '../core/http.ts'
import { untrusted, type Provenance } from '../core/provenance.ts'
import { defineTool, type Leaving, type ToolIo } from '../core/tool.ts'
import type { HttpClient } from './client.ts'
import { mediaTypeOf, textOf } from './text.ts'

const MAX_BYTES = 1_000_000

const texts = z.record(z.string(), z.string())
const input = z.object({
  method: z.string(),
  url: z.string(),
  address: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  headers: texts.optional(),
  secretHeaders: texts.optional(),
  body: z.string().optional(),
}) as z.ZodType<HttpInput, HttpInput>

/** The network for agents, behind one client and its policy. What comes back is a stranger's. */
export function httpTools(client: HttpClient): HttpTools {
  const shared = {
    input,
    secretFields: ['secretHeaders'],
    provenance: ({ url }: HttpReply): Provenance => untrusted(`http:${hostOf(url)}`),
  }
  return {
    read: defineTool({
      ...shared,
      name: 'http_read',
      description: 'Reads from a server.',
      effect: 'read',
      reach: leavingOf,
      run: (call, { signal }) => exchange(client, call, signal, {}),
    }),
    change: defineTool({
      ...shared,
      name: 'http_change',
      description: 'Sends a request that may change something on a server.',
      effect: 'irreversible',
      // By which a service recognises a repetition (IETF draft "The Idempotency-Key HTTP Header Field").
      run: (call, io: ToolIo) => exchange(client, call, io.signal, { 'idempotency-key': io.idempotencyKey }),
    }),
  }
}

/** Of an address that the agent declares only what it is filled with; of any other all. */
function leavingOf({ url, address, params, headers, secretHeaders, body }: HttpInput): Leaving {
  const sent = [...Object.values(headers ?? {}), ...(body === undefined ? [] : [body])]
  if (address !== undefined) return { to: address, parts: [...Object.values(params ?? {}), ...sent] }
  return { to: hostOf(url), parts: [url, ...sent, ...Object.values(secretHeaders ?? {})] }
}

async function exchange(
  client: HttpClient,
  { method, url, headers, secretHeaders, body }: HttpInput,
  signal: AbortSignal,
  extra: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const response = await client.request({
    method,
    url,
    headers: { ...extra, ...headers, ...secretHeaders },
    maxBytes: MAX_BYTES,
    signal,
    ...(body === undefined ? {} : { body }),
  })
  const { 'set-cookie': _cookies, ...received } = response.headers
  const isText = /^$|^text\/|[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson)$/.test(
    mediaTypeOf(response),
  )
  return {
    status: response.status,
    url: response.url,
    headers: received,
    text: isText ? textOf(response) : '',
    ...(isText ? {} : { base64: Buffer.from(response.body).toString('base64') }),
    isCut: response.truncated,
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 200)
}
