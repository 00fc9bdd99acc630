import { withoutFullStop } from './clean-sentence.ts'
import { createSecrets } from './secrets.ts'

const LONGEST = 240
/** As much is read of what may be of any length. */
const MOST_READ = 10_000

/**
 * Makes one short line of what a provider said in an error, fit for logs and screens: no markup, no control characters,
 * no keys, no full stop. Providers repeat the key they refuse, so the key and anything that looks like one are masked. They may quote what
 * they were asked, too: it is for whoever asked, and for nobody else.
 */
export function errorText(text: string, apiKey?: string): string {
  const unmasked = text
    .slice(0, MOST_READ)
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    // oxlint-disable-next-line no-control-regex -- control characters are what must go
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
    .trim()
  const masked = withoutFullStop(createSecrets(apiKey === undefined ? [] : [apiKey]).text(unmasked))
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST - 1)}…` : masked
}
