import { ERROR_CODES } from '../../../src/domain/errors.ts'
import { problemSchema } from '../../../src/server/problems.ts'
import type { Fuzzed } from './requests.ts'
import type { Answer } from './send.ts'

/** Errors that a valid request may get according to docs/http-api.md. The storage was available all the time. */
const UNAVAILABLE = new Set(['RunLost', 'ModelUnavailable'])

/** Must be in no answer: locations in the code, and system error codes. */
const INSIDE = [/\n\s+at \S/, /node:internal/, /node_modules/, /\bE(?:NOENT|ACCES|CONNREFUSED|PERM)\b/, /SQLITE_\w+/]

/** NUL and lone surrogates in JSON notation. After an escaped backslash they are only text. */
const UNKEPT = /\0|(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i

/**
 * Returns the faults of an answer; empty when it is correct.
 * @param places files and folders of the server, which no answer may name
 */
export function wrongWith({ wire }: Fuzzed, { status, headers, text }: Answer, places: readonly string[]): string[] {
  const wrong: string[] = []
  if (status === 0) return isCutOff(wire) ? [] : ['no answer']
  const told = [...INSIDE.filter((one) => one.test(text)), ...places.filter((one) => text.includes(one))]
  if (told.length > 0) wrong.push(`tells of the inside (${told.join(', ')})`)
  if (UNKEPT.test(text)) wrong.push('has a text in it that no database keeps')
  if (status < 400) return wrong
  if (wire.method === 'HEAD') return status >= 500 ? [...wrong, 'an error of the server'] : wrong
  const problem = problemIn(text)
  if (headers['content-type']?.startsWith('application/problem+json') === true) {
    const parsed = problemSchema.strict().safeParse(problem)
    if (!parsed.success) wrong.push(`no problem details: ${parsed.error.message}`)
    else {
      const { code, type, status: said, requestId, detail } = parsed.data
      if (!ERROR_CODES.includes(code as never) || type !== `urn:tutti:error:${code}`) wrong.push(`the code ${code}`)
      if (said !== status) wrong.push(`says ${said}`)
      if (headers['x-request-id'] !== undefined && headers['x-request-id'] !== requestId)
        wrong.push('another request id')
      if (detail.trim() === '') wrong.push('says nothing')
      if (status >= 500 && !(status === 503 && UNAVAILABLE.has(code))) wrong.push('an error of the server')
    }
    return wrong
  }
  if (status >= 500) wrong.push('an error of the server')
  if (!isForeign(wire.path, problem)) wrong.push(`an error in no form that is known (${headers['content-type']})`)
  return wrong
}

/** Bodies that are too large are refused before their end, and some inputs are incomplete requests. */
export function isCutOff({ raw, body, headers, method }: Fuzzed['wire']): boolean {
  const says = (name: string): string => headers.find(([one]) => one === name)?.[1] ?? ''
  const isLonger = Number(says('content-length')) !== (body?.length ?? 0) || says('transfer-encoding') !== ''
  return (
    raw !== undefined || (body?.length ?? 0) > 1_000_000 || isLonger || says('upgrade') !== '' || method === 'TRACE'
  )
}

/** Protocols with their own error format. */
function isForeign(path: string, value: unknown): boolean {
  if (path.includes('/v1/')) {
    const { error } = (value ?? {}) as { error?: { message?: unknown; type?: unknown } }
    return typeof error?.message === 'string' && typeof error.type === 'string'
  }
  if (!path.includes('/mcp')) return false
  const { jsonrpc, error } = (value ?? {}) as { jsonrpc?: unknown; error?: { code?: unknown; message?: unknown } }
  return jsonrpc === '2.0' && typeof error?.code === 'number' && typeof error.message === 'string'
}

function problemIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
