import type { DocumentType, SearchFilter } from '../../documents/types.ts'

/** What a question says about where to look, and the question without it. */
export interface FilterWords {
  readonly question: string
  readonly filter: SearchFilter
}

const TYPES: Readonly<Record<string, DocumentType>> = {
  word: 'docx',
  excel: 'xlsx',
  powerpoint: 'pptx',
  markdown: 'md',
  text: 'txt',
}
const FILES = 'documents?|docs?|files?|sheets?|dokumente?n?|dateien?'
const KIND = new RegExp(
  String.raw`\b(?:in\s(?:the|our|my)\s)?(pdf|word|excel|powerpoint|markdown|csv|html|text|docx|xlsx|pptx|epub)[\s-]?(?=(?:${FILES})\b)|\b(pdf|csv)s\b|\bin\s(?:the|our|my)\s(pdf|excel|csv)\b`,
  'i',
)

/** Numbers of months by their names in both languages. */
const MONTHS = new Map(
  Array.from({ length: 12 }, (_, month) => {
    const [english, german] = ['en', 'de'].map((locale) =>
      new Date(2000, month, 15).toLocaleString(locale, { month: 'long' }),
    ) as [string, string]
    return [english, german].map((name) => [name.toLowerCase(), month + 1] as const)
  }).flat(),
)
const SINCE = new RegExp(
  String.raw`\b(?:since|seit|(?<=(?:${FILES})\s)(?:from|of|aus))\s(?:(${[...MONTHS.keys()].join('|')})\b)?\s?(\d{4}(?:-\d\d){0,2})?(?!\w)`,
  'i',
)

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

/**
 * Reads “PDF documents”, “in the PDF”, “since March”, “documents from 2026”, in English and German, and the file names
 * of documents.
 * @param today YYYY-MM-DD: a month without a year is the last one
 */
export function readFilterWords(
  asked: string,
  today: string,
  documents: readonly { readonly documentId: string; readonly name: string }[] = [],
): FilterWords {
  const namedDocuments = documents.filter(({ name }) => placeOf(fileName(name), asked) >= 0)
  const question = namedDocuments.reduce((rest, { name }) => withoutName(rest, fileName(name)), asked)
  const [kindOfFiles, ...kinds] = KIND.exec(question) ?? []
  const kind = kinds.find((one) => one !== undefined)?.toLowerCase()
  const since = SINCE.exec(question)
  const range = since === null ? undefined : rangeOf(since, today)
  const withoutTime = range === undefined ? question : question.replace(SINCE, '')
  const rest =
    kindOfFiles === undefined
      ? withoutTime
      : withoutTime.replace(KIND, (_, before) => (before === undefined ? 'documents' : ''))
  return {
    question: rest.replaceAll(/\s+/g, ' ').replace(OF_ALL, '').trim(),
    filter: {
      ...(namedDocuments.length === 0 ? {} : { documentIds: namedDocuments.map(({ documentId }) => documentId) }),
      ...(kind === undefined ? {} : { types: [TYPES[kind] ?? (kind as DocumentType)] }),
      ...range,
    },
  }
}

function fileName(name: string): string {
  return name.split(/[/\\]/).at(-1)!
}

/** Where a file name with an ending is in a question as a whole: `a.pdf` is not in `data.pdf`. */
function placeOf(name: string, question: string): number {
  const [wanted, text] = [name.toLowerCase(), question.toLowerCase()]
  if (!/\.\w{1,5}$/.test(wanted)) return -1
  const isPart = /[\p{L}\p{N}_-]/u
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isPart.test(text[at - 1] ?? ' ') && !isPart.test(text[at + wanted.length] ?? ' ')) return at
  }
  return -1
}

function withoutName(question: string, name: string): string {
  const at = placeOf(name, question)
  return at < 0 ? question : question.slice(0, at) + question.slice(at + name.length)
}

/** The days of “since March 2025”, “from 2025-03”, “of 2025”. */
function rangeOf([whole, month, date]: RegExpExecArray, today: string): Pick<SearchFilter, 'from' | 'to'> | undefined {
  const monthNumber = month === undefined ? undefined : MONTHS.get(month.toLowerCase())
  if (monthNumber === undefined && date === undefined) return undefined
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number]
  const [year = monthNumber !== undefined && monthNumber > thisMonth ? thisYear - 1 : thisYear, monthOfDate, day] =
    date?.split('-').map(Number) ?? []
  const first = monthNumber ?? monthOfDate
  const iso = (monthIndex: number, dayOfMonth: number) =>
    new Date(Date.UTC(year, monthIndex, dayOfMonth)).toISOString().slice(0, 10)
  const from = iso((first ?? 1) - 1, day ?? 1)
  if (/^(?:since|seit)/i.test(whole)) return { from }
  return { from, to: day === undefined ? iso(first ?? 12, 0) : from }
}
