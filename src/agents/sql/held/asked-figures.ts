import { ASKING_WORDS, plainWords } from '../../../language/asking-words.ts'
import { sameWord } from '../../../terms/words.ts'

/** What people call a figure, and how a query computes it. An average of totals is an average. */
const TOTAL = [/\b(?:total|sum)\b/i, /\b(?:SUM|TOTAL|COUNT)\s*\(/i] as const
const FIGURES: readonly (readonly [said: RegExp, computed: RegExp])[] = [
  [/\b(?:average|mean|avg)\b/i, /\bAVG\s*\(|\/|\bMEDIAN\b|\bPERCENTILE/i],
  [/\bmedian\b/i, /\bMEDIAN\b|\bPERCENTILE|\bROW_NUMBER\b|\bOFFSET\b|\bNTILE\b/i],
  [/\b(?:share|percentage|percent|proportion)\b/i, /\/|\bAVG\s*\(|\bPERCENT_RANK\b/i],
  [/\b(?:how many|(?:number|count) of)\b/i, /\b(?:COUNT|SUM|TOTAL)\s*\(/i],
  TOTAL,
]
const AGGREGATE = /\b(?:COUNT|SUM|AVG|MIN|MAX|TOTAL)\s*\(/gi
/** “The highest total” may be one that is stored. */
const RANKED = /\b(?:most|least|highest|lowest|biggest|largest|smallest|best|worst|top|maximum|minimum|max|min)\b/i
const FURTHER =
  /,?\s+and\s+(?=(?:also\s+)?(?:the\s+|an?\s+)?(?:how many|average|mean|median|number of|count of|total|sum|share|percentage)\b)/i

/**
 * The parts of a question that ask for a figure which a query does not compute. A query without aggregates reads what is
 * stored, of which nothing can be said.
 */
export function unaskedFigures(clauses: readonly string[], sql: string): { parts: readonly string[]; isAll: boolean } {
  const calls = sql.match(AGGREGATE)?.length ?? 0
  const asked = clauses
    .flatMap((clause) => clause.split(FURTHER))
    .flatMap((part) => {
      const figure = FIGURES.find(([said]) => said.test(part))
      return figure === undefined || (figure === TOTAL && RANKED.test(part)) ? [] : [{ part, computed: figure[1] }]
    })
  if (calls === 0 || asked.length === 0) return { parts: [], isAll: false }
  const missing = asked.filter(({ computed }) => !computed.test(sql))
  // Two of a kind: “how many customers and how many orders”.
  const isOneShort = calls < asked.length && missing.length === 0 && !/\bGROUP BY\b|\bUNION\b/i.test(sql)
  const names = plainWords(sql.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' '))
  const isNamed = ({ part }: { part: string }): boolean => {
    const nouns = plainWords(part).filter((word) => word.length > 3 && !ASKING_WORDS.includes(word))
    return nouns.length === 0 || nouns.some((noun) => names.some((name) => sameWord(name, noun)))
  }
  const left = isOneShort ? asked.filter((one) => !isNamed(one)) : missing
  return { parts: left.map(({ part }) => part.replace(/[\s.?!]+$/, '')), isAll: left.length === asked.length }
}
