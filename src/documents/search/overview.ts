import type { DocumentRecord, Hit, KnowledgeStore, OwnerScope } from '../types.ts'
import { searchTerms } from './analysis.ts'

/** Maximum number of documents listed, and of passages checked for the topic. */
const MAX_DOCUMENTS = 20
const MAX_PASSAGES = 1_000

const DOCS = '(?:documents?|docs?|files?|papers?)'
const POSSESSIVES = String.raw`(?:(?:all\s+)?(?:(?:of\s+)?(?:my|our|the|these|those)\s+))`
/** Patterns for questions about the documents themselves, not about their content. */
const ALL = new RegExp(
  String.raw`^\W*(?:what\s+(?:are|is)\s+(?:in\s+)?${POSSESSIVES}${DOCS}(?:\s+(?:all\s+)?about)?|(?:what|which)\s+${DOCS}\s+(?:do\s+(?:i|we|you)\s+have|are\s+there|were\s+added|are\s+in\s+the\s+library)|what\s+do\s+${POSSESSIVES}${DOCS}\s+(?:cover|contain|talk\s+about|deal\s+with)|(?:list|show|describe|summari[sz]e|give\s+(?:me\s+)?an\s+overview\s+of)\s+(?:me\s+)?${POSSESSIVES}${DOCS})\W*$`,
  'i',
)
const ABOUT_PATTERN = new RegExp(
  String.raw`^\W*(?:which|what)\s+(?:(?:one\s+)?${POSSESSIVES}${DOCS}|${DOCS}|of\s+${POSSESSIVES}${DOCS})\s+(?:(?:is|are)\s+(?:about|on)|talks?\s+about|speaks?\s+(?:of|about)|deals?\s+with|covers?|(?<isWord>mentions?))\s+(?<topic>.+?)\W*$`,
  'i',
)

/** Pattern for a document's name, such as “the returns policy” or “returns-policy.pdf”. */
const ONE = new RegExp(
  String.raw`^\W*(?:what\s+is\s+(?:in\s+)?(?<about>.{3,80}?)\s+about|what\s+(?:topics|subjects)\s+does\s+(?<topics>.{3,80}?)\s+(?:cover|deal\s+with)|what\s+kind\s+of\s+(?:document|file)\s+is\s+(?<kind>.{3,80}?)|worum\s+geht\s+es\s+(?:in|bei)\s+(?<worum>.{3,80}?)|wovon\s+handelt\s+(?<wovon>.{3,80}?))\W*$`,
  'i',
)

/** All documents, or documents on a topic, which a passage need only mention, or documents with a name. */
export interface Overview {
  readonly topic?: string
  readonly isMention?: boolean
  readonly called?: string
}

/** Returns what a question about the documents asks for: all of them, a topic or a name. */
export function parseOverview(question: string): Overview | undefined {
  if (ALL.test(question)) return {}
  const { topic, isWord } = ABOUT_PATTERN.exec(question)?.groups ?? {}
  if (topic !== undefined) return { topic, isMention: isWord !== undefined }
  const called = Object.values(ONE.exec(question)?.groups ?? {}).find((name) => name !== undefined)
  return called === undefined ? undefined : { called }
}

/** Documents whose name without extension contains these words and few others. */
export function findDocumentsByName<T extends Pick<DocumentRecord, 'name'>>(
  called: string,
  documents: readonly T[],
): T[] {
  const wanted = searchTerms(called.replace(FILE_ENDING, '').replaceAll(/[_.-]/g, ' '))
  return documents.filter(({ name }) => {
    const has = searchTerms(name.split(/[/\\]/).at(-1)!.replace(FILE_ENDING, '').replaceAll(/[_.-]/g, ' '))
    const meant = wanted.filter((term) => has.includes(term))
    return meant.length > 0 && meant.length === wanted.length && 2 * meant.length >= has.length
  })
}

const FILE_ENDING = /\.[^./\\]{1,5}$/

/** Documents with the topic in their name or among their topics. */
export function documentsOfTopic<T extends Pick<DocumentRecord, 'name' | 'topics'>>(
  topic: string,
  documents: readonly T[],
): T[] {
  const wanted = searchTerms(topic)
  return documents.filter(({ name, topics }) =>
    [name.replace(FILE_ENDING, '').replaceAll(/[_.-]/g, ' '), ...topics].some((one) => {
      const has = searchTerms(one)
      return wanted.length > 0 && wanted.every((term) => has.includes(term))
    }),
  )
}

/** The requested documents, each with its first passage and its description. */
export async function describedDocuments(
  store: KnowledgeStore,
  scope: OwnerScope,
  documents: readonly DocumentRecord[],
  { topic, isMention = false, called }: Overview,
): Promise<readonly { readonly hit: Hit; readonly description: string }[]> {
  const named = called === undefined ? documents : findDocumentsByName(called, documents)
  const chosen = topic === undefined ? named : await documentsOn(topic, isMention, store, scope, named)
  const openings = await Promise.all(
    chosen.slice(0, MAX_DOCUMENTS).map(async (document) => {
      const [chunk] = await store.chunks(scope, document.documentId, 0, 0)
      if (chunk === undefined) return []
      const found: Hit['document'] = document.path === undefined ? { ...document, isUpload: true } : document
      return [{ hit: { chunk, document: found, score: 1 }, description: document.description }]
    }),
  )
  return openings.flat()
}

/**
 * Documents with the topic in their name or description; if there are none, documents with a passage that contains all
 * its words.
 */
async function documentsOn(
  topic: string,
  isMention: boolean,
  store: KnowledgeStore,
  scope: OwnerScope,
  documents: readonly DocumentRecord[],
): Promise<readonly DocumentRecord[]> {
  const wanted = searchTerms(topic)
  const described = documents.filter(({ name, description, topics }) => {
    const terms = new Set(searchTerms(`${name.replaceAll(/[_.-]/g, ' ')} ${description} ${topics.join(' ')}`))
    return wanted.length > 0 && wanted.every((term) => terms.has(term))
  })
  if (described.length > 0 && !isMention) return described
  const documentIds = documents.map(({ documentId }) => documentId)
  const hits = await store.lexical(scope, topic, MAX_PASSAGES, { documentIds }, false)
  const holding = new Set(hits.filter(({ coverage }) => coverage === 1).map(({ document }) => document.documentId))
  return documents.filter(({ documentId }) => holding.has(documentId))
}
