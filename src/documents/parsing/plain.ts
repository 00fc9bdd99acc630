import { DocumentText } from './document-text.ts'
import { isListItem, plainHeadingLevel } from './lines.ts'
import type { Parsed, Source } from './source.ts'
import { readTextFile } from './text-input.ts'

/**
 * Parses plain text. Empty lines separate paragraphs. Headings are underlined, numbered or capitalised paragraphs of
 * one line, and numbered lines above the text of a paragraph.
 */
export function parsePlain(source: Source): Parsed {
  const { text: input, notes: doubts } = readTextFile(source)
  const text = new DocumentText(source.name, source.limits.characters)
  for (const piece of input.split(/\n[ \t]*(?:\n[ \t]*)+/)) addPiece(text, piece)
  const title = text.firstHeading
  return { text: text.text(), blocks: text.blocks, ...(title === undefined ? {} : { title }), notes: doubts }
}

function addPiece(text: DocumentText, piece: string): void {
  const underlined = /^([^\n]{1,200})\n[ \t]*(?:(={3,})|-{3,})[ \t]*(?:\n([\s\S]*))?$/.exec(piece)
  if (underlined !== null) {
    text.add('heading', underlined[1]!, { level: underlined[2] === undefined ? 2 : 1 })
    text.add('paragraph', underlined[3] ?? '')
    return
  }
  const level = piece.includes('\n') ? undefined : plainHeadingLevel(piece)
  if (level !== undefined) return text.add('heading', piece, { level })
  const numbered = headingAbove(piece)
  if (numbered === undefined) return text.add(isListItem(piece) ? 'list' : 'paragraph', piece)
  text.add('heading', numbered.line, { level: numbered.level })
  addPiece(text, numbered.rest)
}

/**
 * Splits a numbered heading from its paragraph. A numbered line is no heading if its sentence wraps to the next line,
 * or if list items follow.
 */
function headingAbove(piece: string): { line: string; level: number; rest: string } | undefined {
  const end = piece.indexOf('\n')
  const [line, rest] = [piece.slice(0, end), piece.slice(end + 1)]
  const level = end < 0 || !/^\d/.test(line) ? undefined : plainHeadingLevel(line)
  if (level === undefined || isListItem(rest) || !/^\s*["“„'(]?\p{Lu}/u.test(rest)) return undefined
  const widest = Math.max(...piece.split('\n').map(({ length }) => length))
  const isWrapped = `${line} ${rest.trimStart().split(/\s/, 1)[0]}`.length > widest
  return isWrapped ? undefined : { line, level, rest }
}
