/** What a question says about where to look, and the question without it. */
export interface FilterWords {
  readonly question: string
  /** As `search` of the knowledge store reads them: `doc_type`, `date_range`. */
  readonly entities: { readonly doc_type?: string; readonly date_range?: string | { readonly from: string } }
}

const FILES = 'documents?|docs?|files?|sheets?|dokumente?n?|dateien?'
const KIND = new RegExp(
  String.raw`\b(pdf|word|excel|powerpoint|markdown|csv|html|text|docx|xlsx|pptx|epub)[\s-]?(?=(?:${FILES})\b)|\b(pdf|csv)s\b`,
  'i',
)

/** Names of months in both languages, by their English name. */
const MONTHS = new Map(
  Array.from({ length: 12 }, (_, month) => {
    const [english, german] = ['en', 'de'].map((locale) =>
      new Date(2000, month, 15).toLocaleString(locale, { month: 'long' }),
    ) as [string, string]
    return [english, german].map((name) => [name.toLowerCase(), { name: english, number: month + 1 }] as const)
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
 * Reads “PDF documents”, “since March”, “documents from 2026”, in English and German. A file name, a topic, a section and “in the
 * PDF” are read by the search itself.
 * @param today YYYY-MM-DD: a month without a year is the last one
 */
export function readFilterWords(question: string, today: string): FilterWords {
  const [, kind, kinds] = KIND.exec(question) ?? []
  const since = SINCE.exec(question)
  const range = since === null ? undefined : rangeOf(since, today)
  const docType = (kind ?? kinds)?.toLowerCase()
  const withoutTime = range === undefined ? question : question.replace(SINCE, '')
  const rest = withoutTime.replace(KIND, (_, before: string | undefined) => (before === undefined ? 'documents' : ''))
  return {
    question: rest.replace(OF_ALL, '').trim(),
    entities: {
      ...(docType === undefined ? {} : { doc_type: docType }),
      ...(range === undefined ? {} : { date_range: range }),
    },
  }
}

function rangeOf([whole, month, year]: RegExpExecArray, today: string): string | { readonly from: string } | undefined {
  const named = month === undefined ? undefined : MONTHS.get(month.toLowerCase())
  if (named === undefined && year === undefined) return undefined
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number]
  const day =
    named === undefined ? year! : `${named.name} ${year ?? (named.number > thisMonth ? thisYear - 1 : thisYear)}`
  return /^(?:since|seit)/i.test(whole) ? { from: day } : day
}
