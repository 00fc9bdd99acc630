/** When a JSON Web Token runs out, in milliseconds since the epoch (RFC 7519 `exp`); undefined when it does not say. */
export function expiryOf(token: string): number | undefined {
  const payload = token.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { exp?: unknown }
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch {
    return undefined // not a JWT
  }
}
