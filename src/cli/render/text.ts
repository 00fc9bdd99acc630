import { stripVTControlCharacters } from 'node:util'
import truncatedWidth from 'fast-string-truncated-width'

/** Characters that reorder the text around them; a cell could make a table read as another one. */
const BIDI = /[\u202A-\u202E\u2066-\u2069]/g
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu
const CONTROLS_BUT_LINES = /(?![\n\t])\p{Cc}/gu

/**
 * Text from outside as a terminal may be given it: whatever a model, a database or a document says cannot move the
 * cursor, change colours or the title, or write to the clipboard. Line ends are kept.
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

/** Characters that nobody sees but that say something to a machine; the one that joins emoji is none of them. */
const HIDDEN = /(?!\u200D)\p{Cf}/gu

/** Shows what is hidden, as in JSON: whoever decides on a text must see all of it. */
export function withHiddenShown(text: string): string {
  return text.replaceAll(HIDDEN, (hidden) => `\\u{${hidden.codePointAt(0)!.toString(16)}}`)
}

/** Columns that the text takes on a terminal; East Asian wide characters and emoji take two. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width
}

/** Cuts to at most `width` columns, the mark `…` included. */
export function truncateToWidth(text: string, width: number): string {
  const { truncated, ellipsed, index } = truncatedWidth(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 })
  if (!truncated) return text
  let kept = text.slice(0, index)
  // Behind a change of script the package counts a character too few.
  while (kept !== '' && widthOf(kept) >= width) kept = [...kept].slice(0, -1).join('')
  return `${kept}${ellipsed ? '…' : ''}`
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

/** Every line moved to the right. */
export function indent(text: string, by = '  '): string {
  return text.replaceAll(/^(?=.)/gm, by)
}
