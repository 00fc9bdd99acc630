import type { ColumnSchema, TableSchema } from '../schema.ts'
import type { Attribute } from './catalogue.ts'
import { UNIT_SUFFIXES } from './vocabulary.ts'
import { forms, nameWords, sameWords } from './words.ts'

/** `min` is a unit of time and no minimum, `hour` is one and none of a day. */
const LASTING = /^(length|duration|time|wait|delay|runtime|drive|flight|trip|ride)$/

/** `fee_eur` is a fee, `newsletter_yn` says newsletter; not where that would take what sets it apart from a column beside it, or leave an adjective. */
export function withoutUnit(attribute: Attribute, beside: readonly Attribute[]): Partial<Attribute> {
  const { words, entity, column } = attribute
  const [stem, last = ''] = [words.slice(0, -1), words.at(-1)]
  const unit = unitOf(last)
  const before = stem.at(-1) ?? ''
  const isTyped = /^(yn|fla?g|ind|bool)$/.test(last) && stem.length > 0 && !sameWords(stem, entity.words)
  if (isTyped) return beside.some((b) => sameWords(b.words, stem)) ? {} : { words: stem, allWords: words }
  // Of a rate, `price_per_km`, it says per what; a calendar's year, `built_year`, is counted in nothing.
  const isBare = /^$|ed$|^per$/.test(before) || sameWords(stem, entity.words)
  const isPoint = /^(min|hour|day|week|month|year)$/.test(last) && !LASTING.test(before)
  const isOther = column.kind !== 'number' || isPoint
  if (unit === undefined || isBare || isOther) return {}
  // The percentage of a tax is not the tax, where that is there, too.
  const isRival = ({ words: own }: Attribute): boolean =>
    sameWords(own, stem) ||
    (sameWords(own.slice(0, stem.length), stem) &&
      (unit === '%' || (own.length === words.length && unitOf(own.at(-1) ?? '') !== undefined)))
  const isShared = beside.some((b) => b !== attribute && isRival(b))
  return isShared ? {} : { words: stem, unit, allWords: words }
}

/** The unit that a word at the end of a column's name means. */
export function unitOf(word: string): string | undefined {
  return [...forms(word)].map((form) => UNIT_SUFFIXES[form]).find((unit) => unit !== undefined)
}

/** How the names of a table's columns begin, going by its key: `eq` where that is `eqno`, and other columns begin so, too. */
export function shortForm({ columns }: TableSchema): string | undefined {
  const keys = columns.filter((c) => c.primaryKey)
  const short = keys.length === 1 ? /^([a-z]{2,6})(?:id|no|num|nr|key|code)$/.exec(keys[0]?.name ?? '')?.[1] : undefined
  return columns.filter((c) => short !== undefined && c.name.startsWith(short)).length > 1 ? short : undefined
}

/** `eqcat` of a table whose key is `eqno`: the category of its rows. */
export function withoutShort(
  { name }: ColumnSchema,
  short: string | undefined,
  owner: readonly string[],
): readonly string[] | undefined {
  const rest = short !== undefined && name.startsWith(short) ? name.slice(short.length) : ''
  return /^[a-z]{2,}$/.test(rest) ? [...owner, ...nameWords(rest)] : undefined
}
