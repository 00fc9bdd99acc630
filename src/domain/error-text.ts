import { withoutFullStop } from './clean-sentence.ts'
import { createSecrets } from './secrets.ts'

const MAX_CHARS = 240
/** Texts are truncated to this length first. */
const MAX_READ_CHARS = 10_000

/**
 * Turns a provider's error text into one short line for logs and screens: no markup, no control characters, no final
 * full stop. Providers repeat the key they refuse, so the key and anything that looks like a key are masked. Providers
 * may also quote the request, so show the line to the user who made it only.
 */
export function errorText(text: string, apiKey?: string): string {
  const unmasked = text
    .slice(0, MAX_READ_CHARS)
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    // oxlint-disable-next-line no-control-regex -- control characters are removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
    .trim()
  const masked = withoutFullStop(createSecrets(apiKey === undefined ? [] : [apiKey]).text(unmasked))
  return masked.length > MAX_CHARS ? `${masked.slice(0, MAX_CHARS - 1)}…` : masked
}
