const FILES = 'documents?|docs?|files?|sheets?|dokumente?n?|dateien?'

/** “What do the documents say about”: refers to all documents, so these words are not search terms. */
const OF_ALL = new RegExp(
  String.raw`^\W*(?:what do|was (?:sagen|steht in|steht zu|steht über))\s(?:(?:the|my|our|all|die|den|meine|meinen|unsere|unseren)\s)?(?:${FILES})\s(?:say\s)?(?:about|on|zu|zum|zur|über)\s`,
  'i',
)

/** “What does the returns policy say about”: where to look, and nothing that a sentence of it would repeat. */
const LEAD =
  /^\W*(?:what (?:do|does)\s.{1,60}?\ssay\s(?:about|on)|was (?:sagt|sagen|steht)\s.{1,60}?\s(?:zu|zum|zur|über))\s/i

/** Words that ask, which no passage need have. The search's own stop words are left out besides. */
const ASKING = /\bhow (?:many|much)\b|\b(?:get|gets|have to)\b/gi

/** What a question asks for, without the words that ask or name where to look. */
export const topicOf = (question: string): string => question.replace(LEAD, '').replace(ASKING, ' ')

/** The documents whose file names the question has, and the question without these names. */
export function readFileNames(
  asked: string,
  documents: readonly { readonly documentId: string; readonly name: string }[],
): { readonly question: string; readonly documentIds: readonly string[] } {
  const named = documents.flatMap(({ documentId, name }) => {
    const pattern = fileNamePattern(name)
    return pattern?.test(asked) === true ? [{ documentId, pattern }] : []
  })
  const question = named.reduce((rest, { pattern }) => rest.replace(pattern, ''), asked)
  return {
    question: question.replaceAll(/\s+/g, ' ').replace(OF_ALL, '').trim(),
    documentIds: named.map(({ documentId }) => documentId),
  }
}

/** Finds the file name of a document, with its ending, as a whole: `a.pdf` is not in `data.pdf`. */
function fileNamePattern(name: string): RegExp | undefined {
  const file = name.split(/[/\\]/).at(-1)!
  const escaped = file.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const isPart = String.raw`[\p{L}\p{N}_-]`
  return /\.\w{1,5}$/.test(file) ? new RegExp(`(?<!${isPart})${escaped}(?!${isPart})`, 'iu') : undefined
}
