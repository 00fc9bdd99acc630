import { DocumentText } from './document-text.ts'
import { isListItem, plainHeadingLevel } from './lines.ts'
import type { Parsed, Source } from './source.ts'
import { readText } from './text-input.ts'

/** Plain text: paragraphs are parted by empty lines; underlined, numbered and capital lines that stand alone are headings. */
export function parsePlain(source: Source): Parsed {
  const input = readText(source)
  const text = new DocumentText(source.name, source.limits.characters)
  for (const piece of input.split(/\n[ \t]*(?:\n[ \t]*)+/)) addPiece(text, piece)
  const title = text.firstHeading
  return { text: text.text(), blocks: text.blocks, ...(title === undefined ? {} : { title }), notes: [] }
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
  text.add(isListItem(piece) ? 'list' : 'paragraph', piece)
}
