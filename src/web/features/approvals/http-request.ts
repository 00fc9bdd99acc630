import { isObject, tryParseExactJson } from '../../../client/run.ts'
import type { Words } from '../../locales/texts.ts'

/** An HTTP API call, as it would be sent. */
export interface ShownRequest {
  readonly api: string
  readonly method: string
  readonly host: string
  readonly path: string
  /** Query parameters by name. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Name of the sign-in method. The secret itself is never part of it. */
  readonly signIn: string | undefined
  /** An object if the body is a JSON object, else the body itself. */
  readonly body: unknown
}

/** Tools whose calls are HTTP requests. Other tools never count as requests, whatever their fields are called. */
const REQUESTS = new Set(['send_to_api', 'call_api'])

/** Headers about the format only, which do not matter for the decision. */
const FORMAT_HEADERS = new Set(['accept', 'content-type'])

/** Returns the HTTP request of a call, or undefined for other tools and for an incomplete payload. */
export function requestIn(tool: string, payload: unknown): ShownRequest | undefined {
  if (!REQUESTS.has(tool)) return undefined
  const { api, method, url, headers = {}, body, signIn } = payload as Readonly<Record<string, unknown>>
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { host, pathname, searchParams } = new URL(url)
  const query: Record<string, string> = {}
  for (const name of new Set(searchParams.keys())) query[name] = searchParams.getAll(name).join(', ')
  const visibleHeaders = Object.entries(headers as object).filter(([name]) => !FORMAT_HEADERS.has(name.toLowerCase()))
  return {
    api: api === undefined ? host : String(api),
    method: String(method),
    host,
    path: plain(pathname),
    query,
    headers: Object.fromEntries(visibleHeaders.map(([name, value]) => [name, String(value)])),
    signIn: signIn === 'none' || signIn === undefined ? undefined : String(signIn),
    body: typeof body === 'string' ? (tryParseExactJson(body) ?? body) : body,
  }
}

/** Decodes a path. Returns it unchanged if it cannot be decoded. */
function plain(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** A field's name as words: `cancelledBy` and `cancelled_by` are “Cancelled by”. */
export function fieldLabel(name: string): string {
  const words = name
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  return words === ''
    ? name
    : words[0]!.toUpperCase() + words.slice(1).replaceAll(/\b\p{Lu}(?=\p{Ll}|\b)/gu, (one) => one.toLowerCase())
}

/**
 * A value as indented text without JSON syntax: one line per list entry and per field. Line breaks in a text cannot
 * imitate fields, since continuation lines are indented.
 */
export function plainValue(value: unknown, words: Pick<Words, 'data'>): string {
  return linesOf(value, words).join('\n')
}

function linesOf(value: unknown, words: Pick<Words, 'data'>): string[] {
  if (isList(value) && Object.keys(value).length === 0) return [words.data.unset]
  if (Array.isArray(value))
    return value.flatMap((one) => {
      const lines = linesOf(one, words)
      return isList(one) || lines.length > 1 ? lines.map((line, at) => `${at === 0 ? '–' : ' '} ${line}`) : lines
    })
  if (isObject(value))
    return Object.entries(value).flatMap(([name, field]) => {
      const label = fieldLabel(name.replaceAll(/\s+/g, ' '))
      const lines = linesOf(field, words)
      const isShort = lines.length === 1 && !(isList(field) && Object.keys(field).length > 0)
      return isShort ? [`${label}: ${lines[0]}`] : [`${label}:`, ...lines.map((line) => `  ${line}`)]
    })
  if (typeof value === 'boolean') return [value ? words.data.yes : words.data.no]
  return value === null || value === undefined ? [words.data.unset] : String(value).split('\n')
}

function isList(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
