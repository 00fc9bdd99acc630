import { ruleText } from '../../../core/rule-text.ts'
import { lastDayOf, timesIn } from '../../../language/periods.ts'
import { isQuestionWord, leadOf } from '../../../language/clause-starts.ts'

/** A span of days, both ends included, as ISO dates. A missing end is open. */
export interface DateRange {
  readonly from?: string
  readonly to?: string
}

/**
 * What a question is about, beyond its words (SPEC R1). A planner gives each task those that its text speaks of.
 * `date_range` holds ISO dates, both ends included.
 */
export interface Entities {
  readonly date_range?: DateRange
  /** `pdf`, `docx`, `xlsx`, `csv`, `md`, `txt` or `html`. */
  readonly doc_type?: string
  readonly metric?: string
  /** Proper names and quoted words. */
  readonly names?: readonly string[]
  readonly emails?: readonly string[]
  readonly [other: string]: unknown
}

const DOC_TYPES: readonly (readonly [RegExp, string])[] = [
  [/\bpdfs?\b/i, 'pdf'],
  [/\b(?:docx?|word (?:document|file)s?)\b(?! policy)/i, 'docx'],
  [/\b(?:xlsx?|excel|spreadsheets?|workbooks?)\b/i, 'xlsx'],
  [/\bcsvs?\b/i, 'csv'],
  [/\b(?:markdown|\.md)\b/i, 'md'],
  [/\b(?:txt|text files?)\b/i, 'txt'],
  [/\bhtml?\b/i, 'html'],
]

const METRICS =
  /\b(?:net |gross |total |average |operating )?(?:revenue|sales|turnover|profit(?: margin)?|margin|costs?|prices?|spend(?:ing)?|budget|growth(?: rate)?|headcount|churn|conversion rate|stock level|lead time|refunds?|discounts?|salary|salaries|forecast)\b/i

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const QUOTED = /"([^"\n]{1,80})"|“([^”\n]{1,80})”|‘([^’\n]{1,80})’/g
/** Words with a capital that are nobody's name. */
const NO_NAME =
  /^(?:I|I'm|I'd|I've|Q[1-4]|H[12]|Python|SQL|AND|OR|PDFs?|CSV|Excel|Word|JSON|API|URL|TV|USD|EUR|GBP|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?s?$|^(?:January|February|March|April|May|June|July|August|September|October|November|December)$/
const NAME = /\p{Lu}[\p{L}\p{N}&'’-]*(?:\s+(?:(?:of|de|van|von|the)\s+)?\p{Lu}[\p{L}\p{N}&'’-]*)*/gu

/** Entities by rules: dates, kinds of documents, names, addresses, a metric. `today` is YYYY-MM-DD. */
export function entitiesIn(whole: string, today: string | undefined): Entities {
  const text = ruleText(whole)
  const range = today === undefined ? undefined : rangeOf(text, today)
  const withoutFileNames = text.replaceAll(/[\w-]+\.\w{2,4}\b/g, '')
  const docType = DOC_TYPES.find(([pattern]) => pattern.test(withoutFileNames))?.[1]
  const metric = METRICS.exec(text)?.[0].toLowerCase()
  const emails = [...new Set(text.match(EMAIL) ?? [])]
  const names = namesIn(text.replaceAll(EMAIL, ' '))
  return {
    ...(range === undefined ? {} : { date_range: range }),
    ...(docType === undefined ? {} : { doc_type: docType }),
    ...(metric === undefined ? {} : { metric }),
    ...(names.length === 0 ? {} : { names }),
    ...(emails.length === 0 ? {} : { emails }),
  }
}

/** The one period of a text as an entity. Of several, or beside one that is unclear, none is the one that is meant. */
export function rangeOf(text: string, today: string): DateRange | undefined {
  const [found, ...others] = timesIn(text, today)
  if (found === undefined || 'reason' in found || others.length > 0) return undefined
  const to = lastDayOf(found)
  return { ...(found.from === undefined ? {} : { from: found.from }), ...(to === undefined ? {} : { to }) }
}

/** Quoted words and proper names. */
export function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].map(([, a, b, c]) => (a ?? b ?? c ?? '').trim())
  const unquoted = text.replaceAll(QUOTED, ' ')
  const lead = leadOf(unquoted)
  const proper = [...unquoted.matchAll(NAME)].flatMap(({ 0: found, index }) => {
    const words = found.split(/\s+/)
    // The first word of a sentence has a capital whatever it is.
    const opens = /(?:^|[.?!:\n])\s*$/.test(unquoted.slice(0, index))
    if (opens || words[0]!.toLowerCase() === lead || isQuestionWord(words[0]!.toLowerCase())) words.shift()
    while (/^\p{Ll}/u.test(words[0] ?? '')) words.shift()
    const name = words.join(' ').replace(/['’]s$/, '')
    return name === '' || NO_NAME.test(name) || (/^\p{Lu}+$/u.test(name) && name.length < 2) ? [] : [name]
  })
  return [...new Set([...quoted, ...proper])].filter((name) => name !== '')
}

/**
 * The entities that concern one task: those of its own text, and of the whole question those that it names, or that no
 * task names. A period that belongs to one part must not narrow the search of another.
 */
export function entitiesFor(
  text: string,
  whole: Entities,
  others: readonly string[],
  today: string | undefined,
): Entities {
  const own = entitiesIn(text, today)
  const shared = Object.fromEntries(
    Object.entries(whole).flatMap(([key, value]) => {
      const mine = mentionedIn(text, key, value, today)
      if (mine !== undefined) return [[key, mine]]
      return others.some((other) => mentionedIn(other, key, value, today) !== undefined) ? [] : [[key, value]]
    }),
  )
  return { ...shared, ...own }
}

/** The part of an entity that a text speaks of. */
function mentionedIn(text: string, key: string, value: unknown, today: string | undefined): unknown {
  if (key === 'date_range') return today !== undefined && rangeOf(text, today) !== undefined ? value : undefined
  if (Array.isArray(value)) {
    const named = value.filter((one) => mentions(text, one))
    return named.length === 0 ? undefined : named
  }
  return mentions(text, value) ? value : undefined
}

function mentions(text: string, value: unknown): boolean {
  return typeof value === 'string' && text.toLowerCase().includes(value.toLowerCase())
}
