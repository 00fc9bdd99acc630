import { termsOfName } from '../../agents/rag/shelf.ts'
import type { DocumentRecord } from '../../documents/types.ts'

const DOCS = String.raw`(?:all\s+)?(?:my|our|the|these|those)\s+(?:documents?|docs?|files?|papers?)`
/** Questions about all documents, not about their content. */
const ALL = new RegExp(
  String.raw`^\W*(?:what\s+(?:are|is\s+in)\s+${DOCS}(?:\s+about)?|what\s+do\s+${DOCS}\s+(?:cover|contain|talk\s+about|deal\s+with)|(?:what|which)\s+(?:documents|docs|files)\s+(?:do\s+(?:i|we|you)\s+have|are\s+there)|(?:list|show|describe|summari[sz]e)\s+(?:me\s+)?${DOCS})\W*$`,
  'i',
)
/** A question about one document, by its name: “What is the returns policy about?”. */
const ONE =
  /^\W*(?:what\s+is\s+(?:in\s+)?(?:the\s+)?(.{3,80}?)\s+about|worum\s+geht\s+es\s+(?:in|bei)\s+(.{3,80}?)|wovon\s+handelt\s+(.{3,80}?))\W*$/i

/** The documents that a question about documents themselves means; undefined for a question about their content. */
export function documentsMeant(
  question: string,
  documents: readonly DocumentRecord[],
): readonly DocumentRecord[] | undefined {
  if (ALL.test(question)) return documents
  const called = ONE.exec(question)
    ?.slice(1)
    .find((name) => name !== undefined)
  if (called === undefined) return undefined
  const wanted = nameTerms(called)
  const found = documents.filter(({ name }) => {
    const terms = nameTerms(name.split(/[/\\]/).at(-1)!)
    return wanted.length > 0 && wanted.every((term) => terms.includes(term)) && 2 * wanted.length >= terms.length
  })
  return found.length === 0 ? undefined : found
}

function nameTerms(name: string): readonly string[] {
  return termsOfName(name.replace(/\.[^./\\]{1,5}$/, ''))
}
