import { parseExactJson } from './exact-number.ts'

// These functions accept untrusted values of any shape and never throw.

/** A JSON object, rather than a list, null or a plain value. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON; undefined for invalid JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * As above, but numbers that a double cannot represent exactly become texts: for data that is shown, stored or sent on.
 */
export function tryParseExactJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

/** Decodes percent-encoding; an invalid encoding is returned unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The beginning of a text, with a mark if it was cut off. */
export function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Cut at a word's end, with a mark that it continues. */
export function truncateAtWord(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/\s+\S*$/, '')} …` : text
}

/**
 * Shortens texts to at most `max` characters in total (at least one character each). Short texts are kept; the others
 * are cut to the same length.
 */
export function truncateTogether(texts: readonly string[], max: number): string[] {
  let left = max
  const lengths = texts.map(({ length }) => length).toSorted((a, b) => a - b)
  for (const [i, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - i))
    if (length > share)
      return texts.map((text) => (text.length > share ? truncate(text, Math.max(0, share - 1)) : text))
    left -= length
  }
  return [...texts]
}
