import { isDate, isYearAttribute, entityName, withoutOwner } from '../../databases/glossary/catalogue.ts'
import type { Attribute, Catalogue, Edge, Entity } from '../../databases/glossary/catalogue.ts'
import { searchableColumns, withWords } from '../../databases/glossary/value-lookup.ts'
import { isSameWord, singular } from '../../databases/glossary/words.ts'
import { periodAt, type Period } from '../language/periods.ts'
import { tokensOf, type Token } from '../language/tokens.ts'
import { matchNames, EXACT, isNoun, PARTICIPLE, type ColumnName, type Named } from './names.ts'
import { joinWords, declineQuestion, type Lookup, type Place, type ValueHit } from './types.ts'
import { meaningAt, type Role } from './words.ts'

/** What a stretch of a question means. */
export type Item = { readonly text: string } & (
  | { readonly kind: 'word'; readonly role: Role; readonly detail?: string | undefined }
  | { readonly kind: 'comma' }
  | {
      readonly kind: 'number'
      readonly value: number
      /** As it is written, without separators: a number of JavaScript does not hold every digit. */
      readonly digits: string
    }
  | { readonly kind: 'period'; readonly period: Period }
  | { readonly kind: 'entity'; readonly entity: Entity; readonly via?: Edge | undefined }
  | { readonly kind: 'column'; readonly names: readonly ColumnName[]; readonly isNegated?: boolean }
  | { readonly kind: 'metric'; readonly name: string }
  | { readonly kind: 'value'; readonly hits: readonly ValueHit[] }
  /** “shipped”: a table, dates and values may be called so. */
  | {
      readonly kind: 'verb'
      readonly entity?: Entity | undefined
      readonly dates: readonly Attribute[]
      readonly hits: readonly ValueHit[]
    }
)

/** Words of the longest value that is looked up. */
const MAX_VALUE_WORDS = 6

