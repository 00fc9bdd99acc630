import { isListItem } from './lines.ts'
import { lineText, type Line } from './pdf-lines.ts'
import { tableAt } from './pdf-tables.ts'
import type { Block } from '../types.ts'

/** A block of a page before it has its place in the text. */
export interface PageBlock {
  readonly kind: Block['kind']
  readonly text: string
  readonly level?: number
}

/** Typography of the whole document, which distinguishes headings from text. */
export interface Setting {
  /** Size of the letters of running text. */
  readonly bodySize: number
  /** Sizes of headings, largest first. */
  readonly headingSizes: readonly number[]
}

const HEADING_FACTOR = 1.12
const MAX_LEVELS = 6
const MAX_HEADING_CHARS = 200

/** Sizes that are clearly larger than that of the text, in lines that could be headings. */
export function settingOf(lines: readonly Line[], bodySize: number): Setting {
  const sizes = lines.filter((line) => isLarge(line, bodySize)).map(({ size }) => Math.round(size * 2) / 2)
  return { bodySize, headingSizes: [...new Set(sizes)].toSorted((a, b) => b - a) }
}

function isLarge(line: Line, bodySize: number): boolean {
  const text = lineText(line)
  if (line.size < bodySize * HEADING_FACTOR || text.length > MAX_HEADING_CHARS) return false
  // A table of contents leads to its page numbers by dots.
  return /\p{L}/u.test(text) && !/(?:\s?\.){5}/.test(text)
}

/** Puts the lines of a page, in reading order, together to headings, tables, lists and paragraphs. */
export function blocksOf(lines: readonly Line[], setting: Setting): PageBlock[] {
  const blocks: PageBlock[] = []
  const leading = leadingOf(lines)
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!
    const isHeading = line.rows === undefined && isLarge(line, setting.bodySize)
    const table = isHeading
      ? undefined
      : line.rows === undefined
        ? tableAt(lines, at)
        : { rows: line.rows, end: at + 1 }
    if (table !== undefined) {
      blocks.push({ kind: 'table', text: table.rows.join('\n') })
      at = table.end
      continue
    }
    let end = at + 1
    while (end < lines.length && continuesParagraph(lines, end, setting, leading)) end++
    blocks.push(isHeading ? heading(lines.slice(at, end), setting) : running(lines.slice(at, end)))
    at = end
  }
  return withLists(blocks)
}

function heading(lines: readonly Line[], { headingSizes }: Setting): PageBlock {
  const level = headingSizes.indexOf(Math.round(lines[0]!.size * 2) / 2) + 1
  return { kind: 'heading', text: lines.map(lineText).join(' '), level: Math.min(MAX_LEVELS, Math.max(1, level)) }
}

function running(lines: readonly Line[]): PageBlock {
  const text = lines.map(lineText).reduce(joinLines)
  return { kind: isListItem(text) ? 'list' : 'paragraph', text }
}

/** Mends words that were cut at the end of a line. A hyphen before a capital or a digit is one of the word's own. */
function joinLines(text: string, next: string): string {
  if (/\p{L}\u00AD$/u.test(text)) return text.slice(0, -1) + next
  if (/\p{Ll}[-\u2010]$/u.test(text) && /^\p{Ll}/u.test(next)) return text.slice(0, -1) + next
  if (/\p{L}[-\u2010]$/u.test(text) && /^[\p{L}\d]/u.test(next)) return text + next
  return `${text} ${next}`
}

/** Whether a line belongs to the same paragraph or heading as the one above it. */
function continuesParagraph(lines: readonly Line[], at: number, { bodySize }: Setting, leading: number): boolean {
  const line = lines[at]!
  const above = lines[at - 1]!
  const step = above.y - line.y
  if (line.rows !== undefined || above.rows !== undefined) return false
  if (step <= 0 || step > leading * 1.3 * Math.max(line.size, above.size)) return false
  if (Math.abs(line.size - above.size) > above.size * 0.08) return false
  if (isLarge(line, bodySize)) return true
  if (isListItem(lineText(line), lineText(above)) || tableAt(lines, at) !== undefined) return false
  // The first line of a paragraph is moved in, where there is no space between paragraphs.
  const isMovedIn = line.cells[0]!.x0 > above.cells[0]!.x0 + line.size && !isListItem(lineText(above))
  const aboveEnds = /[.!?:…]["'”’)\]~]*$/.test(lineText(above))
  return !(aboveEnds && (isMovedIn || isShort(above, lines)))
}

/** Much shorter than the longest line: it ends its paragraph. */
function isShort(line: Line, lines: readonly Line[]): boolean {
  const right = Math.max(...lines.map(({ cells }) => cells.at(-1)!.x1))
  const left = line.cells[0]!.x0
  return line.cells.at(-1)!.x1 - left < (right - left) * 0.7
}

/** Usual distance between the lines of a paragraph, in sizes of letters. Space between paragraphs must not count. */
function leadingOf(lines: readonly Line[]): number {
  const steps: number[] = []
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1]
    if (above === undefined || Math.abs(above.size - line.size) > 0.5) continue
    const step = (above.y - line.y) / line.size
    if (step > 0.8 && step < 3) steps.push(step)
  }
  const low = steps.toSorted((a, b) => a - b)[Math.floor(steps.length * 0.25)] ?? 1.2
  return Math.min(1.8, Math.max(1, low))
}

/** Items that follow each other are one list. */
function withLists(blocks: readonly PageBlock[]): PageBlock[] {
  const merged: PageBlock[] = []
  for (const block of blocks) {
    const last = merged.at(-1)
    if (block.kind === 'list' && last?.kind === 'list') {
      merged[merged.length - 1] = { kind: 'list', text: `${last.text}\n${block.text}` }
    } else merged.push(block)
  }
  return merged
}
