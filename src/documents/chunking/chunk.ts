import { omitUndefined } from '../../shared/json.ts'
import type { Block, Chunk, NewDocument, PageStart, ParsedDocument } from '../types.ts'
import { sectionsOf, type Section } from './sections.ts'
import type { Span } from './sentences.ts'
import { splitBlock } from './split.ts'
import type { TokenCounter } from './tokens.ts'

/** Tokens of a passage at most. */
export const CHUNK_TOKENS = 1024

/** A document's passages, in the form in which the store takes them. */
export type CutDocument = Pick<NewDocument, 'chunks' | 'parents'>

type CutChunk = CutDocument['chunks'][number]

/** Maximum tokens of text above a table that stays with it: its heading, or a caption. */
const TABLE_INTRODUCTION_TOKENS = 100

/**
 * Splits a document into passages by its structure. A passage never crosses the end of a section. Tables are kept whole
 * and separate; paragraphs are kept whole if they fit. A table that is too long for one passage is split between rows.
 * The first passage of a section is the parent of the others.
 * @param limit maximum tokens of a passage; at least 500
 */
export function chunkDocument(document: ParsedDocument, counter: TokenCounter, limit = CHUNK_TOKENS): CutDocument {
  const chunks: CutChunk[] = []
  const parents: (number | undefined)[] = []
  for (const section of sectionsOf(document)) {
    const first = chunks.length
    for (const passage of passagesOf(document.text, section, limit, counter)) {
      parents.push(chunks.length === first ? undefined : first)
      chunks.push(toChunk(document.text, section, passage, chunks.length))
    }
  }
  return { chunks, parents }
}

function toChunk(
  text: string,
  { path }: Section,
  { start, end, kind, page, pages, tokens }: Passage,
  ordinal: number,
): CutChunk {
  const place = omitUndefined({ page, pages: pages.length === 0 ? undefined : pages, section: path })
  return { ordinal, text: text.slice(start, end), start, end, ...place, kind, tokens }
}

interface Passage extends Span {
  readonly kind: Chunk['kind']
  readonly page?: number
  readonly pages: readonly PageStart[]
  readonly tokens: number
  readonly isTitle: boolean
}

function* passagesOf(text: string, { blocks }: Section, limit: number, counter: TokenCounter): Generator<Passage> {
  let open: Passage | undefined
  /** The open passage with a span behind it; `undefined` when that is too much for one. */
  const extended = (span: Span, block: Block): Passage | undefined => {
    if (open === undefined) return undefined
    const tokens = open.tokens + counter.count(text.slice(open.end, span.end), limit)
    const kind = block.kind === 'table' ? 'table' : 'text'
    const isTitle = open.isTitle && block.kind === 'heading'
    const isTurned = block.page !== undefined && block.page !== (open.pages.at(-1)?.page ?? open.page)
    const pages = isTurned ? [...open.pages, { page: block.page, start: span.start }] : open.pages
    return tokens > limit ? undefined : { ...open, end: span.end, tokens, kind, isTitle, pages }
  }
  for (const block of blocks) {
    const isTable = block.kind === 'table'
    if (open !== undefined && (open.kind === 'table' || (isTable && open.tokens > TABLE_INTRODUCTION_TOKENS))) {
      yield open
      open = undefined
    }
    const whole = extended(block, block)
    if (whole !== undefined) {
      open = whole
      continue
    }
    const fitsAlone = counter.count(text.slice(block.start, block.end), limit) <= limit
    if (open !== undefined && fitsAlone && (isTable || !open.isTitle)) {
      yield open
      open = undefined
    }
    // A title stays with the first part of its content.
    const room: number = limit - Math.min(open?.isTitle === true ? open.tokens + 2 : 0, limit >> 1)
    const spans: Iterable<Span> = fitsAlone && open === undefined ? [block] : splitBlock(text, block, room, counter)
    for (const span of spans) {
      const longer = extended(span, block)
      if (longer === undefined && open !== undefined) yield open
      open = longer ?? passageOf(text, span, block, counter)
    }
  }
  if (open !== undefined) yield open
}

function passageOf(text: string, { start, end }: Span, { kind, page }: Block, counter: TokenCounter): Passage {
  return {
    start,
    end,
    tokens: counter.count(text.slice(start, end)),
    kind: kind === 'table' ? 'table' : 'text',
    isTitle: kind === 'heading',
    pages: [],
    ...omitUndefined({ page }),
  }
}
