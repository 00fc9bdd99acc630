import { stripVTControlCharacters } from 'node:util'
import truncatedWidth from 'fast-string-truncated-width'

/** Bidirectional control characters. They could make one table read as another. */
const BIDI = /[\u202A-\u202E\u2066-\u2069]/g
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu
const CONTROLS_BUT_LINES = /(?![\n\t])\p{Cc}/gu

/**
 * Makes untrusted text safe for a terminal: text of a model, a database or a document cannot move the cursor, change
 * colours or the title, or write to the clipboard. Line ends are kept.
 */
export function safeText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROLS_BUT_LINES, '')
    .replaceAll(BIDI, '')
}

/** The same on one line. */
export function safeLine(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\s*[\r\n]\s*/g, ' ')
    .replaceAll(CONTROLS, ' ')
    .replaceAll(BIDI, '')
}

/** Invisible characters that a machine reads; the zero-width joiner of emoji is excluded. */
const HIDDEN = /(?!\u200D)\p{Cf}/gu

/** Escapes invisible characters as in JSON, so that the user who approves a text sees all of it. */
export function escapeHidden(text: string): string {
  return text.replaceAll(HIDDEN, (hidden) => `\\u{${hidden.codePointAt(0)!.toString(16)}}`)
}

/** Width in terminal columns. East Asian wide characters and emoji take two. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width
}

/** Truncates to at most `width` columns, including the mark `…`. */
export function truncateToWidth(text: string, width: number): string {
  const { truncated, ellipsed, index } = truncatedWidth(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 })
  if (!truncated) return text
  let kept = text.slice(0, index)
  // After a change of script the package counts one character too few.
  while (kept !== '' && widthOf(kept) >= width) kept = [...kept].slice(0, -1).join('')
  return `${kept}${ellipsed ? '…' : ''}`
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

/** Indents every line. */
export function indent(text: string, by = '  '): string {
  return text.replaceAll(/^(?=.)/gm, by)
}
