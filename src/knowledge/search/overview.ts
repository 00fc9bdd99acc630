import type { DocumentRecord, Hit, KnowledgeStore } from '../types.ts'
import { searchTerms } from './analysis.ts'

/** Documents that are told of at once, and passages that are looked at for what they are about. */
const MOST_DOCUMENTS = 20
const MOST_PASSAGES = 1_000

const DOCS = '(?:documents?|docs?|files?|papers?)'
const MINE = String.raw`(?:(?:all\s+)?(?:(?:of\s+)?(?:my|our|the|these|those)\s+))`
/** What asks for the documents as such, and for no passage of them. */
const ALL = new RegExp(
  String.raw`^\W*(?:what\s+(?:are|is)\s+(?:in\s+)?${MINE}${DOCS}(?:\s+(?:all\s+)?about)?|(?:what|which)\s+${DOCS}\s+(?:do\s+(?:i|we|you)\s+have|are\s+there|were\s+added|are\s+in\s+the\s+library)|what\s+do\s+${MINE}${DOCS}\s+(?:cover|contain|talk\s+about|deal\s+with)|(?:list|show|describe|summari[sz]e|give\s+(?:me\s+)?an\s+overview\s+of)\s+(?:me\s+)?${MINE}${DOCS})\W*$`,
  'i',
)
const ABOUT = new RegExp(
  String.raw`^\W*(?:which|what)\s+(?:(?:one\s+)?${MINE}${DOCS}|${DOCS}|of\s+${MINE}${DOCS})\s+(?:(?:is|are)\s+(?:about|on)|talks?\s+about|speaks?\s+(?:of|about)|deals?\s+with|covers?|(?<isWord>mentions?))\s+(?<topic>.+?)\W*$`,
  'i',
)

/** All documents, or those on a topic; for a mention a passage is enough. */
export interface Overview {
  readonly topic?: string
  readonly isMention?: boolean
}

/** Whether a question is about the documents as such: all of them, or those about a topic. */
export function overviewAsked(question: string): Overview | undefined {
  if (ALL.test(question)) return {}
  const { topic, isWord } = ABOUT.exec(question)?.groups ?? {}
  return topic === undefined ? undefined : { topic, isMention: isWord !== undefined }
}

/** The documents that are asked for, each by its first passage, with what it is said to be. */
export async function describedDocuments(
  store: KnowledgeStore,
  owner: string,
  documents: readonly DocumentRecord[],
  { topic, isMention = false }: Overview,
): Promise<readonly { readonly hit: Hit; readonly description: string }[]> {
  const chosen = topic === undefined ? documents : await documentsOn(topic, isMention, store, owner, documents)
  const openings = await Promise.all(
    chosen.slice(0, MOST_DOCUMENTS).map(async (document) => {
      const [chunk] = await store.chunks(owner, document.documentId, 0, 0)
      return chunk === undefined ? [] : [{ hit: { chunk, document, score: 1 }, description: document.description }]
    }),
  )
  return openings.flat()
}

/** Those that are called or described so; where none is, those with a passage that has all words of the topic. */
async function documentsOn(
  topic: string,
  isMention: boolean,
  store: KnowledgeStore,
  owner: string,
  documents: readonly DocumentRecord[],
): Promise<readonly DocumentRecord[]> {
  const wanted = searchTerms(topic)
  const described = documents.filter(({ name, description }) => {
    const said = new Set(searchTerms(`${name.replaceAll(/[_.-]/g, ' ')} ${description}`))
    return wanted.length > 0 && wanted.every((term) => said.has(term))
  })
  if (described.length > 0 && !isMention) return described
  const documentIds = documents.map(({ documentId }) => documentId)
  const hits = await store.lexical(owner, topic, MOST_PASSAGES, { documentIds }, false)
  const holding = new Set(hits.filter(({ coverage }) => coverage === 1).map(({ document }) => document.documentId))
  return documents.filter(({ documentId }) => holding.has(documentId))
}
