/**
 * The delay that a server asks for, in milliseconds from `nowMs`. Reads `retry-after-ms` (OpenAI, Azure), then
 * `Retry-After` as seconds or as an HTTP date (RFC 9110, section 10.2.3). Undefined if neither can be parsed.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>> | undefined, nowMs: number): number | undefined {
  const exact = number(headers?.['retry-after-ms'])
  if (exact !== undefined) return exact
  const value = headers?.['retry-after']
  const seconds = number(value)
  if (seconds !== undefined) return seconds * 1000
  // Date.parse would take nearly anything; an HTTP date begins with the name of a day.
  const date = value !== undefined && /^[A-Z][a-z]{2}/.test(value.trim()) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

function number(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}