/** Cuts a question into items. Every word belongs to one, or the question is refused with the words that do not. */
export async function itemsOf(
  question: string,
  catalogue: Catalogue,
  options: { readonly lookup: Lookup; readonly today: string },
): Promise<readonly Item[]> {
  const tokens = tokensOf(question)
  if (tokens.length === 0) declineQuestion('There is no question.')
  // “ON” within a sentence is a code, such as a state, and no word.
  const isCode = (text: string): boolean => /^(?!AND|OR|NOT)[A-Z]{2,3}$/.test(text) && /[a-z]/.test(question)
  const words = tokens.map(({ kind, text, lower }) => (kind !== 'word' ? '\n' : isCode(text) ? text : lower))
  const names = matchNames(catalogue, tokens)
  const values = await valuesIn(question, tokens, words, catalogue, options.lookup)
  const isChange = words.some((_, at) => meaningAt(words, at)?.role === 'change' && words[at] !== 'how')
  const items: Item[] = []
  const unknownWords: string[] = []
  let at = 0
  const textOf = (length: number): string => question.slice(tokens[at]!.start, tokens[at + length - 1]!.end)
  const push = (length: number, item: DistributedOmit<Item, 'text'>): void => {
    items.push({ text: textOf(length), ...item } as Item)
    at += length
  }
  while (at < tokens.length) {
    const token = tokens[at]!
    const last = items.at(-1)
    const isBound = last?.kind === 'word' && (last.role === 'compare' || last.role === 'top' || last.role === 'bottom')
    const period = isBound ? undefined : periodAt(tokens, at, options.today, !isChange)
    const value = values.get(at)
    const [entity, metric] = [names.entitiesAt(at), names.metricAt(at)]
    const column = withoutVerbs(names.columnsAt(at), token, catalogue)
    const meaning = meaningAt(words, at)
    const nameLength = Math.max(entity?.length ?? 0, column?.length ?? 0, metric?.length ?? 0)
    const longest = Math.max(1, nameLength, meaning?.length ?? 0, period?.length ?? 0)
    if (token.kind === 'mark') {
      if (token.text === ',') items.push({ kind: 'comma', text: ',' })
      else if (/[?!;]/.test(token.text) && at < tokens.length - 1) declineQuestion('Please ask one question at a time.')
      at++
    } else if (
      value !== undefined &&
      (value.length > longest ||
        (value.length === longest &&
          meaning === undefined &&
          isValueSooner(token, last, entity?.names[0]?.entity, column !== undefined)))
    ) {
      push(value.length, { kind: 'value', hits: value.hits })
    } else if (period !== undefined && period.length >= nameLength) {
      const { length, ...rest } = period
      push(length, { kind: 'period', period: rest })
    } else if (metric !== undefined && metric.length === nameLength && metric.length >= (meaning?.length ?? 0)) {
      if (metric.names.length > 1) declineQuestion(`“${textOf(nameLength)}” may mean ${joinWords(metric.names)}.`)
      push(nameLength, { kind: 'metric', name: metric.names[0]! })
    } else if (
      meaning !== undefined &&
      ((meaning.length > nameLength && (nameLength === 0 || meaning.role !== 'filler')) ||
        (meaning.length === nameLength &&
          isWordSooner(
            meaning.role,
            items,
            column?.names ?? [],
            meaningAt(words, at + nameLength)?.role === 'compare',
          )))
    ) {
      push(meaning.length, { kind: 'word', role: meaning.role, detail: meaning.detail })
    } else if (token.kind === 'number') {
      push(1, { kind: 'number', value: token.value!, digits: token.text.replaceAll(',', '') })
    } else {
      const verb = verbAt(
        token,
        catalogue,
        entity?.length === 1 ? entity.names[0]?.entity : undefined,
        value?.hits ?? [],
      )
      const isEntity = entity !== undefined && entity.length === nameLength
      const score = Math.max(0, ...(column?.names ?? []).map((one) => one.score))
      const isColumn =
        column !== undefined &&
        column.length === nameLength &&
        (!isEntity || (score === EXACT && (entity.names[0]?.score ?? 0) < EXACT))
      if (verb !== undefined && nameLength <= 1 && !isColumn) push(1, verb)
      else if (isColumn) push(nameLength, { kind: 'column', names: column.names })
      else if (isEntity) {
        const [one, other] = entity.names
        if (other !== undefined && other.entity !== one!.entity) {
          declineQuestion(
            `“${textOf(nameLength)}” may mean ${joinWords(entity.names.map((name) => name.entity.nouns))}.`,
          )
        }
        push(nameLength, { kind: 'entity', entity: one!.entity, via: other === undefined ? one!.via : undefined })
      } else if (value !== undefined) push(value.length, { kind: 'value', hits: value.hits })
      else if (token.value !== undefined) push(1, { kind: 'number', value: token.value, digits: String(token.value) })
      else {
        const opposite = oppositeFlag(token.lower, catalogue)
        if (opposite.length > 0) push(1, { kind: 'column', names: opposite, isNegated: true })
        else {
          unknownWords.push(token.text)
          at++
        }
      }
    }
  }
  if (unknownWords.length > 0)
    declineQuestion(
      `I do not understand ${joinWords(
        unknownWords.map((word) => `“${word}”`),
        'and',
      )}.`,
      unknownWords,
    )
  return items
}

type DistributedOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** “hired” is no column `hire_days`. */
function withoutVerbs(
  found: Named<ColumnName> | undefined,
  { lower }: Token,
  catalogue: Catalogue,
): Named<ColumnName> | undefined {
  if (found === undefined || found.length > 1 || !PARTICIPLE.test(lower)) return found
  const names = found.names.filter(({ attribute }) => attribute.words.includes(lower) || isFlag(catalogue, attribute))
  return names.length === 0 ? undefined : { ...found, names }
}

/** “total” is a sum, but a column behind “invoice” or “average”; “number” may end a column's name. */
function isWordSooner(
  role: Role,
  items: readonly Item[],
  columns: readonly ColumnName[],
  isCompared: boolean,
): boolean {
  if (role === 'filler') return columns.length === 0 || !isCompared
  const last = items.findLast((item) => !(item.kind === 'word' && item.role === 'filler'))
  if (role === 'cost')
    return isCompared || last?.kind !== 'entity' || columns.every(({ attribute }) => attribute.entity !== last.entity)
  if (role !== 'sum') return true
  return !(
    last?.kind === 'entity' ||
    last?.kind === 'metric' ||
    (last?.kind === 'word' && /^(?:avg|min|max|median|sum|superlative|compare)$/.test(last.role))
  )
}

