/** Longer values are only searched unencoded, in JSON and in URLs. */
const MAX_CHARS = 1_000
/** Shorter ones in base64 would be found in half of all files. */
const MIN_BASE64_CHARS = 6

/**
 * Encodings of a value that services may return: unencoded, in JSON (also JSON in JSON), in parts of a URL and in
 * forms, in HTML, and in base64 at any position. At most some twenty; most values have five.
 */
export function secretSpellings(value: string): string[] {
  const json = jsonSpelling(value)
  const spellings = [value, json, jsonSpelling(json), encoded(value)]
  if (value.length > MAX_CHARS) return spellings
  return [
    ...spellings,
    json.replaceAll('/', '\\/'),
    json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    encoded(value).replace(/%../g, (byte) => byte.toLowerCase()),
    new URLSearchParams([['', value]]).toString().slice(1),
    ...urlSpellings(value),
    escapeHtml(value),
    escapeHtml(value).replaceAll('&#39;', '&#x27;'),
    ...base64Spellings(value),
  ]
}

function jsonSpelling(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function encoded(value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    return value // half a character has no such spelling
  }
}

/** Each part of a URL leaves other characters unencoded. */
function urlSpellings(value: string): string[] {
  const url = new URL('https://h')
  url.username = value
  url.pathname = `/${value}`
  url.search = `?${value}`
  url.hash = `#${value}`
  const written = [url.username, ...[url.pathname, url.search, url.hash].map((part) => part.slice(1))]
  // Some parts are tidied up, which is no spelling.
  return written.filter((text) => text.length >= value.length)
}

/** The part that stays the same in any context: `user:password` is encoded as a whole. */
function base64Spellings(value: string): string[] {
  const bytes = Buffer.from(value)
  if (bytes.length < MIN_BASE64_CHARS) return []
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6)]
    return [padded.toString('base64').slice(from, to), padded.toString('base64url').slice(from, to)]
  })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML, between tags or in a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
}
