import type { Table } from '../../core/table.ts'
import { numeric } from './derive.ts'
import { wordsOf } from './evidence.ts'
import type { Reading } from './printed.ts'
import type { RowsNamed } from './labels.ts'
import { PART } from './parts.ts'
import type { NumberFigure } from './read.ts'
import { LESS, MORE } from './row-words.ts'
import { columnsIn, isPrinted } from './rows.ts'

/** Places of an order, by the words that stand before and behind them. */
const AHEAD = String.raw`(?:all|every|each|any|the rest|the others|everyone|everybody|the field)`
const OTHERS = String.raw`(?:in |that of |those of )?(?:(?:any|all|every|each)(?: of)?(?: the)? others?|any(?:one|body|where)? else|every(?:one|body) else|any \p{L}+ else|(?:all )?the rest)`
const MOST = new RegExp(
  String.raw`(?<!\p{L})(?:most|highest|largest|biggest|greatest|best|strongest|maximum|top|meisten|höchste\p{L}*|größte\p{L}*|stärkste\p{L}*|beste\p{L}*|(?:leads?|led|leading)(?= (?:in|by|with|the|on|all)(?!\p{L})|\W*$)|leader|winner(?= (?:in|by|is)(?!\p{L})|\W*$)|front-?runner|dominat\p{L}*|(?:in|takes|took|holds?|has|had) the lead|(?:tops?|topped|heads?|headed) the (?:list|ranking|table|field)|number one|(?:out )?in front(?! of)|unbeaten|unmatched|(?<!the )first place|second to none|(?:ahead of|outperforms?|outdoes) ${AHEAD}|(?:${MORE})(?: \p{L}+){0,3}? than ${OTHERS}|(?:exceed(?:s|ed)|beats?|surpass(?:es|ed)) ${AHEAD}|first (?:in|by) [\p{L} ]{1,40} (?:is|was|comes|came)|(?:nobody|none)(?: else)? (?:comes?|came) close to)(?!\p{L})|#1(?!\d)`,
  'iu',
)
const LEAST = new RegExp(
  String.raw`(?<!\p{L})(?:least|fewest|lowest|smallest|worst|weakest|poorest|minimum|wenigsten|niedrigste\p{L}*|kleinste\p{L}*|schwächste\p{L}*|schlechteste\p{L}*|(?<!the )last place|(?:${LESS})(?: \p{L}+){0,3}? than ${OTHERS}|last (?:in|by) [\p{L} ]{1,40} (?:is|was|comes|came)|trailing(?= (?:in|by|all|the)(?!\p{L}))|(?:is|was|are|comes?|came|ranks?|ranked|finish(?:es|ed)|placed) (?:in )?last(?= (?:place|in|by|with|of|on)(?!\p{L})|\W*$)|(?:at|is|was) the bottom|brings? up the rear|(?:trails?|(?:lags?|is) behind) ${AHEAD})(?!\p{L})`,
  'iu',
)
const NO_EXTREME =
  /(?<!\p{L})(?:at (?:most|least|best|worst)|most of|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th)|next|\d|two|three|four|five|ten)[ -](?:most|highest|largest|biggest|greatest|best|strongest|lowest|smallest|worst|weakest|poorest|\p{L}+ (?:most|best))|(?<!\p{L})(?:at (?:most|least)|an? (?:minimum|maximum) of)(?!\p{L})|(?:top|best|bottom) (?:\d|two|three|four|five|ten)/iu

/** “The best genre has 835 tracks”: without a name, the words still say which row; not “the two best”, “at most”. */
export function extremeIn(clause: string): 'most' | 'least' | undefined {
  if (NO_EXTREME.test(clause) || MOST.test(clause) === LEAST.test(clause)) return undefined
  return MOST.test(clause) ? 'most' : 'least'
}

