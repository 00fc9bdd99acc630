import type { HttpClient } from '../../http/client.ts'
import { mailError } from '../errors.ts'

/** Credentials to get access tokens. */
export interface GmailCredentials {
  readonly refreshToken: string
  readonly clientId: string
  readonly clientSecret?: string
}

export interface TokenSource {
  /** A token that is valid for at least a minute. `fresh` asks for a new one, after the server refused the last. */
  token(fresh: boolean, signal?: AbortSignal): Promise<string>
}

const EARLY_MS = 60_000

/** Gets access tokens by the refresh token (RFC 6749, section 6) and keeps them until shortly before they run out. */
export function tokenSource(
  { refreshToken, clientId, clientSecret }: GmailCredentials,
  { http, tokenUrl, now }: { http: HttpClient; tokenUrl: string; now: () => number },
): TokenSource {
  let cached: { token: string; until: number } | undefined
  return {
    async token(fresh, signal) {
      if (cached !== undefined && !fresh && cached.until > now()) return cached.token
      const form = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      })
      const response = await http.request({
        method: 'POST',
        url: tokenUrl,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: form.toString(),
        ...(signal === undefined ? {} : { signal }),
      })
      const reply = parseReply(response.body)
      if (response.status !== 200 || typeof reply['access_token'] !== 'string') {
        const reason = typeof reply['error'] === 'string' ? reply['error'] : `status ${response.status}`
        throw mailError(
          `Google did not give an access token (${reason.slice(0, 60)}). Check TUTTI_GMAIL_CLIENT_ID, TUTTI_GMAIL_CLIENT_SECRET and TUTTI_GMAIL_REFRESH_TOKEN, or grant access again.`,
          { retryable: response.status >= 500 },
        )
      }
      const seconds = typeof reply['expires_in'] === 'number' ? reply['expires_in'] : 3_600
      cached = { token: reply['access_token'], until: now() + seconds * 1000 - EARLY_MS }
      return cached.token
    },
  }
}

function parseReply(body: Uint8Array): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
