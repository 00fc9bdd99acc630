import { isDate, isYearAttribute, entityName, withoutOwner } from '../../databases/glossary/catalogue.ts'
import type { Attribute, Catalogue, Edge, Entity } from '../../databases/glossary/catalogue.ts'
import { searchableColumns, withWords } from '../../databases/glossary/value-lookup.ts'
import { isSameWord, singular } from '../../databases/glossary/words.ts'
import { periodAt, type Period } from '../language/periods.ts'
import { tokensOf, type Token } from '../language/tokens.ts'
import { matchNames, EXACT, isNoun, PARTICIPLE, type ColumnName, type Named, type Names } from './names.ts'
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
  { lookup, today }: { readonly lookup: Lookup; readonly today: string },
): Promise<readonly Item[]> {
  const tokens = tokensOf(question)
  // “ON” within a sentence is a code, such as a state, and no word.
  const isCode = (text: string): boolean => /^(?!AND|OR|NOT)[A-Z]{2,3}$/.test(text) && /[a-z]/.test(question)
  const words = tokens.map(({ kind, text, lower }) => (kind !== 'word' ? '\n' : isCode(text) ? text : lower))
  const values = await valuesIn(question, tokens, words, catalogue, lookup)
  const isChange = words.some((_, at) => meaningAt(words, at)?.role === 'change' && words[at] !== 'how')
  const context = { catalogue, tokens, words, values, names: matchNames(catalogue, tokens), today, isChange }
  const items: Item[] = []
  const unknown: string[] = []
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at]!
    const found = itemAt(at, items, context)
    if (found === undefined) unknown.push(token.text)
    const length = found?.length ?? 1
    const text = question.slice(token.start, tokens[at + length - 1]!.end)
    if (found?.item !== undefined) items.push({ text, ...found.item } as Item)
    at += length
  }
  const quoted = unknown.map((word) => `“${word}”`)
  if (unknown.length > 0) declineQuestion(`I do not understand ${joinWords(quoted, 'and')}.`, unknown)
  return items
}

interface Context {
  readonly catalogue: Catalogue
  readonly tokens: readonly Token[]
  readonly words: readonly string[]
  readonly values: ReadonlyMap<number, FoundValue>
  readonly names: Names
  readonly today: string
  /** Whether the question compares two periods. */
  readonly isChange: boolean
}

interface FoundItem {
  readonly length: number
  /** Absent for a mark without a meaning. */
  readonly item?: DistributedOmit<Item, 'text'>
}

