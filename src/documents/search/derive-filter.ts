import type { DocumentRecord, DocumentType, SearchFilter } from '../types.ts'
import { dateRangeOf } from './date-range.ts'
import { documentsOfTopic } from './overview.ts'

/** What a planner has found in a question, such as `doc_type`, `date_range`, `section`, `document`. */
export type Entities = Readonly<Record<string, unknown>>

type Listed = Pick<DocumentRecord, 'documentId' | 'name' | 'type' | 'date' | 'topics'>

/** What people call the types. */
const TYPE_WORDS: readonly (readonly [RegExp, readonly DocumentType[]])[] = [
  [/^(?:\.?pdfs?)$/, ['pdf']],
  [/^(?:word|\.?docx?)$/, ['docx']],
  [/^(?:excel|workbooks?|\.?xlsx?)$/, ['xlsx']],
  [/^(?:spreadsheets?|sheets?)$/, ['xlsx', 'ods', 'csv']],
  [/^(?:powerpoint|presentations?|\.?pptx?)$/, ['pptx', 'odp']],
  [/^(?:e-?books?|\.?epubs?)$/, ['epub']],
  [/^\.?csvs?$/, ['csv']],
  [/^(?:text|plain text|\.?txt)$/, ['txt']],
  [/^(?:markdown|\.?md)$/, ['md']],
  [/^(?:\.?html?|web ?pages?)$/, ['html']],
]

/** "in the PDF", "from our Excel files": a type named as the place to look. "Export to PDF" is not. */
const TYPE_IN_QUESTION =
  /\b(?:in|from|within|inside|among|according to)\s+(?:(?:the|this|that|these|those|our|my|all|any|its)\s+)?(?:[\w-]+\s+)?(pdfs?|word|docx?|excel|workbooks?|xlsx?|powerpoint|pptx?|epubs?|spreadsheets?|csvs?|markdown|html|web ?pages?|text)(?:\s+(?:files?|documents?|docs?|sheets?))?\b/i

/** Types that are also common words; they count only when followed by "file" or "document". */
const NEEDS_NOUN = /\b(?:word|text|excel|web ?pages?)$/i

const SECTION_IN_QUESTION =
  /\b(?:section|chapter)\s+(?:called\s+|named\s+|titled\s+|on\s+|about\s+)?["“'‘]([^"”'’]{2,80})["”'’]/i

/** "What do the documents about returns say …": documents on a topic. */
const TOPIC_IN_QUESTION =
  /\b(?:documents?|docs|files|papers|contracts|reports|minutes|manuals|policies)\s+(?:about|on|that\s+deal\s+with|dealing\s+with)\s+(?:the\s+)?(.{3,60}?)(?=\s+(?:says?|tells?|states?|mentions?|is|are|does|do|what|how|which|who|when|where)\b|[,?.!]|$)/i

/** A topic as the documents that have it; a filter that no document fits where none has. */
export function withoutTopic({ topic, ...filter }: SearchFilter, documents: readonly Listed[]): SearchFilter {
  if (topic === undefined) return filter
  const have = documentsOfTopic(topic, documents).map(({ documentId }) => documentId)
  const { documentIds } = filter
  return { ...filter, documentIds: documentIds === undefined ? have : have.filter((id) => documentIds.includes(id)) }
}

/**
 * Where a question and its entities say to look: document type, days of the document, section, documents by their topic, or a
 * document by its file name. Parts that no document of the owner fits are left out, since a wrong guess would hide everything.
 */
export function deriveFilter(question: string, entities: Entities, documents: readonly Listed[]): SearchFilter {
  const types = derivedTypes(question, entities)
  const range = dateRangeOf(firstOf(entities, ['date_range', 'dateRange', 'document_date']))
  const section = textOf(firstOf(entities, ['section', 'section_title'])) ?? SECTION_IN_QUESTION.exec(question)?.[1]
  const byName = namedDocuments(question, entities, documents)
  const topic = textOf(entities['topic']) ?? TOPIC_IN_QUESTION.exec(question)?.[1]
  const onTopic = topic === undefined || byName.length > 0 ? [] : documentsOfTopic(topic, documents)
  const named = [...byName, ...onTopic.map(({ documentId }) => documentId)]
  const hasType = documents.some(({ type }) => types.includes(type))
  const hasDate = range !== undefined && documents.some(({ date }) => isWithin(date, range))
  return {
    ...(named.length > 0 ? { documentIds: named } : {}),
    ...(named.length === 0 && hasType ? { types } : {}),
    ...(named.length === 0 && hasDate ? range : {}),
    ...(section === undefined ? {} : { section }),
  }
}

