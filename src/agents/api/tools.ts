import { z } from 'zod'
import type { Artifacts } from '../../core/artifacts.ts'
import { ownData, outsideData, type Provenance } from '../../core/provenance.ts'
import { MASK, redact } from '../../core/secrets.ts'
import { defineTool, type Tool, type ToolInfo, type ToolIo } from '../../core/tool.ts'
import type { HttpClient, HttpResponse } from '../../http/client.ts'
import { mediaTypeOf } from '../../http/text.ts'
import { leavingOf, type CallPlace } from './leaving.ts'
import type { ApiCall } from './request/build.ts'
import { nextLinkOf } from './response/pages.ts'
import { contentOf, type Reply } from './response/reply.ts'
import { NO_SIGN_IN, type Proof, type SignIn } from './sign-in/sign-in.ts'

/** What the tools of one task need besides their input; holds the secrets that the input only names. */
export interface ToolParts {
  readonly http: HttpClient
  /** Where the calls of this task go, by `placeKey`; what is not in the catalogue has none. */
  readonly places: ReadonlyMap<string, CallPlace>
  /** By label. */
  readonly signIns: ReadonlyMap<string, SignIn>
  /** Values of masked headers, by name. */
  readonly contextHeaders: Readonly<Record<string, string>>
  /** Where answers go that are too large for the log. */
  readonly artifacts: Artifacts
}

export interface HttpTools {
  readonly get: Tool<ApiCall, Reply>
  readonly send: Tool<ApiCall, Reply>
}

const callSchema = z.object({
  api: z.string(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
  signIn: z.string(),
}) as z.ZodType<ApiCall, ApiCall>

const GET = {
  name: 'http_get',
  description: 'Reads from an HTTP API of the catalogue.',
  effect: 'read',
} as const satisfies ToolInfo

const SEND = {
  name: 'http_send',
  description: 'Sends a request that changes something to an HTTP API, after approval of the exact request.',
  effect: 'irreversible',
} as const satisfies ToolInfo

/** The tools as planners and people are told of them. */
export const HTTP_TOOLS: readonly ToolInfo[] = [GET, SEND]

/** The two tools for one task. Their input never holds a secret; it is put in on the way out. */
export function createHttpTools(parts: ToolParts): HttpTools {
  const provenance = (reply: Reply): Provenance => {
    const { api, base } = parts.places.get(placeKey(reply)) ?? {}
    const isTheirs = api?.trusted === true && base!.isOperators && reply.movedTo === undefined
    return isTheirs ? ownData(`api:${reply.api}`) : outsideData(`api:${reply.api}`)
  }
  return {
    get: defineTool({
      ...GET,
      input: callSchema,
      provenance,
      reach(call, earlier) {
        const place = parts.places.get(placeKey(call))
        if (place !== undefined) return leavingOf(call, place, earlier)
        const { host } = new URL(call.url)
        return { to: `the API "${call.api}" at ${host}`, destination: host, parts: call }
      },
      run: (call, io) => exchange(parts, call, io, {}),
    }),
    send: defineTool({
      ...SEND,
      input: callSchema,
      provenance,
      destination: placeKey,
      assertPossible: (call) => parts.http.check(call),
      // The header by which a service recognises a repetition (IETF draft "The Idempotency-Key HTTP Header Field").
      run: (call, io) => exchange(parts, call, io, { 'idempotency-key': io.idempotencyKey }),
    }),
  }
}

/** What all pages of one answer have in common. */
export function placeKey({ method, url }: Pick<ApiCall, 'method' | 'url'>): string {
  const { origin, pathname } = new URL(url)
  return `${method} ${origin}${pathname}`
}

/** Sends the call; after a 401 once more with a new proof, where the sign-in can get one (SPEC P7). */
async function exchange(parts: ToolParts, call: ApiCall, io: ToolIo, extra: Record<string, string>): Promise<Reply> {
  const signIn = parts.signIns.get(call.signIn) ?? NO_SIGN_IN
  let proof = await signIn.proof(io.signal)
  let response = await send(parts, call, proof, io.signal, extra)
  if (response.status === 401 && signIn.reject !== undefined) {
    signIn.reject(proof)
    const renewed = await signIn.proof(io.signal)
    if (Object.keys(renewed).length > 0) {
      proof = renewed
      response = await send(parts, call, proof, io.signal, extra)
    }
  }
  return replyOf(parts, call, response, secretsOf(parts, proof))
}

function send(
  { http, contextHeaders }: ToolParts,
  call: ApiCall,
  proof: Proof,
  signal: AbortSignal,
  extra: Record<string, string>,
): Promise<HttpResponse> {
  const url = new URL(call.url)
  for (const [name, value] of Object.entries(proof.query ?? {})) url.searchParams.set(name, value)
  const headers: Record<string, string> = { ...extra }
  for (const [name, value] of Object.entries(call.headers)) {
    const real = value === MASK ? contextHeaders[name] : value
    if (real !== undefined) headers[name.toLowerCase()] = real
  }
  for (const [name, value] of Object.entries(proof.headers ?? {})) headers[name.toLowerCase()] = value
  const cookies = Object.entries(proof.cookies ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  if (cookies.length > 0) headers['cookie'] = [headers['cookie'], ...cookies].filter(Boolean).join('; ')
  return http.request({
    method: call.method,
    url: url.href,
    headers,
    signal,
    ...(call.body === undefined ? {} : { body: call.body }),
  })
}

function secretsOf({ contextHeaders }: ToolParts, { headers, query, cookies }: Proof): string[] {
  const proofs = [headers, query, cookies].flatMap((part) => Object.values(part ?? {}))
  const masked = Object.values(contextHeaders)
  return [...proofs, ...masked].flatMap((secret) => [
    secret,
    secret.replace(/^(Bearer|Basic)\s+/i, ''),
    encodeURIComponent(secret),
  ])
}

/** Byte for byte, since nobody knows what the file is. */
function withoutSecrets(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  const found = secrets.map((secret) => Buffer.from(secret).toString('latin1'))
  return Buffer.from(redact(Buffer.from(bytes).toString('latin1'), found), 'latin1')
}

async function replyOf(
  { artifacts }: ToolParts,
  call: ApiCall,
  response: HttpResponse,
  secrets: readonly string[],
): Promise<Reply> {
  const content = await contentOf(response, secrets)
  const mediaType = mediaTypeOf(response)
  const nextUrl = nextLinkOf(response.headers['link'])
  const retryAfter = response.headers['retry-after']
  const { origin } = new URL(response.url)
  const artifact = content.isCut
    ? await artifacts.keep({ name: nameOf(call), mediaType, bytes: withoutSecrets(response.body, secrets) })
    : undefined
  return {
    api: call.api,
    method: call.method,
    url: call.url,
    status: response.status,
    mediaType,
    bytes: response.body.length,
    elapsedMs: response.elapsedMs,
    ...content,
    isCut: content.isCut || response.truncated,
    ...(artifact === undefined ? {} : { artifact }),
    ...(origin === new URL(call.url).origin ? {} : { movedTo: origin }),
    ...(nextUrl === undefined ? {} : { nextUrl: redact(nextUrl, secrets) }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}

function nameOf({ api, url }: ApiCall): string {
  return `${api}${new URL(url).pathname}`.replace(/[^\w.-]+/g, '-').slice(0, 100)
}
