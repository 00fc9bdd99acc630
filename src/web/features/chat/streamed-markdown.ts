import { Marked, type Token } from 'marked'
import { math } from './math.ts'

const reader = new Marked({ gfm: true, breaks: true }, math)

/** Maximum nesting depth. Deeper nesting is an attack on the page. */
const DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){12}|[*_~]{40}| {400}/m
const LONG = 400_000

/** What a link means may be said below it. */
const SAID_BELOW = /\]:/

/** Ends at the next blank line, whatever follows. */
const ENDS_AT_BLANK_LINE = new Set(['paragraph', 'heading', 'table', 'hr'])

/**
 * Reads Markdown that grows, as an answer does that is written: blocks that are over are not read again. What cannot be read as
 * Markdown is one block, the text that it is.
 */
export function streamedMarkdown(): (text: string) => readonly Token[] {
  let known: readonly Token[] = []
  return (text) => {
    const over = SAID_BELOW.test(text) ? [] : overIn(known)
    const start = over.map(({ raw }) => raw).join('')
    known = text.startsWith(start) ? [...over, ...blocksOf(text, start.length)] : blocksOf(text, 0)
    return known
  }
}

/** The blocks up to the last blank line that has a block after it. */
function overIn(blocks: readonly Token[]): readonly Token[] {
  const isEnd = ({ type }: Token, at: number): boolean =>
    type === 'space' && at < blocks.length - 1 && ENDS_AT_BLANK_LINE.has(blocks[at - 1]?.type ?? '')
  return blocks.slice(0, blocks.findLastIndex(isEnd) + 1)
}

function blocksOf(text: string, from: number): readonly Token[] {
  const rest = text.slice(from)
  if (text.length <= LONG && !DEEP.test(text)) {
    try {
      return reader.lexer(rest)
    } catch {
      // Shown as it is.
    }
  }
  return [{ type: 'text', raw: rest, text: rest } as Token]
}
