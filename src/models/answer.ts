import type { z } from 'zod'
import { balancedEnd, isCutJson } from '../domain/cut-json.ts'
import { tryParseExactJson } from '../shared/json.ts'
import { problemTexts } from '../domain/schema-problems.ts'

export type Read<O> = { readonly ok: true; readonly value: O } | { readonly ok: false; readonly fault: string }

/** Checks a streamed text against the prompt's output type. */
export async function parseTextAnswer<O>(text: string, output: z.ZodType<O>): Promise<Read<O>> {
  if (isCutJson(text)) return { ok: false, fault: 'it is JSON that was cut off' }
  const checked = await output.safeParseAsync(text, { reportInput: true })
  return checked.success ? { ok: true, value: checked.data } : { ok: false, fault: faultOf(checked.error, output) }
}

/**
 * Finds the JSON value of the type in a model's answer: plain, fenced, or with text around it. The fault describes the
 * best candidate, which is most likely the model's intended answer.
 */
export async function parseJsonAnswer<O>(text: string, output: z.ZodType<O>): Promise<Read<O>> {
  let fault: string | undefined
  for (const candidate of jsonCandidates(text)) {
    const checked = await output.safeParseAsync(candidate, { reportInput: true })
    if (checked.success) return { ok: true, value: checked.data }
    fault ??= faultOf(checked.error, output)
  }
  return { ok: false, fault: syntaxFault(text) ?? fault ?? 'it holds no complete JSON value' }
}

/** Why a text that begins like JSON is invalid. Valid JSON inside it is not the intended answer. */
function syntaxFault(text: string): string | undefined {
  const [fenced] = Array.from(text.matchAll(FENCED), ([, content]) => content)
  const candidate = (fenced ?? text).trim()
  const end = /^[[{]/.test(candidate) ? balancedEnd(candidate, 0) : 0
  if (end === 0) return undefined
  try {
    JSON.parse(withoutSlips(end === -1 ? candidate : candidate.slice(0, end)))
    return undefined
  } catch (thrown) {
    return `it is no valid JSON: ${(thrown as SyntaxError).message}`
  }
}

const FENCED = /```[a-z0-9]*[ \t]*\r?\n([\s\S]*?)\n?[ \t]*```/gi
const MAX_ISSUES = 8

function faultOf(error: z.ZodError, output: z.ZodType): string {
  const issues = problemTexts(error, output, 'the value')
  const suffix = issues.length > MAX_ISSUES ? `; and ${issues.length - MAX_ISSUES} more` : ''
  return issues.slice(0, MAX_ISSUES).join('; ') + suffix
}

/** A string, up to the end if it is unclosed, or a trailing comma. */
const STRING_OR_LAST_COMMA = /"(?:[^"\\]|\\[^])*(?:"|$)|,(?=\s*[\]}])/g
const LINE_BREAKS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Repairs common slips of models whose meaning is clear: a trailing comma, a line break in a string. */
function withoutSlips(text: string): string {
  return text.replace(STRING_OR_LAST_COMMA, (found) =>
    found === ',' ? '' : found.replace(/[\n\r\t]/g, (char) => LINE_BREAKS[char]!),
  )
}

function parseLenient(text: string): unknown {
  return tryParseExactJson(text) ?? tryParseExactJson(withoutSlips(text))
}

/** Answers of models contain few values; the limit avoids quadratic time for hostile text. */
const MAX_STARTS = 40

/**
 * Possible JSON values of a model's answer, best guess first: the whole text, the content of a fenced block, then every
 * balanced object or array in the text. A truncated value is not completed, because the missing part would go
 * unnoticed.
 */
export function* jsonCandidates(text: string): Generator<unknown> {
  const whole = parseLenient(text.trim())
  if (whole !== undefined) return yield whole
  for (const [, fenced] of text.matchAll(FENCED)) {
    const value = parseLenient((fenced ?? '').trim())
    if (value !== undefined) yield value
  }
  yield* balancedValues(text)
}

function* balancedValues(text: string): Generator<unknown> {
  let starts = 0
  for (let start = nextStart(text, 0); start !== -1 && starts < MAX_STARTS; starts++) {
    const end = balancedEnd(text, start)
    const value = end === -1 ? undefined : parseLenient(text.slice(start, end))
    if (value !== undefined) yield value
    start = nextStart(text, value === undefined ? start + 1 : end)
  }
}

function nextStart(text: string, from: number): number {
  const object = text.indexOf('{', from)
  const array = text.indexOf('[', from)
  if (object === -1 || array === -1) return Math.max(object, array)
  return Math.min(object, array)
}
