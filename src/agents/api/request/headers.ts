/** Context `api_headers`: names and texts, all else is left out. */
export function headersOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => {
      return typeof entry === 'string' || typeof entry === 'number' ? [[name, String(entry)]] : []
    }),
  )
}
