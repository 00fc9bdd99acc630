import { onlyOf } from '../../core/only.ts'
import { given } from '../../core/given.ts'
import { qualifiedName, type Entity } from '../../terms/catalogue.ts'
import { isNounColumn, ownerOfKind } from '../../terms/kinds.ts'
import { EXCEPTED, INCLUDED, meaning, SALE_VERBS } from '../words/lexicon.ts'
import type { AttributeMatch } from '../../terms/names.ts'
import {
  addCondition,
  anchored,
  isForm,
  openRows,
  phraseAt,
  skip,
  subjectEntity,
  word,
  type Parser,
  type Rule,
  isFirst,
} from './parser.ts'
import { attributeAt, entityAt, isDatedLater } from './named-things.ts'
import type { Condition, Mention } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { isSoldItem } from '../../terms/sold.ts'
import { eventOfVerb } from '../../terms/dates.ts'
import { isParticiple, singular } from '../../terms/words.ts'
import type { ValueSpan } from '../schema/values.ts'

/** A value found in the data, with the table or column it stands beside. */
export const valueRule: Rule = (p) => {
  const article = skip(p, p.at, p.at > 0 ? 'the by' : 'the')
  const span = p.values.get(article)
  if (span === undefined) return false
  const next = article + span.length
  if (span.people !== undefined) {
    addCondition(p, personOf(p, span))
    p.at = next
    return true
  }
  if (nounOfValue(p, span, next)) return true
  if (span.length === 1 && happened(p, article)) return true
  if (span.hits.length === 0) return refuse(`“${span.text}” is not a value of any column of ${p.catalogue.database}.`)
  const before = article > p.at && word(p, p.at) === 'by' ? 'by' : word(p, p.at - 1)
  const after = entityAt(p, next)
  const column = after === undefined ? attributeAt(p, next) : undefined
  if (after !== undefined && isLabelOf(span, after.entity) && !(subjectEntity(p) === undefined && p.counting)) {
    return pushValue(p, span, next + after.length, { mention: 'named', anchor: after.entity })
  }
  if (after !== undefined) {
    p.anchor = { entity: after.entity, ...given({ via: after.via }) }
    return pushValue(p, span, next, { mention: 'adjective', anchor: after.entity })
  }
  if (column !== undefined && span.hits.some((h) => isHit(column, h))) {
    return pushValue(p, span, next + column.length, { mention: 'plain', attribute: column })
  }
  // “how many tracks does AC/DC have”: who has them has rows of its own.
  const isOwner = /^(do|does|did)$/.test(before) && /^(have|has)$/.test(word(p, next))
  return pushValue(p, span, next, { mention: isOwner ? 'from' : (MENTIONS[before] ?? 'plain') })
}

/** How a value is mentioned, by the word before it. */
const MENTIONS = meaning<Exclude<Mention, 'adjective' | 'plain'>>({
  by: 'by',
  from: 'from,of',
  in: 'in,at,to',
  named: 'called,named,titled',
  state: 'is,are,was,were',
})

/**
 * `orders shipped in 1998`, where “shipped” is also a state that an order may be in: when it was shipped is told by a date of
 * that name, if need be in a table of its own. No other date of the order will do.
 */
function happened(p: Parser, at: number): boolean {
  const owner = p.anchor?.entity ?? subjectEntity(p)
  const verb = word(p, at)
  if (owner === undefined || !isParticiple(verb) || entityAt(p, at + 1) !== undefined || !isDatedLater(p, at + 1))
    return false
  const event = eventOfVerb(owner, verb, true)
  if (event === undefined)
    return refuse(
      `I see no date that says when ${owner.nouns} were “${verb}”. Please name the date, or ask for “${verb} ${owner.nouns}”.`,
    )
  const rows = { kind: 'has' as const, entity: event, negated: false, conditions: [], anchor: owner }
  addCondition(p, rows)
  p.at = at + 1
  return openRows(p, rows)
}

