/** All that ends a line for anybody: CR, LF, VT, FF, NEL, and Unicode's separators. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/** Control characters, and what nobody sees: other directions, tags, zero widths, variants but for those of emoji. Tabs stay. */
const UNSEEN =
  // oxlint-disable-next-line no-misleading-character-class
  /(?![\t\n\v\f\r\u0085])\p{Cc}|[\u00AD\u200B\u2060-\u2064\u202A-\u202E\u2066-\u2069\uFEFF]|[\uFE00-\uFE0D]|[\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}]/gu

/** Some scripts and emoji need them; between Latin letters they hide a word. */
const JOINERS = /(?<=\p{Script=Latin})[\u200C-\u200F]+(?=\p{Script=Latin})/gu

/** Frames that prompts put around values. */
const OWN_TAG = /<(?=\s*\/?\s*(?:passage|document)\b)/gi
/** The mark within a line of the composer's prompt (SPEC P9). */
const OWN_MARK = /\|(?=\s*status\s*:)/gi

/** Begins each further line of a value; no line of a prompt's own begins so. */
export const QUOTE = '> '

/**
 * A value as it may stand in a prompt: its further lines are quoted, as in a mail, so that none can pass for a line of the
 * prompt; the prompts' own tags and marks in it are changed by a character. What is on one line stays as it is.
 */
export function quoted(value: string): string {
  return value
    .replace(UNSEEN, '')
    .replace(JOINERS, '')
    .replace(OWN_TAG, '‹')
    .replace(OWN_MARK, '¦')
    .replace(LINE_BREAK, `\n${QUOTE}`)
}

/** Texts of a prompt's input, which come quoted, on lines of their own: the first line of each is quoted, too. */
export function onOwnLines(texts: readonly string[], between = '\n'): string {
  return texts.map((text) => QUOTE + text).join(between)
}

/** Characters of one prompt that tools and agents may fill with what they found, all of them together. */
export const MOST_FOUND = 60_000

/** Whatever could begin a tag; a comparison with a number cannot. */
const ANY_TAG = /<(?!\s*[\d=])/g

/** A section of a prompt between tags: nothing in its content can open or close one. */
export function section(tag: string, content: string): string {
  return `<${tag}>\n${content.replace(ANY_TAG, '‹')}\n</${tag}>`
}

/** A value on one line. */
export function onOneLine(value: string): string {
  return quoted(value.replace(LINE_BREAK, ' ')).replace(/\s+/g, ' ').trim()
}

/** A value as JSON on one line, whoever counts the lines. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007F\u0085\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The input of a prompt with all its texts quoted, but for the fields named. */
export function quotedInput<I>(input: I, verbatim: readonly string[] = []): I {
  return deep(input, new Set(verbatim)) as I
}

function deep(value: unknown, verbatim: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return value.map((inner) => deep(inner, NONE))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, verbatim.has(key) ? inner : deep(inner, NONE)]),
  )
}

const NONE: ReadonlySet<string> = new Set()