/** A word that is a value and a name is a value when quoted, or behind the name of its column. */
function isValueSooner(token: Token, last: Item | undefined, entity: Entity | undefined, isColumn: boolean): boolean {
  if (token.kind === 'quoted' || last?.kind === 'column') return true
  // “By phone” is a value where there is one, “without a phone” is the column.
  if (isColumn && !(last?.kind === 'word' && last.role === 'by')) return false
  return entity === undefined && !/(?:ed|ing)$/.test(token.lower)
}

function verbAt(
  { kind, lower }: Token,
  { entities }: Catalogue,
  entity: Entity | undefined,
  hits: readonly ValueHit[],
): DistributedOmit<Item, 'text'> | undefined {
  if (kind !== 'word') return undefined
  const isVerb = PARTICIPLE.test(lower) || (entity !== undefined && !isNoun({ lower } as Token, entity))
  if (!isVerb || (entity !== undefined && isNoun({ lower } as Token, entity))) return undefined
  const dates = entities.flatMap(({ attributes }) =>
    attributes.filter((one) => (isDate(one) || isYearAttribute(one)) && isSameWord(withoutOwner(one)[0] ?? '', lower)),
  )
  return entity === undefined && dates.length === 0 ? undefined : { kind: 'verb', entity, dates, hits }
}

/** “inactive”: the column that says whether a row is active. */
function oppositeFlag(word: string, catalogue: Catalogue): readonly ColumnName[] {
  const base = /^(?:in|un|non-?)(.{4,})$/.exec(word)?.[1]
  if (base === undefined) return []
  return catalogue.entities
    .flatMap(({ attributes }) => attributes)
    .filter((one) => isFlag(catalogue, one) && isSameWord(one.words.at(-1) ?? '', base))
    .map((attribute) => ({ attribute, score: EXACT }))
}

/** Whether a column says yes or no. */
export function isFlag({ flags }: Catalogue, attribute: Attribute): boolean {
  return flags.has(attribute) || attribute.column.kind === 'boolean'
}

interface FoundValue {
  readonly length: number
  readonly hits: readonly ValueHit[]
}

/** The longest value of the data that begins at each token. */
async function valuesIn(
  question: string,
  tokens: readonly Token[],
  words: readonly string[],
  catalogue: Catalogue,
  lookup: Lookup,
): Promise<ReadonlyMap<number, FoundValue>> {
  const isPlain = (at: number): boolean => meaningAt(words, at)?.length === 1 && tokens[at]!.text === tokens[at]!.lower
  const spans: { readonly at: number; readonly length: number; readonly terms: readonly string[] }[] = []
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at]!
    if (first.kind === 'quoted') spans.push({ at, length: 1, terms: [first.text] })
    if (first.kind === 'quoted' || first.kind === 'mark' || isPlain(at)) continue
    for (let length = 1; length <= MAX_VALUE_WORDS && at + length <= tokens.length; length++) {
      const end = tokens[at + length - 1]!
      if (end.kind === 'quoted' || (end.kind === 'mark' && end.text !== "'s")) break
      if (end.kind === 'mark' || (length > 1 && isPlain(at + length - 1)) || (length === 1 && end.kind === 'number'))
        continue
      const text = question.slice(first.start, end.end).replaceAll(/\s+/g, ' ')
      const last = singular(end.lower)
      const one = last === end.lower ? [] : [`${text.slice(0, text.length - end.text.length)}${last}`]
      spans.push({ at, length, terms: [text, ...one] })
    }
  }
  const columns = searchableColumns(catalogue)
    .filter((one) => !one.isKey && !isDate(one))
    .flatMap((one): Place[] => {
      const place = { table: entityName(one.entity), column: one.column.name }
      const [first, second] = one.entity.label
      return first === one && second !== undefined ? [place, { ...place, second: second.column.name }] : [place]
    })
  const terms = [...new Set(spans.flatMap((span) => span.terms))]
  const found = new Map<number, FoundValue>()
  if (terms.length === 0 || columns.length === 0) return found
  const hits = await withWords(lookup, catalogue.terms)(terms, columns)
  for (const { at, length, terms: own } of spans) {
    const first = own.map((term) => hits[terms.indexOf(term)] ?? []).find((some) => some.length > 0)
    if (first !== undefined) found.set(at, { length, hits: first })
  }
  return found
}