/** `which coffees`, `how many House Espresso were sold`: the value stands for the rows that have it. */
function nounOfValue(p: Parser, span: ValueSpan, next: number): boolean {
  const kind = kindNamed(p, span)
  const { reading } = p
  if (!p.counting && !isFirst(p)) return false
  if (entityAt(p, next) !== undefined || attributeAt(p, next) !== undefined) return false
  const isSold = p.counting && p.tokens.some((_, i) => i >= next && isForm(p, i, SALE_VERBS))
  const goods = p.catalogue.entities.filter((e) => isSoldItem(p.sales, e) && isLabelOf(span, e))
  // “IT staff”: the name of a kind ends in the noun of its rows.
  const ending = p.names.entitiesAt(next - 1)[0]?.entity
  const isOfEnding =
    p.counting && span.length > 1 && ending !== undefined && span.hits.some((h) => h.table === qualifiedName(ending))
  const entity = isOfEnding ? ending : (kind?.entity ?? (isSold ? onlyOf(goods) : undefined))
  if (entity === undefined) return false
  const dimension = { kind: 'entity', entity } as const
  if (p.counting) reading.counted = dimension
  else reading.subject = dimension
  p.counting = false
  const last = word(p, next - 1)
  reading.plural = singular(last) !== last
  p.anchor = { entity }
  const mention = kind === undefined ? 'named' : 'adjective'
  return pushValue(p, { ...span, hits: kind?.hits ?? span.hits }, next, { mention, anchor: entity })
}

/** The table whose rows a kind in the plural stands for: products for `grinders`. */
export function kindNamed(
  p: Parser,
  span: ValueSpan,
): { readonly entity: Entity; readonly hits: ValueSpan['hits'] } | undefined {
  const last = span.text.split(' ').at(-1)?.toLowerCase() ?? ''
  const hits = span.hits.filter((h) => isNounColumn(p.catalogue, h))
  const entity = span.isKind === true || singular(last) !== last ? ownerOfKind(p.catalogue, p.sales, hits) : undefined
  return entity === undefined ? undefined : { entity, hits }
}

/** The person of that name, in the table meant or spoken of. Several tables with such a person stop the question. */
export function personOf(p: Parser, span: ValueSpan, meant = subjectEntity(p)): Extract<Condition, { kind: 'person' }> {
  const choices = (span.people ?? []).flatMap((person) => {
    const entity = p.catalogue.entities.find((e) => qualifiedName(e) === person.first.table)
    return entity === undefined ? [] : [{ kind: 'person' as const, entity, ...person }]
  })
  const fitting = choices.filter((c) => c.entity === meant)
  const nouns = choices.map((c) => c.entity.nouns)
  return (
    onlyOf(fitting.length > 0 ? fitting : choices) ??
    refuse(
      `“${span.text}” could be one of the ${listed(nouns)}. Please say which, as in “the ${choices[0]?.entity.noun} ${span.text}”.`,
    )
  )
}

/** Is the value in one of the columns meant? */
export function isHit(match: AttributeMatch, hit: { readonly table: string; readonly column: string }): boolean {
  return match.candidates.some(
    (c) => qualifiedName(c.attribute.entity) === hit.table && c.attribute.column.name === hit.column,
  )
}

/** Is the value the name of a row of this table? */
export function isLabelOf(span: ValueSpan, entity: Entity): boolean {
  return span.hits.some(
    (h) => h.table === qualifiedName(entity) && entity.label.some((l) => l.column.name === h.column),
  )
}

/** What is said of a value. */
type Said = Partial<Pick<Extract<Condition, { kind: 'value' }>, 'anchor' | 'attribute' | 'negated'>> & {
  readonly mention: Mention
}

/** The value here, or those given, and those joined to it by `or`, `and` or a comma; `at` is behind them. */
export function joinedValues(p: Parser, start: number, given: readonly ValueSpan[] = []) {
  const first = given.length > 0 ? undefined : p.values.get(start)
  const spans = first === undefined ? [...given] : [first]
  let all = false
  let at = start + (first?.length ?? 0)
  while (spans.length > 0) {
    const joint = /^(or|and|,)$/.test(word(p, at)) ? skip(p, at + 1, 'or and in the from') : -1
    const more = joint < 0 ? undefined : p.values.get(joint)
    if (more === undefined || more.people !== undefined || more.hits.length === 0) break
    // “in Ulm, children included”: said of the last alone.
    const isSaid = phraseAt(p, joint + more.length, [...EXCEPTED, ...INCLUDED]) !== undefined
    if (isSaid && word(p, at) === ',' && joint === at + 1) break
    all ||= p.tokens.slice(at, joint).some((t) => t.lower === 'and')
    spans.push(more)
    at = joint + more.length
  }
  return { spans, all, at }
}

/** Adds the value and those joined to it by `or`, `and` or a comma. */
export function pushValue(p: Parser, span: ValueSpan, next: number, said: Said): boolean {
  const { spans, all, at } = joinedValues(p, next, [span])
  const { anchor, negated = false } = said
  addCondition(p, {
    kind: 'value',
    text: spans.map(({ text }) => text).join(', '),
    alternatives: spans.map(({ hits }) => hits),
    ...(all && !negated ? { all } : {}),
    ...said,
    negated,
    ...(anchor === undefined ? anchored(p) : {}),
  })
  p.at = at
  return true
}
