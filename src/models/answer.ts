import type { z } from 'zod'
import { balancedEnd, isCutJson } from '../domain/cut-json.ts'
import { tryParseExactJson } from '../shared/json.ts'
import { problemTexts } from '../domain/schema-problems.ts'

export type Read<O> = { readonly ok: true; readonly value: O } | { readonly ok: false; readonly fault: string }

/** Checks a streamed text against the prompt's output type. */
export async function parseTextAnswer<O>(text: string, output: z.ZodType<O>): Promise<Read<O>> {
  if (isCutJson(text)) return { ok: false, fault: 'it is JSON that was cut off' }
  const checked = await output.safeParseAsync(text)
  return checked.success ? { ok: true, value: checked.data } : { ok: false, fault: faultOf(checked.error) }
}

/** Finds the JSON value of the type in a model's answer: plain, fenced or in prose. The fault describes the best candidate. */
export async function parseJsonAnswer<O>(text: string, output: z.ZodType<O>): Promise<Read<O>> {
  let fault: string | undefined
  for (const candidate of jsonCandidates(text)) {
    const checked = await output.safeParseAsync(candidate)
    if (checked.success) return { ok: true, value: checked.data }
    fault ??= faultOf(checked.error)
  }
  return { ok: false, fault: fault ?? 'it is not one valid JSON value' }
}

const FENCED = /```[a-z0-9]*[ \t]*\r?\n([\s\S]*?)\n?[ \t]*```/gi
const MAX_ISSUES = 8

function faultOf(error: z.ZodError): string {
  const issues = problemTexts(error, 'the value')
  const suffix = issues.length > MAX_ISSUES ? `; and ${issues.length - MAX_ISSUES} more` : ''
  return issues.slice(0, MAX_ISSUES).join('; ') + suffix
}

/** Answers of models contain few values; the limit avoids quadratic time for hostile text. */
const MAX_STARTS = 40

/**
 * Possible JSON values of a model's answer, best guess first: the whole text, the content of its fenced blocks, then
 * every balanced object or array in the text.
 */
export function jsonCandidates(text: string): readonly unknown[] {
  const whole = tryParseExactJson(text.trim())
  if (whole !== undefined) return [whole]
  const fenced = Array.from(text.matchAll(FENCED), ([, content]) => tryParseExactJson(content!.trim()))
  return [...fenced, ...balancedValues(text)].filter((value) => value !== undefined)
}

function balancedValues(text: string): readonly unknown[] {
  const values: unknown[] = []
  let from = 0
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const start = from + text.slice(from).search(/[[{]/)
    if (start < from) break
    const end = balancedEnd(text, start)
    const value = end === -1 ? undefined : tryParseExactJson(text.slice(start, end))
    values.push(value)
    from = value === undefined ? start + 1 : end
  }
  return values
}
