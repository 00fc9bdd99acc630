const SECRET_KEY = /token|password|passwort|secret|key/i
const MASK = '***'
/** Shorter ones would be found in half of all texts. */
const MIN_SECRET_LENGTH = 4

/** Replaces secrets in anything that is about to be shown. */
export interface Mask {
  /** Context with the values of secret keys replaced, at any depth. */
  context(context: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** Any other value: the secrets of the context are replaced wherever they turn up in it. */
  value<T>(value: T): T
  text(text: string): string
}

/**
 * A mask for one run. Keys of the context that contain `token`, `password`, `secret` or `key` hold secrets. Elsewhere
 * their values are looked for, not such keys: `inputTokens` is no secret.
 */
export function createMask(context: Readonly<Record<string, unknown>>): Mask {
  const secrets = [...secretTexts(context, false)].filter((text) => text.length >= MIN_SECRET_LENGTH)
  // Longest first, so that a secret which contains another goes as a whole.
  secrets.sort((a, b) => b.length - a.length)
  const text = (given: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), given)
  return {
    context: (given) => maskKeys(given) as Record<string, unknown>,
    value: (given) => (secrets.length === 0 ? given : (mapTexts(given, text) as typeof given)),
    text,
  }
}

function* secretTexts(value: unknown, isSecret: boolean): Generator<string> {
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* secretTexts(inner, isSecret || isSecretKey(value, key))
  } else if (isSecret && (typeof value === 'string' || typeof value === 'number')) {
    yield String(value)
  }
}

function maskKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecretKey(value, key) ? MASK : maskKeys(inner)]),
  )
}

function isSecretKey(owner: object, key: string): boolean {
  return !Array.isArray(owner) && SECRET_KEY.test(key)
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]))
}
