/** A small OpenID Connect provider on loopback. It signs in the user that the test sets, without a prompt. */
import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OidcProvider {
  readonly url: string
  /** Claims of the next user who signs in. */
  user: Record<string, unknown>
  /** Changes the claims of the id token before it is signed, to simulate a malicious provider. */
  tamper: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Whether it signs with a key that is not the provider's. */
  forged: boolean
  /** Makes the id token instead of the provider. */
  sign: ((claims: Record<string, unknown>) => string) | undefined
  /** Public part of the signing key. */
  readonly publicKey: KeyObject
  /** Changes the discovery document. */
  describe: (metadata: Record<string, unknown>) => Record<string, unknown>
  /** Changes the published keys. */
  keys: (keys: readonly object[]) => readonly object[]
  /** Answers a request instead of the provider. Returns false when it did not. */
  answer: (path: string, response: ServerResponse) => boolean
  /** Paths that were asked for. */
  readonly asked: string[]
  close(): Promise<void>
}

/** Encodes one part of a token. */
export function encoded(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

export async function startOidcProvider(clientId: string): Promise<OidcProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const codes = new Map<
    string,
    { nonce: string; challenge: string; redirectUri: string; user: Record<string, unknown> }
  >()
  const token = (claims: Record<string, unknown>): string => {
    if (provider.sign !== undefined) return provider.sign(claims)
    const text = `${encoded({ alg: 'RS256', kid: 'k1' })}.${encoded(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), provider.forged ? another : privateKey).toString('base64url')}`
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url!, provider.url)
    provider.asked.push(url.pathname)
    if (provider.answer(url.pathname, response)) return
    const reply = (body: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const routes: Record<string, () => void | Promise<void>> = {
      '/.well-known/openid-configuration': () =>
        reply(
          provider.describe({
            issuer: provider.url,
            authorization_endpoint: `${provider.url}/auth`,
            token_endpoint: `${provider.url}/token`,
            jwks_uri: `${provider.url}/jwks`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
            code_challenge_methods_supported: ['S256'],
          }),
        ),
      '/jwks': () =>
        reply({
          keys: provider.keys([{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }]),
        }),
      '/auth': () => {
        const asked = (name: string): string => url.searchParams.get(name) ?? ''
        if (asked('client_id') !== clientId || asked('code_challenge_method') !== 'S256') return reply({}, 400)
        const code = randomUUID()
        const [nonce, challenge, redirectUri] = [asked('nonce'), asked('code_challenge'), asked('redirect_uri')]
        codes.set(code, { nonce, challenge, redirectUri, user: provider.user })
        const back = new URL(redirectUri)
        back.search = new URLSearchParams({ code, state: asked('state') }).toString()
        response.writeHead(302, { location: back.href }).end()
      },
      '/token': async () => {
        const form = new URLSearchParams(await bodyOf(request))
        const known = codes.get(form.get('code') ?? '')
        codes.delete(form.get('code') ?? '')
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        if (known?.challenge !== challenge || known.redirectUri !== form.get('redirect_uri')) {
          return reply({ error: 'invalid_grant' }, 400)
        }
        const now = Math.floor(Date.now() / 1000)
        const claims = { iss: provider.url, aud: clientId, iat: now, exp: now + 300, nonce: known.nonce, ...known.user }
        reply({ access_token: 'at', token_type: 'Bearer', id_token: token(provider.tamper(claims)) })
      },
    }
    void (routes[url.pathname] ?? (() => reply({}, 404)))()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const provider: OidcProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user: {},
    tamper: (claims) => claims,
    forged: false,
    sign: undefined,
    publicKey,
    describe: (metadata) => metadata,
    keys: (keys) => keys,
    answer: () => false,
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return provider
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
