import { DocumentText } from './document-text.ts'
import { isListItem, plainHeadingLevel } from './lines.ts'
import type { Parsed, Source } from './source.ts'
import { readTextFile } from './text-input.ts'

/**
 * Plain text: paragraphs are parted by empty lines; underlined, numbered and capital lines that stand alone are headings, and
 * numbered ones above the text of a paragraph.
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

/** A numbered line that ends before its paragraph is as wide as it could be; an item of a list continues below, or another one follows. */
function headingAbove(piece: string): { line: string; level: number; rest: string } | undefined {
  const end = piece.indexOf('\n')
  const [line, rest] = [piece.slice(0, end), piece.slice(end + 1)]
  const level = end < 0 || !/^\d/.test(line) ? undefined : plainHeadingLevel(line)
  if (level === undefined || isListItem(rest) || !/^\s*["“„'(]?\p{Lu}/u.test(rest)) return undefined
  const widest = Math.max(...piece.split('\n').map(({ length }) => length))
  const isWrapped = `${line} ${rest.trimStart().split(/\s/, 1)[0]}`.length > widest
  return isWrapped ? undefined : { line, level, rest }
}
