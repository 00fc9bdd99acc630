import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Problem } from './problem.ts'
import type { Route } from './route.ts'

/** Maximum body size, far above any valid body. */
const MAX_BODY_BYTES = 16_384

/**
 * Rejects requests for a host name other than this machine's. Otherwise a web page whose name resolves to this machine
 * (DNS rebinding) could read the API.
 * @throws Problem 421
 */
export function checkHost(request: IncomingMessage): void {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  if (isLoopback(host)) return
  throw new Problem('wrong_host', 'This API answers to localhost only; use the address that it gave when it started.')
}

/** Whether a host name or an IP address, with or without brackets, is a loopback address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|::1)$/.test(host)
}

/** @throws Problem 401 with the ways to sign in */
export function checkSignIn({ headers }: IncomingMessage, signIn: Route['signIn'], apiKey: string): void {
  if (signIn === 'apiKey') {
    const given = headers['x-api-key']
    if (typeof given === 'string' && isSame(given, apiKey)) return
    throw new Problem('unauthorized', 'Send the right key in the header X-Api-Key.', {
      parameter: 'X-Api-Key',
      headers: { 'www-authenticate': 'ApiKey realm="Brindlemoor Coffee", header="X-Api-Key"' },
    })
  }
  const token = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (token !== undefined && isSame(token, apiKey)) return
  throw new Problem('unauthorized', 'This endpoint wants the key as a bearer token: Authorization: Bearer <key>.', {
    parameter: 'Authorization',
    headers: { 'www-authenticate': 'Bearer realm="Brindlemoor Coffee"' },
  })
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** @throws Problem 400 for a parameter given twice */
export function queryOf(search: URLSearchParams): Record<string, string> {
  const names = [...search.keys()]
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw new Problem('invalid_parameter', `${twice}: is given twice.`, { parameter: twice })
  return Object.fromEntries(search)
}

/**
 * Reads the JSON body of a request; undefined if there is none. A body that is too long is read to its end but not
 * stored, since a client that is still sending would not see the answer.
 * @throws Problem 400 for invalid JSON, 413 and 415
 */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  if (size === 0) return undefined
  if (size > MAX_BODY_BYTES) {
    throw new Problem('body_too_large', `The body has ${size} bytes; ${MAX_BODY_BYTES} are allowed.`)
  }
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw new Problem('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.', {
      parameter: 'Content-Type',
    })
  }
  return parsed(Buffer.concat(chunks))
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new Problem('invalid_body', `The body is not JSON: ${(cause as Error).message}.`)
  }
}

/** @throws Problem 400 if it is not plain text of 1 to 200 characters */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[!-~]{1,200}$/.test(key)) return key
  throw new Problem('invalid_parameter', 'Idempotency-Key: must be 1 to 200 visible characters without blanks.', {
    parameter: 'Idempotency-Key',
  })
}
