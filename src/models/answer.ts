import type { z } from 'zod'
import { jsonCandidates } from './json-repair.ts'

export type Read<O> = { readonly ok: true; readonly value: O } | { readonly ok: false; readonly fault: string }

/** Checks a streamed text against the prompt's output type. */
export async function readText<O>(text: string, output: z.ZodType<O>): Promise<Read<O>> {
  const checked = await output.safeParseAsync(text)
  return checked.success ? { ok: true, value: checked.data } : { ok: false, fault: faultOf(checked.error) }
}

/**
 * Finds the JSON value in a model's answer that fits the type: plain, fenced, or with text around it. The fault is
 * about the best guess, since that is what the model most likely meant.
 */
export async function readJson<O>(text: string, output: z.ZodType<O>): Promise<Read<O>> {
  let fault: string | undefined
  for (const candidate of jsonCandidates(text)) {
    const checked = await output.safeParseAsync(candidate)
    if (checked.success) return { ok: true, value: checked.data }
    fault ??= faultOf(checked.error)
  }
  return { ok: false, fault: fault ?? 'it holds no complete JSON value' }
}

const MOST_ISSUES = 8

function faultOf(error: z.ZodError): string {
  const issues = error.issues.map((issue) => `${issue.path.map(String).join('.') || 'the value'}: ${issue.message}`)
  const more = issues.length > MOST_ISSUES ? `; and ${issues.length - MOST_ISSUES} more` : ''
  return issues.slice(0, MOST_ISSUES).join('; ') + more
}