/** Words that make no claim of it, or one of more than a single row. */
const NO_CLAIM =
  /(?<!\p{L})(?:not|never|no|nor|neither|hardly|one of|among|after|except|besides|if|whether|almost|nearly|nicht|kein\p{L}*)(?!\p{L})|n['’]t(?!\p{L})|\?/iu
/** “Largest regions”: of several. */
const OF_SEVERAL =
  /(?<!\p{L})(?:largest|biggest|best|top|worst|smallest|greatest|highest|lowest) \p{Ll}{2,30}s(?<!ss)(?!\p{L})/u
/** “Most recent” is of something else, unless a column is called so. */
const MOST_OF = /(?<!\p{L})(?:most|least) (\p{Ll}{3,30})/u
const MEASURED =
  /^(?:popular|expensive|valuable|profitable|frequent|common|productive|successful|money|overall|\p{Ll}+s)$/u

/** Who leads may have the most or the least of what is better the less there is of it. */
const LEADS =
  /(?<!\p{L})(?:lead\p{L}*|led|tops?|topped|heads?|headed|first|front\p{L}*|winner(?= (?:in|by|is)(?!\p{L})|\W*$)|ahead|last|bottom|rear|behind|number one)(?!\p{L})|#1/iu
export const BETTER_LESS =
  /cost|expens|time|duration|delay|error|complain|return|churn|price|days|age|defect|loss|ticket|late|cancel|fail|debt|overdue|absen|kosten|fehler|dauer/i

/** What is good or bad may be much or little, but for what is better the more there is of it. */
const VALUED = /(?<!\p{L})(?:best|worst|poorest|beste\p{L}*|schlechteste\p{L}*)(?!\p{L})/iu
const GOOD = new Set(
  'revenue sales turnover profit income earnings margin orders customers members visits signups growth salary umsatz gewinn bestellungen kunden'
    .split(' ')
    .flatMap(wordsOf),
)

function isClaim(table: Table, text: string): boolean {
  if (extremeIn(text) === undefined || NO_CLAIM.test(text)) return false
  const what = MOST_OF.exec(text)?.[1]
  const isColumn = table.columns.some((column) => wordsOf(column).some((word) => word === wordsOf(what ?? column)[0]))
  return isColumn || !(OF_SEVERAL.test(text) || (what !== undefined && !MEASURED.test(what)))
}

/** Whether it is what stands at the end of the column that the clause speaks of; what is best may be either. */
export function isEnd({ rows }: Table, column: string, clause: string, figure: NumberFigure | Reading): boolean {
  const known = rows.flatMap((row) => numeric(row[column]) ?? [])
  if (known.length === 0) return false
  const ends = [Math.max(...known), Math.min(...known)]
  const isGood = wordsOf(column).some((word) => GOOD.has(word))
  const isEither = (VALUED.test(clause) && !isGood) || (LEADS.test(clause) && BETTER_LESS.test(column))
  const sought = isEither ? ends : [ends[extremeIn(clause) === 'least' ? 1 : 0]!]
  return sought.some((end) => ('readings' in figure ? isPrinted(end, figure) : end === figure.value))
}

const HEAD =
  /^\s*(?:by|in|at|with|ahead|leading|out|for|on|nach|when it comes)(?!.*(?<!\p{L})(?:is|are|was|were|has|have|had)(?!\p{L}))[^_]{1,60},\s*$/iu

/** “West made the most revenue”, of a row that stands at no end of a column: as it is said, by what is named. */
export function extremesIn(named: RowsNamed): { readonly said: string; readonly isWrong: boolean }[] {
  const { table, rest } = named
  return named.parts(PART).flatMap((part, i, parts) => {
    const head = i === 1 ? rest.slice(...parts[0]!) : ''
    // “By orders, West leads”, “out in front in orders, West has 9”.
    const text = (HEAD.test(head) ? head : '') + rest.slice(...part)
    // Of a pronoun, where no row is named.
    const called = named.rows.length > 0 ? named.rowsIn(part) : named.together
    const [row, ...more] = isClaim(table, text) ? called : []
    if (row === undefined || more.length > 0) return []
    const columns = columnsIn(table, text).filter((column) => numeric(row[column]) !== undefined)
    if (columns.length === 0) return []
    const isWrong = !columns.some((column) => {
      const value = numeric(row[column])!
      return isEnd(table, column, text, { value, from: value, to: value })
    })
    return [{ said: named.textOf(part), isWrong }]
  })
}
