import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readFile, realpath } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { tryParseJson, isObject } from '../../../shared/json.ts'
import type { Clock } from '../../../shared/clock.ts'
import { TuttiError } from '../../../domain/errors.ts'
import type { HttpClient } from '../../../http/client.ts'
import { bodyText } from '../../../http/body.ts'

/** A token counts as expired this long before its expiry, in milliseconds. */
const GRACE_MS = 120_000
const DEFAULT_LIFE_S = 3_600

export interface FirebaseSettings extends TokenFileSettings {
  readonly webApiKey?: string
  readonly email?: string
  readonly password?: string
  /** Host and port of the emulator, as in `FIREBASE_AUTH_EMULATOR_HOST`. */
  readonly emulatorHost?: string
}

/** Gets and keeps Firebase ID tokens. One per process: the tokens it caches are shared by all runs. */
export interface Firebase {
  /** Cached token, else token file, else e-mail and password; undefined if none is configured. */
  token(settings: FirebaseSettings, signal: AbortSignal): Promise<string | undefined>
  /** A token that the service refused is not used again. */
  reject(settings: FirebaseSettings, token: string): void
}

const signedIn = z.object({ idToken: z.string().min(1), expiresIn: z.coerce.number().positive().optional() })

export function createFirebase(http: HttpClient, clock: Clock): Firebase {
  const cache = new Map<string, { readonly token: string; readonly expiresAt: number }>()
  const refusedTokens = new Map<string, string>()

  async function fresh(settings: FirebaseSettings, key: string, signal: AbortSignal): Promise<string | undefined> {
    const fromFile = await readTokenFile(settings)
    if (fromFile !== undefined && isUsable(fromFile) && refusedTokens.get(key) !== fromFile) {
      return keep(key, fromFile, expiryOf(fromFile))
    }
    if (!hasPassword(settings)) return undefined
    const { idToken, expiresIn = DEFAULT_LIFE_S } = await signIn(http, settings, signal)
    return keep(key, idToken, clock.now() + expiresIn * 1000)
  }

  const isUsable = (token: string): boolean => (expiryOf(token) ?? Infinity) - GRACE_MS > clock.now()
  const keep = (key: string, token: string, expiresAt = clock.now() + DEFAULT_LIFE_S * 1000): string => {
    cache.set(key, { token, expiresAt: expiresAt - GRACE_MS })
    return token
  }

  return {
    async token(settings, signal) {
      const key = keyOf(settings)
      const cached = cache.get(key)
      if (cached !== undefined && cached.expiresAt > clock.now()) return cached.token
      cache.delete(key)
      return fresh(settings, key, signal)
    },
    reject(settings, token) {
      const key = keyOf(settings)
      refusedTokens.set(key, token)
      if (cache.get(key)?.token === token) cache.delete(key)
    },
  }
}

type WithPassword = FirebaseSettings & { readonly webApiKey: string; readonly email: string; readonly password: string }

function hasPassword(settings: FirebaseSettings): settings is WithPassword {
  return settings.webApiKey !== undefined && settings.email !== undefined && settings.password !== undefined
}

/** Cache key of a token, made from all credentials: callers with different credentials must never share a token. */
function keyOf(settings: FirebaseSettings): string {
  const { webApiKey, email, password, file, contextFile } = settings
  return createHash('sha256')
    .update(JSON.stringify([webApiKey, email, password, file, contextFile]))
    .digest('hex')
}

/** @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithPassword */
async function signIn(
  http: HttpClient,
  settings: WithPassword,
  signal: AbortSignal,
): Promise<z.infer<typeof signedIn>> {
  const { webApiKey, email, password, emulatorHost } = settings
  const host = emulatorHost === undefined ? 'https://' : `http://${emulatorHost}/`
  const response = await http.request({
    method: 'POST',
    url: `${host}identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=${encodeURIComponent(webApiKey)}`,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
    signal,
  })
  const reply = tryParseJson(bodyText(response))
  const parsed = signedIn.safeParse(reply)
  if (response.status === 200 && parsed.success) return parsed.data
  const failure = z.object({ error: z.object({ message: z.string() }) }).safeParse(reply)
  const reason = failure.success ? failure.data.error.message.slice(0, 200) : `it answered ${response.status}`
  throw new TuttiError(
    'HttpError',
    `Signing in to Firebase failed: ${reason}. Check FIREBASE_EMAIL, FIREBASE_PASSWORD and FIREBASE_WEB_API_KEY.`,
    {
      retryable: response.status >= 500,
      // Firebase refuses wrong credentials with 400.
      details: { status: response.status < 500 ? 401 : response.status },
    },
  )
}

/** When a JSON Web Token runs out, in milliseconds since the epoch (RFC 7519 `exp`); undefined when it does not say. */
function expiryOf(token: string): number | undefined {
  const payload = token.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { exp?: unknown }
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch {
    return undefined // not a JWT
  }
}

const MAX_TOKEN_CHARS = 16_384

interface TokenFileSettings {
  /** `FIREBASE_TOKEN_FILE`. */
  readonly file?: string
  /** Context `api_token_file`. */
  readonly contextFile?: string
}

/**
 * Reads a token from the file of the context, or else from that of the environment: the token alone, or JSON with it. A
 * caller may only name files next to the operator's own token file, since the content is sent to a service.
 * @throws TuttiError `ConfigurationError` for a file that is not allowed, cannot be read, or holds no token
 */
async function readTokenFile({ file, contextFile }: TokenFileSettings): Promise<string | undefined> {
  if (contextFile === undefined) return file === undefined ? undefined : tokenIn(await read(file), file)
  const folder = file === undefined ? undefined : await realpath(dirname(resolve(file))).catch(() => undefined)
  const path = await realpath(folder === undefined ? contextFile : resolve(folder, contextFile)).catch(() => undefined)
  if (folder === undefined || path === undefined || !path.startsWith(folder + sep)) {
    throw new TuttiError(
      'ConfigurationError',
      'The file of context "api_token_file" is not to be read: it must lie in the folder of FIREBASE_TOKEN_FILE.',
    )
  }
  return tokenIn(await read(path), 'api_token_file')
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (thrown) {
    throw new TuttiError('ConfigurationError', `The token file ${path} cannot be read.`, { cause: thrown })
  }
}

const JSON_KEYS = ['idToken', 'id_token', 'token', 'access_token', 'accessToken']

function tokenIn(text: string, name: string): string {
  const json = tryParseJson(text)
  const named = isObject(json) ? JSON_KEYS.map((key) => json[key]).find((value) => typeof value === 'string') : text
  const token = typeof named === 'string' ? named.trim() : ''
  if (token.length > 0 && token.length <= MAX_TOKEN_CHARS && /^[\w.~+/=-]+$/.test(token)) return token
  throw new TuttiError(
    'ConfigurationError',
    `The token file ${name} holds no token: one line without blanks, or JSON with "idToken".`,
  )
}
