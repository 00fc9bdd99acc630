import type { Block } from '../types.ts'
import { countInWords, documentError } from './document-error.ts'

/** NUL cannot be stored, the other control characters mean nothing in a text. */
const CONTROLS = /(?![\n\t])\p{Cc}|[\uFFFE\uFFFF]/gu
/** Halves of surrogate pairs have no UTF-8. */
const LONE_SURROGATES = /\p{Cs}/gu
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g

/**
 * Text in which all characters can be stored and displayed; lines end in `
 * `.
 */
export function cleanText(text: string): string {
  return text.replaceAll(LINE_ENDS, '\n').replaceAll(CONTROLS, ' ').replaceAll(LONE_SURROGATES, '\uFFFD')
}

/** On one line, with single spaces. */
export function oneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ').trim()
}

const BETWEEN_BLOCKS = '\n\n'
/** Maximum length of a heading. Longer text was marked as a heading by mistake, or for its size. */
const MAX_HEADING_CHARS = 300

/** The text of a document while it is put together block by block. */
export class DocumentText {
  readonly blocks: Block[] = []
  readonly #name: string
  readonly #maxCharacters: number
  readonly #parts: string[] = []
  #length = 0

  constructor(name: string, maxCharacters: number) {
    this.#name = name
    this.#maxCharacters = maxCharacters
  }

  get isEmpty(): boolean {
    return this.blocks.length === 0
  }

  /** Text of the first heading, of the highest level that comes first. */
  get firstHeading(): string | undefined {
    const block = this.blocks.find(({ kind }) => kind === 'heading')
    return block === undefined ? undefined : this.text().slice(block.start, block.end)
  }

  /**
   * Adds a block; one of white space alone is left out.
   * @throws TuttiError `DocumentError` when the text grows over the limit
   */
  add(kind: Block['kind'], given: string, { page, level }: Pick<Block, 'page' | 'level'> = {}): void {
    const text = kind === 'heading' ? oneLine(given) : withoutMargins(cleanText(given))
    if (text === '') return
    const separator = this.isEmpty ? '' : BETWEEN_BLOCKS
    const start = this.#length + separator.length
    const end = start + text.length
    if (end > this.#maxCharacters) throw tooLong(this.#name, this.#maxCharacters)
    this.#parts.push(separator, text)
    this.#length = end
    const isHeading = kind === 'heading' && text.length <= MAX_HEADING_CHARS
    this.blocks.push({
      kind: kind === 'heading' && !isHeading ? 'paragraph' : kind,
      start,
      end,
      ...(page === undefined ? {} : { page }),
      ...(isHeading ? { level: level ?? 1 } : {}),
    })
  }

  text(): string {
    return this.#parts.join('')
  }
}

/** Without empty lines before and white space after; the first line keeps its indentation. */
function withoutMargins(text: string): string {
  const first = text.search(/\S/)
  return first < 0 ? '' : text.slice(text.lastIndexOf('\n', first) + 1).trimEnd()
}

export function tooLong(name: string, maxCharacters: number): Error {
  return documentError(
    `${name} has more than ${countInWords(maxCharacters)} characters of text; split it into several files and add those.`,
  )
}

/** Cells as a line of a table; `undefined` when all are empty. */
export function tableRow(cells: readonly string[]): string | undefined {
  const texts = cells.map(oneLine)
  return texts.every((text) => text === '') ? undefined : texts.join(' | ').trimEnd()
}
