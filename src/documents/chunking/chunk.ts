import { omitUndefined } from '../../shared/json.ts'
import type { Block, Chunk, NewDocument, PageStart, ParsedDocument } from '../types.ts'
import { sentencesOf, type Span, trimmed } from './sentences.ts'
import { countTokens } from './tokens.ts'

/** Tokens of a passage at most. */
export const CHUNK_TOKENS = 1024

/** A document's passages in the input format of the store. */
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
export function chunkDocument(document: ParsedDocument, limit = CHUNK_TOKENS): CutDocument {
  const chunks: CutChunk[] = []
  const parents: (number | undefined)[] = []
  for (const section of sectionsOf(document)) {
    const first = chunks.length
    for (const passage of passagesOf(document.text, section, limit)) {
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

function* passagesOf(text: string, { blocks }: Section, limit: number): Generator<Passage> {
  let open: Passage | undefined
  /** The open passage with a span behind it; `undefined` when that is too much for one. */
  const extended = (span: Span, block: Block): Passage | undefined => {
    if (open === undefined) return undefined
    const tokens = open.tokens + countTokens(text.slice(open.end, span.end), limit)
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
    const span = extended(block, block)
    if (span !== undefined) {
      open = span
      continue
    }
    const fitsAlone = countTokens(text.slice(block.start, block.end), limit) <= limit
    if (open !== undefined && fitsAlone && (isTable || !open.isTitle)) {
      yield open
      open = undefined
    }
    // A title stays with the first part of its content.
    const room: number = limit - Math.min(open?.isTitle === true ? open.tokens + 2 : 0, limit >> 1)
    const spans: Iterable<Span> = fitsAlone && open === undefined ? [block] : splitBlock(text, block, room)
    for (const span of spans) {
      const longer = extended(span, block)
      if (longer === undefined && open !== undefined) yield open
      open = longer ?? passageOf(text, span, block)
    }
  }
  if (open !== undefined) yield open
}

function passageOf(text: string, { start, end }: Span, { kind, page }: Block): Passage {
  return {
    start,
    end,
    tokens: countTokens(text.slice(start, end)),
    kind: kind === 'table' ? 'table' : 'text',
    isTitle: kind === 'heading',
    pages: [],
    ...omitUndefined({ page }),
  }
}

/** A stretch of a document under one heading. */
interface Section {
  /** Headings above it, outermost first, joined by ` › `; absent before the first heading. */
  readonly path?: string
  /** Its heading or headings come first. */
  readonly blocks: readonly Block[]
}

interface Heading {
  readonly level: number
  readonly text: string
}

const BETWEEN_HEADINGS = ' › '
/** Of the path in all; headings may be long. */
const MAX_PATH_CHARS = 300

/**
 * Splits a document at its headings. A heading without text is joined with the next heading, so that no section is only
 * a title.
 */
function sectionsOf({ text, blocks }: ParsedDocument): Section[] {
  const sections: Section[] = []
  let open: Heading[] = []
  let current: Block[] = []
  const close = (): void => {
    if (current.length > 0) sections.push({ ...pathOf(open), blocks: current })
    current = []
  }
  for (const block of blocks) {
    if (block.kind === 'heading') {
      const level = block.level ?? 1
      const last = current.at(-1)
      const isTitleOfNext = last?.kind === 'heading' && (last.level ?? 1) < level
      if (!isTitleOfNext) close()
      open = [...open.filter((heading) => heading.level < level), { level, text: text.slice(block.start, block.end) }]
    }
    current.push(block)
  }
  close()
  return sections
}

function pathOf(open: readonly Heading[]): { path?: string } {
  if (open.length === 0) return {}
  const path = open.map(({ text }) => text).join(BETWEEN_HEADINGS)
  return { path: path.length > MAX_PATH_CHARS ? `${path.slice(0, MAX_PATH_CHARS - 1)}…` : path }
}

const LINE = /[^\n]*\S[^\n]*/g

type Cut = (text: string) => Iterable<Span>

const LINES: Cut = function* (text) {
  for (const { index, 0: line } of text.matchAll(LINE)) yield* trimmed(text, index, index + line.length)
}

/**
 * Splits a block that is too long for one passage: tables, lists and code between lines, paragraphs between sentences.
 * Parts that are still too long are split between words, and endless words anywhere except within a character.
 */
function* splitBlock(text: string, { start, end, kind }: Block, limit: number): Generator<Span> {
  yield* splitBy(
    kind === 'paragraph' ? [sentencesOf, LINES] : [LINES, sentencesOf],
    text.slice(start, end),
    start,
    limit,
  )
}

function* splitBy([cut, ...finer]: readonly Cut[], text: string, offset: number, limit: number): Generator<Span> {
  if (cut === undefined) return yield* words(text, offset, limit)
  for (const { start, end } of cut(text)) {
    const part = text.slice(start, end)
    if (countTokens(part, limit) <= limit) yield { start: offset + start, end: offset + end }
    else yield* splitBy(finer, part, offset + start, limit)
  }
}

/** White space with the word behind it; endless words are cut. */
const SEGMENT = /\s{0,32}\S{1,48}|\s{1,32}/gu

/** As many words as fit, again and again. */
function* words(text: string, offset: number, limit: number): Generator<Span> {
  let start = 0
  let tokens = 0
  let at = 0
  for (const [segment] of text.matchAll(SEGMENT)) {
    const cost = countTokens(segment)
    if (tokens + cost > limit && at > start) {
      yield* splitRange(text, start, at, offset)
      start = at
      tokens = 0
    }
    tokens += cost
    at += segment.length
  }
  yield* splitRange(text, start, at, offset)
}

function* splitRange(text: string, from: number, to: number, offset: number): Generator<Span> {
  for (const { start, end } of trimmed(text, from, to)) yield { start: offset + start, end: offset + end }
}