/** Both filters at once; the derived one only fills in what the given one leaves open. */
export function joinFilters(given: SearchFilter, derived: SearchFilter): SearchFilter {
  return { ...derived, ...given }
}

export function isEmptyFilter(filter: SearchFilter): boolean {
  return Object.values(filter).every((part) => part === undefined)
}

function derivedTypes(question: string, entities: Entities): readonly DocumentType[] {
  const given = firstOf(entities, ['doc_type', 'docType', 'document_type', 'file_type'])
  const words = (Array.isArray(given) ? given : [given]).flatMap((word) => textOf(word) ?? [])
  const fromEntities = words.flatMap(typesOfWord)
  if (fromEntities.length > 0) return [...new Set(fromEntities)]
  const match = TYPE_IN_QUESTION.exec(question)
  const word = match?.[1]
  if (word === undefined) return []
  const hasNoun = /(?:files?|documents?|docs?|sheets?)$/i.test(match![0])
  return NEEDS_NOUN.test(word) && !hasNoun ? [] : typesOfWord(word)
}

function typesOfWord(word: string): readonly DocumentType[] {
  const plain = word
    .toLowerCase()
    .replace(/\s+(?:files?|documents?|docs?)$/, '')
    .trim()
  return TYPE_WORDS.find(([pattern]) => pattern.test(plain))?.[1] ?? []
}

/** Documents whose full file name is in the question or among the entities. */
function namedDocuments(question: string, entities: Entities, documents: readonly Listed[]): string[] {
  const entity = textOf(firstOf(entities, ['document', 'filename', 'file'])) ?? ''
  const within = `${question}\n${entity}`.toLowerCase()
  return documents.filter(({ name }) => nameRange(name, within) !== undefined).map(({ documentId }) => documentId)
}

/** Where the full file name of a document is in a text, as whole words: `a.pdf` is not in `data.pdf`. */
function nameRange(document: string, text: string): { start: number; end: number } | undefined {
  const name = document.toLowerCase().split(/[/\\]/).at(-1)!
  if (!/\.\w{1,5}$/.test(name)) return undefined
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length
    const isWhole = !/[\p{L}\p{N}_-]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}_-]/u.test(text[end] ?? ' ')
    if (isWhole) return { start: at, end }
  }
  return undefined
}

const BEFORE_FILE =
  /\s*\b(?:(?:in|of|from|by|according to|under|within|inside)\s+)?(?:the\s+)?(?:(?:file|document)\s+)?["“'‘`]?$/i

/** A question without the file names in it, which say where to look: no passage has them among its words. */
export function withoutFileNames(question: string, names: Iterable<string>): string {
  let rest = question
  for (const name of new Set(names)) {
    const place = nameRange(name, rest.toLowerCase())
    if (place === undefined) continue
    const before = rest.slice(0, place.start).replace(BEFORE_FILE, '')
    const after = rest.slice(place.end).replace(/^["”'’`]/, '')
    rest = before === '' ? after.replace(/^[\s,:]+/, '') : before + after
  }
  return /\p{L}/u.test(rest) ? rest : question
}

function isWithin(date: string | undefined, { from, to }: { readonly from?: string; readonly to?: string }): boolean {
  if (date === undefined) return false
  const day = date.slice(0, 10)
  return (from === undefined || day >= from) && (to === undefined || day <= to)
}

function firstOf(entities: Entities, names: readonly string[]): unknown {
  return names.map((name) => entities[name]).find((value) => value !== undefined && value !== null && value !== '')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
