import type { ColumnSchema, TableSchema } from '../schema.ts'
import type { Attribute } from './catalogue.ts'
import { UNIT_SUFFIXES } from './vocabulary.ts'
import { wordForms, nameWords, areSameWords } from './words.ts'

/** Column words after which `min` means minutes, not minimum, and `hour` a duration, not a time of day. */
const LASTING = /^(length|duration|time|wait|delay|runtime|drive|flight|trip|ride)$/

/**
 * Removes a unit from the end of a column name: `fee_eur` is a fee, `newsletter_yn` a newsletter. Not if another column
 * would then have the same name, or only an adjective would remain.
 */
export function withoutUnit(attribute: Attribute, beside: readonly Attribute[]): Partial<Attribute> {
  const { words, entity, column } = attribute
  const [stem, last = ''] = [words.slice(0, -1), words.at(-1)]
  const unit = unitOf(last)
  const before = stem.at(-1) ?? ''
  const isTyped = /^(yn|fla?g|ind|bool)$/.test(last) && stem.length > 0 && !areSameWords(stem, entity.words)
  if (isTyped) return beside.some((b) => areSameWords(b.words, stem)) ? {} : { words: stem, allWords: words }
  // Keep the unit of a rate (`price_per_km`), and time words that are no unit, such as a calendar year (`built_year`).
  const isBare = /^$|ed$|^per$/.test(before) || areSameWords(stem, entity.words)
  const isPoint = /^(min|hour|day|week|month|year)$/.test(last) && !LASTING.test(before)
  const isOther = column.kind !== 'number' || isPoint
  if (unit === undefined || isBare || isOther) return {}
  // The percentage of a tax is not the tax if there is a column for it, too.
  const isRival = ({ words: own }: Attribute): boolean =>
    areSameWords(own, stem) ||
    (areSameWords(own.slice(0, stem.length), stem) &&
      (unit === '%' || (own.length === words.length && unitOf(own.at(-1) ?? '') !== undefined)))
  const isShared = beside.some((b) => b !== attribute && isRival(b))
  return isShared ? {} : { words: stem, unit, allWords: words }
}

/** The unit that the last word of a column name denotes. */
export function unitOf(word: string): string | undefined {
  return [...wordForms(word)].map((form) => UNIT_SUFFIXES[form]).find((unit) => unit !== undefined)
}

/**
 * The prefix of a table's column names, derived from its key: `eq` for the key `eqno` if other columns have it, too.
 */
export function shortForm({ columns }: TableSchema): string | undefined {
  const keys = columns.filter((c) => c.primaryKey)
  const short = keys.length === 1 ? /^([a-z]{2,6})(?:id|no|num|nr|key|code)$/.exec(keys[0]?.name ?? '')?.[1] : undefined
  return columns.filter((c) => short !== undefined && c.name.startsWith(short)).length > 1 ? short : undefined
}

/** `eqcat` in a table with the key `eqno`: the category of its rows. */
export function withoutShort(
  { name }: ColumnSchema,
  short: string | undefined,
  owner: readonly string[],
): readonly string[] | undefined {
  const rest = short !== undefined && name.startsWith(short) ? name.slice(short.length) : ''
  return /^[a-z]{2,}$/.test(rest) ? [...owner, ...nameWords(rest)] : undefined
}
