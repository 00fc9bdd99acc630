/**
 * A text as a renderer reads it, with a map back: character `i` of `text` is at `from[i]` to `to[i]` of the original.
 */
export interface View {
  readonly original: string
  readonly text: string
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** Invisible characters, in which addresses and messages can be hidden. */
// oxlint-disable-next-line no-misleading-character-class
const UNSEEN = /[\u00AD\u200B\u202A-\u202E\u2060-\u206F\uFE00-\uFE0D\uFEFF\u{E0000}-\u{E0FFF}]|(?![\t\n\r])\p{Cc}/gu
/** The joiners belong to scripts and emoji, the selectors to signs; in an address they are only in the way. */
// oxlint-disable-next-line no-misleading-character-class
const IGNORED = /[\u200C\u200D\uFE0E\uFE0F]/u

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dash: '‐',
  equals: '=',
  excl: '!',
  gt: '>',
  lbrack: '[',
  lowbar: '_',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  nbsp: ' ',
  newline: '\n',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rbrack: ']',
  rpar: ')',
  rsqb: ']',
  semi: ';',
  shy: '',
  sol: '/',
  tab: '\t',
  zerowidthspace: '',
  zwj: '',
  zwnj: '',
}

const UNIT = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));?|\\([!-/:-@[-`{-~])|[\s\S]/giu

/**
 * Terminal control sequences (ECMA-48): colours, cursor, titles, links. Without their first character, the rest would
 * be visible.
 */
// oxlint-disable-next-line no-control-regex -- control characters are searched for
const STEERING = /\u001b(?:\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\[[0-?]*[ -/]*[@-~])/g

/** The text without invisible characters. */
export function removeInvisible(text: string): string {
  return text.replace(STEERING, '').replace(UNSEEN, '')
}

/** Character references and escapes resolved, unseen characters gone. */
export function renderedView(original: string): View {
  let text = ''
  const from: number[] = []
  const to: number[] = []
  for (const match of original.matchAll(UNIT)) {
    const [whole, hex, decimal, name, escaped] = match
    const shown = escaped ?? reference(hex, decimal, name, whole)
    for (const unit of IGNORED.test(shown) || shown.replace(UNSEEN, '') === '' ? '' : shown.split('')) {
      text += unit
      from.push(match.index)
      to.push(match.index + whole.length)
    }
  }
  return { original, text, from, to }
}

function reference(
  hex: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
  whole: string,
): string {
  if (name !== undefined) return whole.endsWith(';') ? (NAMED[name.toLowerCase()] ?? whole) : whole
  if (hex === undefined && decimal === undefined) return whole
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\uFFFD' : String.fromCodePoint(code)
}

/** A part of a Markdown text: code, as every renderer reads it, or anything else. */
interface Part {
  readonly text: string
  readonly isCode: boolean
}

/** An opening fence: three or more backticks or tildes. */
const OPENING = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/
/** HTML and formulas may suspend Markdown up to an end that renderers see in different places; a backslash may open a formula. */
const SUSPENDS = /<[a-z/!?]|\$\$|\\/i

/** Longer lines have no code spans. */
const MAX_LINE = 4_000

/**
 * Finds code in a Markdown text that arrives in pieces: fenced blocks, and spans within one line. Text that renderers may read
 * differently is not code: everything after HTML, formulas or invisible characters, and spans behind a backtick or dollar sign
 * without a partner in the same paragraph.
 * See https://spec.commonmark.org/0.31.2/#fenced-code-blocks and #code-spans.
 */
export class CodeScanner {
  #fence: { readonly mark: string; readonly indent: number } | undefined
  /** Nothing that follows counts as code. */
  #isUnsure = false
  /** Nothing in the rest of the paragraph counts as code. */
  #hasOpenMark = false
  /** The start of the current line, from earlier pieces. */
  #line = ''

  /** @param piece continues the pieces before; ends with a line, or where `openLength` is 0 */
  parts(piece: string): Part[] {
    return piece.split(/(?<=\n)/).flatMap((line) => {
      const before = this.#line
      this.#line = line.endsWith('\n') ? '' : before + line
      this.#isUnsure ||= removeInvisible(line) !== line || /\r(?!\n|$)/.test(line)
      if (this.#isUnsure) return [{ text: line, isCode: false }]
      if (this.#fence !== undefined) return [{ text: line, isCode: before === '' ? this.#isInFence(line) : true }]
      return before === '' && this.#opensFence(line) ? [{ text: line, isCode: true }] : this.#partsOfText(line)
    })
  }

  /** How many characters at the end of a text that continues the pieces must wait for the end of their line. */
  openLength(text: string): number {
    const last = text.slice(text.lastIndexOf('\n') + 1)
    const line = last.length === text.length ? this.#line + last : last
    if (this.#isUnsure || line.length > MAX_LINE) return 0
    if (/^ *(?:(?:`+|~+)[^`\n]*)?$/.test(line)) return last.length
    const { open = line.length } = spansIn(line)
    return Math.min(last.length, line.length - open)
  }

  #opensFence(line: string): boolean {
    const [fence, indent = '', mark = ''] = OPENING.exec(line.trimEnd()) ?? []
    if (fence !== undefined) this.#fence = { mark, indent: indent.length }
    return fence !== undefined
  }

  #isInFence(line: string): boolean {
    const { mark, indent } = this.#fence!
    const spaces = line.search(/[^ ]/)
    const isClosing = /^ *(?:`{3,}|~{3,})\s*$/.test(line) && line.trimStart().startsWith(mark)
    // A list item that contained the fence may have ended, or the fence may be closed in a list item alone.
    const hasLeft = line.trim() !== '' && spaces < indent
    if (hasLeft || (isClosing && spaces > 3 && indent > 0)) {
      this.#isUnsure = true
      return false
    }
    if (isClosing && spaces <= 3) this.#fence = undefined
    return true
  }

  #partsOfText(line: string): Part[] {
    this.#hasOpenMark ||= this.#line.length > MAX_LINE
    if (line.trim() === '') this.#hasOpenMark = false
    const { spans, open } = spansIn(line)
    const parts: Part[] = []
    let at = 0
    for (const [start, end] of [...spans, [line.length, line.length] as const]) {
      const text = line.slice(at, start)
      this.#isUnsure ||= SUSPENDS.test(text)
      this.#hasOpenMark ||= text.includes('$')
      const code = line.slice(start, end)
      // A bar may end the cell of a table, and the span with it.
      this.#hasOpenMark ||= code.includes('|')
      parts.push({ text, isCode: false }, { text: code, isCode: !this.#isUnsure && !this.#hasOpenMark })
      at = end
    }
    this.#hasOpenMark ||= open !== undefined
    return parts.filter(({ text }) => text !== '')
  }
}

/** The code spans of a line, and the position of the first run of backticks without a partner. An escaped run has none. */
function spansIn(line: string): { readonly spans: (readonly [start: number, end: number])[]; readonly open?: number } {
  const runs = Array.from(line.matchAll(/\\?`+/g), ({ 0: run, index }) => ({ run, index }))
  const spans: [number, number][] = []
  for (let i = 0; i < runs.length; i++) {
    const { run, index } = runs[i]!
    let partner = run.startsWith('\\') ? runs.length : i + 1
    while (partner < runs.length && runs[partner]!.run !== run) partner++
    if (partner === runs.length) return { spans, open: index }
    spans.push([index, runs[partner]!.index + run.length])
    i = partner
  }
  return { spans }
}
