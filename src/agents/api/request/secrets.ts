/** Stands in log, trace and approval for what must not be seen there. */
export const MASK = '***'

const SECRET_HEADER =
  /authori[sz]ation|token|secret|passw|cookie|session|signature|credential|(^|[-_])(api)?key($|[-_])|apikey/i

/** Whether a header is likely to carry a secret. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name)
}

/** Context `api_headers`: names and texts, all else is left out. */
export function headersOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => {
      return typeof entry === 'string' || typeof entry === 'number' ? [[name, String(entry)]] : []
    }),
  )
}

/** Replaces secrets in a text; services like to echo what they were sent. Short ones would be found anywhere. */
export function redact(text: string, secrets: Iterable<string>): string {
  let shown = text
  for (const secret of secrets) if (secret.length >= 6) shown = shown.replaceAll(secret, MASK)
  return shown
}