/** The item that begins at a token: the longest of value, period, name and word; undefined for an unknown word. */
function itemAt(at: number, items: readonly Item[], context: Context): FoundItem | undefined {
  const { catalogue, tokens, words, names } = context
  const token = tokens[at]!
  if (token.kind === 'mark') {
    if (/[?!;]/.test(token.text) && at < tokens.length - 1) declineQuestion('Please ask one question at a time.')
    return { length: 1, ...(token.text === ',' ? { item: { kind: 'comma' } } : {}) }
  }
  const last = items.at(-1)
  const isBound = last?.kind === 'word' && /^(?:compare|top)$/.test(last.role)
  const period = isBound ? undefined : periodAt(tokens, at, context.today, !context.isChange)
  const value = context.values.get(at)
  const [entity, metric, meaning] = [names.entitiesAt(at), names.metricAt(at), meaningAt(words, at)]
  const column = withoutVerbs(names.columnsAt(at), token, catalogue)
  const nameLength = Math.max(entity?.length ?? 0, column?.length ?? 0, metric?.length ?? 0)
  const longest = Math.max(1, nameLength, meaning?.length ?? 0, period?.length ?? 0)
  const isSooner = meaning === undefined && isValueSooner(token, last, entity?.names[0]?.entity, column !== undefined)
  if (value !== undefined && (value.length > longest || (value.length === longest && isSooner)))
    return { length: value.length, item: { kind: 'value', hits: value.hits } }
  if (period !== undefined && period.length >= nameLength)
    return { length: period.length, item: { kind: 'period', period } }
  if (metric !== undefined && metric.length === nameLength && metric.length >= (meaning?.length ?? 0)) {
    const [name, other] = metric.names
    if (other !== undefined) declineQuestion(`“${token.text}” may mean ${joinWords(metric.names)}.`)
    return { length: nameLength, item: { kind: 'metric', name: name! } }
  }
  if (meaning !== undefined) {
    const { role, detail, length } = meaning
    const isCompared = meaningAt(words, at + nameLength)?.role === 'compare'
    const isLonger = length > nameLength && (nameLength === 0 || role !== 'filler')
    if (isLonger || (length === nameLength && isWordSooner(role, items, column?.names ?? [], isCompared)))
      return { length, item: { kind: 'word', role, detail } }
  }
  if (token.kind === 'number')
    return { length: 1, item: { kind: 'number', value: token.value!, digits: token.text.replaceAll(',', '') } }
  const score = Math.max(0, ...(column?.names ?? []).map((one) => one.score))
  const isEntity = entity?.length === nameLength
  const isExact = score === EXACT && (entity?.names[0]?.score ?? 0) < EXACT
  if (column !== undefined && column.length === nameLength && (!isEntity || isExact))
    return { length: nameLength, item: { kind: 'column', names: column.names } }
  const own = entity?.length === 1 ? entity.names[0]?.entity : undefined
  const verb = nameLength <= 1 ? verbAt(token, catalogue, own, value?.hits ?? []) : undefined
  if (verb !== undefined) return { length: 1, item: verb }
  if (entity !== undefined && isEntity) {
    const [one, other] = entity.names
    if (other !== undefined && other.entity !== one!.entity)
      declineQuestion(`“${token.text}” may mean ${joinWords(entity.names.map((name) => name.entity.nouns))}.`)
    const via = other === undefined ? one!.via : undefined
    return { length: nameLength, item: { kind: 'entity', entity: one!.entity, via } }
  }
  if (value !== undefined) return { length: value.length, item: { kind: 'value', hits: value.hits } }
  if (token.value !== undefined)
    return { length: 1, item: { kind: 'number', value: token.value, digits: String(token.value) } }
  const opposite = oppositeFlag(token.lower, catalogue)
  return opposite.length === 0 ? undefined : { length: 1, item: { kind: 'column', names: opposite, isNegated: true } }
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
  const isVerb = entity === undefined ? PARTICIPLE.test(lower) : !isNoun(lower, entity)
  if (!isVerb) return undefined
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
  const spansAt = (first: Token, at: number): { at: number; length: number; terms: string[] }[] => {
    if (first.kind === 'quoted') return [{ at, length: 1, terms: [first.text] }]
    if (first.kind === 'mark' || isPlain(at)) return []
    const some = tokens.slice(at, at + MAX_VALUE_WORDS)
    const stop = some.findIndex(({ kind, text }) => kind === 'quoted' || (kind === 'mark' && text !== "'s"))
    return some.slice(0, stop < 0 ? undefined : stop).flatMap((end, i) => {
      if (end.kind === 'mark' || (i > 0 && isPlain(at + i)) || (i === 0 && end.kind === 'number')) return []
      const text = question.slice(first.start, end.end).replaceAll(/\s+/g, ' ')
      const one = singular(end.lower)
      const others = one === end.lower ? [] : [`${text.slice(0, text.length - end.text.length)}${one}`]
      return [{ at, length: i + 1, terms: [text, ...others] }]
    })
  }
  const columns = searchableColumns(catalogue)
    .filter((one) => !one.isKey && !isDate(one))
    .flatMap((one): Place[] => {
      const place = { table: entityName(one.entity), column: one.column.name }
      const [first, second] = one.entity.label
      return first === one && second !== undefined ? [place, { ...place, second: second.column.name }] : [place]
    })
  const spans = tokens.flatMap(spansAt)
  const terms = [...new Set(spans.flatMap((span) => span.terms))]
  if (terms.length === 0 || columns.length === 0) return new Map()
  const hits = await withWords(lookup, catalogue.terms)(terms, columns)
  const found = spans.flatMap(({ at, length, terms: own }) => {
    const first = own.map((term) => hits[terms.indexOf(term)] ?? []).find((some) => some.length > 0)
    return first === undefined ? [] : [[at, { length, hits: first }] as const]
  })
  return new Map(found)
}
