// Keeps data apart from instructions in a prompt. What a prompt injection can do is limited by labels (provenance.ts).

/** All line breaks by any definition: CR, LF, VT, FF, NEL, and Unicode's separators. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/**
 * Control characters and invisible ones: text direction, tags, zero widths, variation selectors except emoji's. Tabs
 * are kept.
 */
const UNSEEN =
  // oxlint-disable-next-line no-misleading-character-class
  /(?![\t\n\v\f\r\u0085])\p{Cc}|[\u00AD\u200B\u2060-\u2064\u202A-\u202E\u2066-\u2069\uFEFF]|[\uFE00-\uFE0D]|[\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}]/gu

/** Some scripts and emoji need them; between Latin letters they hide a word. */
const JOINERS = /(?<=\p{Script=Latin})[\u200C-\u200F]+(?=\p{Script=Latin})/gu

/** All tags in prompts: of sections, of frames around values, and of model output. */
const TAGS = [
  ...(['agents', 'approved_answer', 'artifacts', 'asked', 'call', 'calls_made', 'cannot_work', 'context'] as const),
  ...(['conversation_summary', 'current_plan', 'database', 'document', 'documents', 'earlier'] as const),
  ...(['earlier_result', 'ended_early', 'examples', 'expert_reasoning', 'faults', 'feedback'] as const),
  ...(['figures_in_no_source', 'given', 'known', 'last_design', 'meant', 'message', 'messages'] as const),
  ...(['not_answered', 'not_possible', 'passage', 'plan', 'problem', 'question', 'reasoning_trace'] as const),
  ...(['research', 'result', 'schema', 'session_history', 'state_context', 'tables', 'task'] as const),
  ...(['user_profile', 'verified_queries', 'work'] as const),
]
export type Tag = (typeof TAGS)[number]

/** One of these tags at the beginning of a text. */
const BEGINS_WITH_TAG = new RegExp(String.raw`^\s*<[\s/]*(?:${TAGS.join('|')})(?!\w)`, 'i')
/** Latin text without invisible characters, like most texts. */
const PLAIN = /^[\t\n -~\u00A0-\u00AC\u00AE-\u02FF]*$/
const IGNORABLE = /\p{DI}/gu

/** Begins each further line of a value; no line of a prompt's own begins so. */
export const QUOTE = '> '

/**
 * Quotes a value for a prompt: its further lines get `> `, as in a mail, so that none looks like a line of the prompt.
 * A first line that looks like the start of a section is quoted as well. Values on one line are unchanged.
 */
export function quoteText(value: string): string {
  const quoted = withoutUnseen(value).replace(LINE_BREAK, `\n${QUOTE}`)
  return BEGINS_WITH_TAG.test(quoted.replace(IGNORABLE, '')) ? QUOTE + quoted : quoted
}

function withoutUnseen(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSEEN, '').replace(JOINERS, '')
}

/** Texts of a prompt's input, which come quoted, on lines of their own: the first line of each is quoted, too. */
export function quoteLines(texts: readonly string[], between = '\n'): string {
  return texts.map((text) => QUOTE + text).join(between)
}

/** Maximum characters of all findings of tools and agents in one prompt. */
export const MAX_FINDINGS_CHARS = 60_000

/**
 * A section of a prompt. Its content is unchanged and cannot end the section: if it contains the closing tag, the tag
 * gets a number, as a Markdown fence gets longer than those within.
 */
export function tagged(tag: Tag, content: string, attributes: Readonly<Record<string, string>> = {}): string {
  const shown = withoutUnseen(content)
  const name = unclosedName(tag, shown)
  const attributeList = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeText(value)}"`)
  return `<${name}${attributeList.join('')}>\n${shown}\n</${name}>`
}

function unclosedName(tag: Tag, content: string): string {
  if (!content.includes('<')) return tag
  const ends = content.replace(IGNORABLE, '').matchAll(new RegExp(String.raw`<\s*/\s*${tag}(?:_(\d+))?(?!\w)`, 'gi'))
  const usedNumbers = new Set(Array.from(ends, ([, number = '1']) => Number(number)))
  let number = 1
  while (usedNumbers.has(number)) number++
  return number === 1 ? tag : `${tag}_${number}`
}

function attributeText(value: string): string {
  return value
    .replaceAll(/[\s\u0085]+/g, ' ')
    .replaceAll('"', "'")
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
}

/** A value on one line. */
export function onOneLine(value: string): string {
  return withoutUnseen(value.replace(LINE_BREAK, ' ')).replace(/\s+/g, ' ').trim()
}

/** A value as JSON on one line, by any definition of a line break. */
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
  if (typeof value === 'string') return quoteText(value)
  if (Array.isArray(value)) return value.map((inner) => deep(inner, NONE))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, verbatim.has(key) ? inner : deep(inner, NONE)]),
  )
}

const NONE: ReadonlySet<string> = new Set()
