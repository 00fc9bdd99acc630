import type { Condition, Effects } from '../../../databases/gate/index.ts'
import type { Terms } from '../../../terms/terms.ts'
import { NO, YES } from '../../../terms/flag-values.ts'
import { sameWord } from '../../../terms/words.ts'
import type { KnownWords } from '../../../question-to-sql/parse/known-words.ts'

const OF_PAIRS = /\b(?:pairs?|combin\w+|each|every|cross|possible)\b/i
const OF_ALL = /\b(?:total|all|overall|altogether|everything|compar\w+|versus|vs|and)\b/i
const OF_PLACES = /\b(?:rank\w*|place|position|other|others|more|next|missing|times|double|half|percent\w*)\b/i
const TRUTHS: ReadonlySet<string> = new Set([...YES, ...NO].map((one) => one.toLowerCase()))

/** What a query adds of its own to which rows it takes. */
export interface AddedRows {
  /** Conditions that nobody named, as sentences. */
  readonly notes: readonly string[]
  /** Alternatives by which all rows are taken, whatever the others say. */
  readonly voids: readonly string[]
}

/**
 * Conditions of a query that stand for no word of its question, or for one that only its writer understands: “how many women”,
 * where the table has an F.
 * @param asked whether a text is made of words of the question, and whether it names days
 */
export function addedIn(
  known: KnownWords,
  { conditions, aggregates }: Effects,
  { isSaid, isDated }: { readonly isSaid: (value: string) => boolean; readonly isDated: boolean },
  terms: Terms | undefined,
): AddedRows {
  const { tokens, catalogue } = known
  const voids = conditions.flatMap((one) => (isAround(one, conditions) ? [shown(one)] : []))
  const { tables = {}, metrics = {}, verified = [] } = terms ?? {}
  const byTerms = JSON.stringify([
    Object.values(tables).map(({ where }) => where),
    Object.values(metrics).map(({ where, value }) => [where, value]),
    verified.map(({ sql }) => sql),
  ]).toLowerCase()
  const numbers = tokens.flatMap(({ value }) => (value === undefined ? [] : [Number(value)]))
  const own = conditions.filter(({ columns, isFilter, values, operator }) => {
    const isOwn = isFilter && columns.length === 1 && (values.length > 0 || operator === 'not null')
    return isOwn && !namesColumn(known, columns[0]!) && !byTerms.includes(columns[0]!)
  })
  const isUnsaidText = (value: Condition['values'][number]): boolean =>
    typeof value === 'string' && /\p{L}/u.test(value) && !/[%*\d]/.test(value) && !isSaid(value)
  /** “B%” begins no word of the question. */
  const isUnsaidPattern = (value: Condition['values'][number]): boolean => {
    const part = /^%?([^%_]+)%?$/.exec(String(value))?.[1]?.toLowerCase() ?? ''
    const isPattern = String(value).includes('%') && /^\p{L}+$/u.test(part)
    return isPattern && !tokens.some(({ lower }) => lower.startsWith(part) || part.startsWith(lower))
  }
  const isNear = (value: number): boolean => numbers.some((number) => Math.abs(number - value) <= 1)
  /** From a number on, or from a day on, where none of these was said. */
  const isUnsaidRange = ({ operator, values }: Condition): boolean =>
    (/^[<>]=?$/.test(operator) || (operator === '<>' && !values.includes(0))) &&
    values.every((value) =>
      typeof value === 'number'
        ? !isNear(value)
        : typeof value === 'string' &&
          /^(?:19|20)\d\d(?:-\d\d)*/.test(value) &&
          !isDated &&
          !isNear(Number(value.slice(0, 4))),
    )
  const isTruth = (value: Condition['values'][number]): boolean => TRUTHS.has(String(value).toLowerCase())
  const isFlagOf = ({ columns }: Condition): boolean =>
    catalogue.entities.some(({ attributes }) =>
      attributes.some(
        ({ column, words, isKey }) =>
          column.name.toLowerCase() === columns[0] &&
          !isKey &&
          (column.kind === 'boolean' || /^(?:is|has)$/.test(words[0] ?? '') || /^(?:is|has)_/i.test(column.name)),
      ),
    )
  const notes = own.filter((one) => {
    if (one.isOut) return false
    if (one.isAlternative) return one.operator === '=' && one.values.length > 0 && one.values.every(isUnsaidText)
    if (one.operator === 'not null') return !aggregates.some(({ columns }) => columns.includes(one.columns[0]!))
    const isEqual = ['=', '<>'].includes(one.operator)
    if (isEqual && one.values.every(isTruth) && isFlagOf(one)) return true
    // That cancelled sales do not count need not be said.
    const isKept = one.operator === '=' && one.values.length > 0
    return (isKept && (one.values.every(isUnsaidText) || one.values.every(isUnsaidPattern))) || isUnsaidRange(one)
  })
  const groups = conditions.filter(
    (one) => one.isFilter && one.columns.length === 0 && one.values.length === 1 && !isOfAll(one) && isUnsaidRange(one),
  )
  const beside = own.filter(
    ({ operator, values, branchOf }) =>
      branchOf !== undefined &&
      /[<>]/.test(operator) &&
      operator !== '<>' &&
      values.every((value) => typeof value === 'number' && !isNear(value)),
  )
  return {
    notes: [
      ...notes.map((one) => `${one.isAlternative ? 'also' : 'only'} rows with ${shown(one)} are taken`),
      ...groups.map((one) => `only groups with a count of ${shown(one)} are taken`),
    ],
    voids: [...voids, ...beside.map(shown)],
  }
}

