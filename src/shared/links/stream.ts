import { removeUnknownLinks } from './remove-unknown-links.ts'
import { CodeScanner } from './view.ts'

/** More than this is not held back for a mark that nothing closes. */
const MAX_HELD_CHARS = 4_000

/**
 * The same for a text that arrives in pieces: holds back a possible link until it is complete, so that no partial
 * address is shown. A link ends with its paragraph at the latest.
 */
export class LinkStream {
  private readonly isAllowed: (url: string) => boolean
  private readonly scanner = new CodeScanner()
  private held = ''

  constructor(isAllowed: (url: string) => boolean) {
    this.isAllowed = isAllowed
  }

  /** The text that can be shown after this piece. */
  feed(piece: string): string {
    this.held += piece
    let length = wholeLength(this.held)
    for (;;) {
      const open = this.scanner.openLength(this.held.slice(0, length))
      if (open === 0 || length === 0) break
      length = lastSpace(this.held.slice(0, length - open)) + 1
    }
    return length === 0 ? '' : this.take(length)
  }

  /** The rest. */
  end(): string {
    return this.take(this.held.length)
  }

  private take(length: number): string {
    const text = this.held.slice(0, length)
    this.held = this.held.slice(length)
    return removeUnknownLinks(text, this.isAllowed, this.scanner).text
  }
}

/** Length of the beginning that cannot contain the start of a link; always up to a space. */
function wholeLength(text: string): number {
  let end = lastSpace(text)
  if (end < 0) return 0
  if (text.length - end < MAX_HELD_CHARS) {
    for (const mark of text.matchAll(/!?\[|\]\(|\]:|</g)) {
      if (mark.index > end) break
      if (isOpen(text.slice(mark.index), mark[0])) {
        end = lastSpace(text.slice(0, mark.index))
        break
      }
    }
    if (text.length - end > MAX_HELD_CHARS) end = lastSpace(text)
  }
  return end + 1
}

function lastSpace(text: string): number {
  let i = text.length - 1
  while (i >= 0 && !/\s/.test(text[i]!)) i--
  return i
}

/** Whether a construct that begins with this mark may continue after the end of the text. */
function isOpen(rest: string, mark: string): boolean {
  if (/\n[ \t>]*\n/.test(rest.replace(/\s+$/, '\n'))) return false
  switch (mark) {
    case '<':
      return /^<([a-z/!?]|$)/i.test(rest) && !rest.includes('>')
    case '](':
      return !/^\]\(\s*\S*?\)\s/.test(rest) && !/^\]\([^()]*\)/.test(rest)
    case ']:':
      return !/^\]:\s*\S+\s/.test(rest)
    default: {
      const close = closingOf(rest)
      if (close === undefined || close + 1 >= rest.length) return true
      const next = rest.slice(close, close + 2)
      return (next === '](' || next === ']:') && isOpen(rest.slice(close), next)
    }
  }
}

/** Position where the first bracket of the text is closed. */
function closingOf(text: string): number | undefined {
  let depth = 0
  for (let i = text.indexOf('['); i < text.length; i++) {
    if (text[i] === '[') depth++
    if (text[i] === ']' && --depth === 0) return i
  }
  return undefined
}
