import { parseExactJson } from '../../../client/run.ts'
import type { Words } from '../../locales/catalogue.ts'

/** A call of an HTTP API, as it would leave. */
export interface ShownRequest {
  readonly api: string
  readonly method: string
  readonly host: string
  readonly path: string
  /** What is behind the `?`, by name. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** What proves who asks, by its name; the proof itself is never here. */
  readonly signIn: string | undefined
  /** By field where it has fields, else as it is. */
  readonly body: unknown
}

/** Tools whose calls are requests; what others call their fields makes them none. */
const REQUESTS = new Set(['send_to_api', 'call_api', 'http_change', 'http_read'])

/** In what form is sent and answered says nothing about what is done. */
const OF_FORM = new Set(['accept', 'content-type'])

/** The request that a call makes; undefined of other tools, and of a payload that is not all of one. */
export function requestIn(tool: string, payload: unknown): ShownRequest | undefined {
  if (!REQUESTS.has(tool)) return undefined
  const { api, method, url, headers = {}, body, ...proof } = payload as Readonly<Record<string, unknown>>
  // What agents sign in with on their own is never told, only that there is something.
  const signIn = proof['signIn'] ?? proof['secretHeaders'] ?? proof['secretParams']
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { host, pathname, searchParams } = new URL(url)
  const query: Record<string, string> = {}
  for (const name of new Set(searchParams.keys())) query[name] = searchParams.getAll(name).join(', ')
  const kept = Object.entries(headers as object).filter(([name]) => !OF_FORM.has(name.toLowerCase()))
  return {
    api: api === undefined ? host : String(api),
    method: String(method),
    host,
    path: plain(pathname),
    query,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    signIn: signIn === 'none' || signIn === undefined ? undefined : String(signIn),
    body: fieldsOf(body),
  }
}

/** Ways to sign in as people call them; an API may call its ways as it likes, and those stay as they are. */
export function signInSaid(signIn: string, names: Readonly<Record<string, string | undefined>>): string {
  return signIn
    .split(' and ')
    .map((name) => names[name.toLowerCase().replaceAll(/[_-]|(?:auth|token)$/g, '')] ?? name)
    .join(' + ')
}

/** As a person writes it; what is no text stays as it is. */
function plain(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function fieldsOf(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return parseExactJson(body)
  } catch {
    return body
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

export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A value without the signs of its form: each entry of a list and each field with its name on a line, what it holds below it. Whoever
 * wrote a text with lines in it writes no line beside those of its field.
 */
export function saidOf(value: unknown, words: Pick<Words, 'data'>): string {
  return linesOf(value, words).join('\n')
}

function linesOf(value: unknown, words: Pick<Words, 'data'>): string[] {
  if (isList(value) && Object.keys(value).length === 0) return [words.data.unset]
  if (Array.isArray(value))
    return value.flatMap((one) => {
      const lines = linesOf(one, words)
      return isList(one) || lines.length > 1 ? lines.map((line, at) => `${at === 0 ? '–' : ' '} ${line}`) : lines
    })
  if (isFields(value))
    return Object.entries(value).flatMap(([name, field]) => {
      const called = fieldLabel(name.replaceAll(/\s+/g, ' '))
      const lines = linesOf(field, words)
      const isShort = lines.length === 1 && !(isList(field) && Object.keys(field).length > 0)
      return isShort ? [`${called}: ${lines[0]}`] : [`${called}:`, ...lines.map((line) => `  ${line}`)]
    })
  if (typeof value === 'boolean') return [value ? words.data.yes : words.data.no]
  return value === null || value === undefined ? [words.data.unset] : String(value).split('\n')
}

function isList(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
