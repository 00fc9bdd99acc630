import { createSecrets } from '../core/secrets.ts'

const LONGEST = 240

/**
 * Makes one short line of what a provider said in an error, fit for logs and screens: no markup, no control characters,
 * no keys. Providers repeat the key they refuse, so known keys and anything that looks like one are masked.
 */
export function cleanMessage(text: string, secrets: readonly string[]): string {
  const unmasked = text
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    // oxlint-disable-next-line no-control-regex -- control characters are what must go
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
    .trim()
  const masked = createSecrets(secrets).text(unmasked)
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST - 1)}…` : masked
}
