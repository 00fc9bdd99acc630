import { operatorValue } from '../../../domain/context.ts'

/** Context `api_headers`: names and texts, all else is left out. */
export function headersOf(context: Readonly<Record<string, unknown>>): Record<string, string> {
  const value = operatorValue(context, 'api_headers')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => {
      return typeof entry === 'string' || typeof entry === 'number' ? [[name, String(entry)]] : []
    }),
  )
}
