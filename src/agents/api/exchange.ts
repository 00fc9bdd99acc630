import type { ActorContext } from '../../domain/actor.ts'
import type { Artifacts } from '../../domain/artifacts.ts'
import { omitUndefined } from '../../shared/json.ts'
import { MASK, redact } from '../../domain/secrets.ts'
import type { HttpClient, HttpResponse } from '../../http/client.ts'
import { mediaTypeOf } from '../../http/body.ts'
import type { CallMaker } from './calls.ts'
import type { ApiCall } from './request/build.ts'
import { nextLinkOf } from './response/pages.ts'
import { readContent, type Reply } from './response/reply.ts'
import type { Proof } from './sign-in/sign-in.ts'

/** Dependencies for sending calls; includes the secrets that calls only refer to. */
export interface ExchangeParts {
  readonly http: HttpClient
  readonly calls: CallMaker
  /** Of the request. */
  readonly context: Readonly<Record<string, unknown>>
  /** Writes a line of the trace. */
  readonly note: ActorContext['note']
  /** Where answers go that are too large for the log. */
  readonly artifacts: Artifacts
}

/** Sends the call; after a 401 it is repeated once with a new token, if the sign-in can get one. */
export async function exchange(
  parts: ExchangeParts,
  call: ApiCall,
  signal: AbortSignal,
  extra: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const signIn = parts.calls.signInOf(call)
  let proof = await signIn.proof(signal)
  let response = await send(parts, call, proof, signal, extra)
  if (response.status === 401 && signIn.reject !== undefined) {
    parts.note('MESSAGE', 'Refreshing the token after 401', { url: call.url, method: call.method })
    signIn.reject(proof)
    const renewed = await signIn.proof(signal)
    if (Object.keys(renewed).length > 0) {
      proof = renewed
      response = await send(parts, call, proof, signal, extra)
    }
  }
  return replyOf(parts, call, response, secretsOf(parts, proof))
}

async function send(
  { http, note, calls: { secretHeaders } }: ExchangeParts,
  call: ApiCall,
  proof: Proof,
  signal: AbortSignal,
  extra: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const url = new URL(call.url)
  for (const [name, value] of Object.entries(proof.query ?? {})) url.searchParams.set(name, value)
  const headers: Record<string, string> = { ...extra }
  for (const [name, value] of Object.entries(call.headers)) {
    const real = value === MASK ? secretHeaders[name] : value
    if (real !== undefined) headers[name.toLowerCase()] = real
  }
  for (const [name, value] of Object.entries(proof.headers ?? {})) headers[name.toLowerCase()] = value
  const cookies = Object.entries(proof.cookies ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  if (cookies.length > 0) headers['cookie'] = [headers['cookie'], ...cookies].filter(Boolean).join('; ')
  const { method, body } = call
  const response = await http.request({ method, url: url.href, headers, signal, ...omitUndefined({ body }) })
  const { status: status_code, elapsedMs: elapsed_ms } = response
  note('TOOL', 'Executed HTTP request', { url: call.url, method, status_code, elapsed_ms })
  return response
}

function secretsOf({ calls: { secretHeaders } }: ExchangeParts, { headers, query, cookies }: Proof): string[] {
  const proofs = [headers, query, cookies].flatMap((part) => Object.values(part ?? {}))
  const masked = Object.values(secretHeaders)
  return [...proofs, ...masked].flatMap((secret) => [
    secret,
    secret.replace(/^(Bearer|Basic)\s+/i, ''),
    encodeURIComponent(secret),
  ])
}

/** Byte by byte, because the file's format is unknown. */
function withoutSecrets(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  const found = secrets.map((secret) => Buffer.from(secret).toString('latin1'))
  return Buffer.from(redact(Buffer.from(bytes).toString('latin1'), found), 'latin1')
}

async function replyOf(
  { artifacts }: ExchangeParts,
  call: ApiCall,
  response: HttpResponse,
  secrets: readonly string[],
): Promise<Reply> {
  const content = readContent(response, secrets)
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
    ...omitUndefined({ artifact }),
    ...(origin === new URL(call.url).origin ? {} : { movedTo: origin }),
    ...(nextUrl === undefined ? {} : { nextUrl: redact(nextUrl, secrets) }),
    ...omitUndefined({ retryAfter }),
  }
}

function nameOf({ api, url }: ApiCall): string {
  return `${api}${new URL(url).pathname}`.replace(/[^\w.-]+/g, '-').slice(0, 100)
}