/** Whether a question has the words of a column. */
export function namesColumn({ tokens, catalogue }: KnownWords, name: string): boolean {
  const own = catalogue.entities.flatMap(({ attributes }) =>
    attributes.filter(({ column }) => column.name.toLowerCase() === name),
  )
  // That orders are spoken of does not name their order_date.
  return own.some(({ words, entity }) =>
    words.some(
      (word) =>
        !entity.words.some((own) => sameWord(own, word)) &&
        tokens.some(({ lower }) => sameWord(lower, word) || oppositeIn(lower) === word),
    ),
  )
}

/** “Inactive”. */
export function oppositeIn(word: string): string | undefined {
  return /^(?:in|un|non-?)(.{4,})$/.exec(word)?.[1]
}

/** A group has a row at least. */
function isOfAll({ operator, values: [value] }: Condition): boolean {
  return (operator === '>' && value === 0) || (operator === '>=' && value === 1)
}

/** Which rows a query takes twice or with any other row, and what it makes of their number. */
export function repeatedIn({ text, tokens }: KnownWords, { repeats }: Effects): string[] {
  const { unlinked, whole, factors } = repeats
  const own = factors.filter((factor) => !tokens.some(({ value }) => value === Number(factor.slice(2))))
  return [
    ...(unlinked.length === 0 || OF_PAIRS.test(text)
      ? []
      : [`the query pairs every row of ${unlinked.map((table) => `“${table}”`).join(' with every row of ')}`]),
    ...(OF_ALL.test(text) ? [] : whole.map((table) => `one part of the query takes all rows of “${table}”`)),
    ...(OF_PLACES.test(text) ? [] : own.map((factor) => `the query counts and computes “${factor}” with it`)),
  ]
}

/** One of two branches that hold of all rows between them: from 2025 on, or before 2026. */
function isAround(one: Condition, conditions: readonly Condition[]): boolean {
  if (one.branchOf === undefined || !one.operator.startsWith('<') || one.operator === '<>') return false
  return conditions.some(
    ({ branchOf, operator, columns, values }) =>
      branchOf === one.branchOf &&
      operator.startsWith('>') &&
      columns.join() === one.columns.join() &&
      columns.length > 0 &&
      values.length === 1 &&
      one.values.length === 1 &&
      typeof values[0] === typeof one.values[0] &&
      values[0]! <= one.values[0]!,
  )
}

function shown({ columns, operator, values }: Condition): string {
  return `“${`${columns.join(', ')} ${operator} ${values.join(', ')}`.trim()}”`
}
