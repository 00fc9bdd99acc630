import { onlyOf } from '../../core/only.ts'
import { given } from '../../core/given.ts'
import { isDate, isMoney, qualifiedName, type Entity } from '../../terms/catalogue.ts'
import { asMatch } from '../../terms/amounts.ts'
import { isToOne, shortestPaths } from '../../terms/joins.ts'
import { GROUP_OPENERS, MONEY_VERBS, RELATION_VERBS, SALE_VERBS } from '../words/lexicon.ts'
import { EXACT } from '../../terms/names.ts'
import { addCondition, isForm, phraseAt, skip, subjectEntity, word, type Parser, type Rule, isFirst } from './parser.ts'
import { attributeAt, dimensionAt, entityAt, grainAt } from './named-things.ts'
import type { Condition, Dimension } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { measureAt } from './rules-measure.ts'
import { isSecondQuestion } from './second-question.ts'
import { isLabelOf, personOf, pushValue } from './rules-value.ts'
import { singular } from '../../terms/words.ts'
import type { ValueSpan } from '../schema/values.ts'

/** `per country`, `by genre and year`, `for each customer`. */
export const groupRule: Rule = (p) => {
  const opener = phraseAt(p, p.at, GROUP_OPENERS)
  const isBy = opener === undefined && word(p, p.at) === 'by'
  if (opener === undefined && !isBy) return false
  const start = p.at + (opener?.length ?? 1)
  if (isBy && (saysWho(p) || isValueOfOthers(p, skip(p, start)))) return false
  const dimensions: Dimension[] = []
  let next = start
  for (;;) {
    const found = dimensionAt(p, next)
    if (found === undefined) break
    // “by artist AC/DC” names one artist and breaks nothing down.
    if (isBy && p.values.has(found.next)) return false
    const { dimension } = found
    const isEach = /^(?:each|every)$/.test(opener?.phrase ?? '') && /^(?:do|does|did)$/.test(word(p, p.at - 1))
    dimensions.push(dimension.kind === 'entity' && isEach ? { ...dimension, isEach } : dimension)
    next = found.next
    if (isSecondQuestion(p, next)) break
    const joint = /^(and|,|by|per)$/.test(word(p, next)) ? next + 1 : -1
    const more = joint < 0 ? undefined : dimensionAt(p, /^(by|per)$/.test(word(p, joint)) ? joint + 1 : joint)
    if (more === undefined || measureAt(p, joint, false)?.measure.kind === 'measure') break
    next = /^(by|per)$/.test(word(p, joint)) ? joint + 1 : joint
  }
  if (dimensions.length === 0) return false
  if (isBy && !hasFigure(p)) addUpSelected(p)
  if (isBy && !hasFigure(p) && !isCountedBy(p, dimensions)) {
    return refuse('“by” can sort or break down a list. Please ask for “number of … per …” or for “… sorted by …”.')
  }
  p.clause = undefined
  p.reading.groups.push(...dimensions)
  const last = dimensions.at(-1)
  if (last?.kind === 'entity') p.anchor = { entity: last.entity, ...given({ via: last.via }) }
  p.at = skip(p, next, "'s")
  return true
}

/** `orders placed by customers from Norway`: who did it, not what to break it down by. */
export function saysWho(p: Parser): boolean {
  if (word(p, p.at) !== 'by' || isForm(p, p.at - 1, RELATION_VERBS)) return word(p, p.at) === 'by'
  // “placed before 2025 by customers from Norway”: in the plural, and behind a passive.
  const at = skip(p, p.at + 1)
  const isPlural = p.names.entitiesAt(at).length > 0 && singular(word(p, at)) !== word(p, at)
  return (
    isPlural && p.tokens.some((_, i) => i < p.at && isForm(p, i, RELATION_VERBS) && /^(was|were)$/.test(word(p, i - 1)))
  )
}

/** `orders by phone`, where no column of the orders is called so: a value, though other tables have such a column. */
function isValueOfOthers(p: Parser, at: number): boolean {
  const owner = subjectEntity(p)
  const isOwn = attributeAt(p, at)?.candidates.some((c) => c.attribute.entity === owner) === true
  return p.values.has(at) && p.names.entitiesAt(at).length === 0 && !isOwn
}

/** `tickets by status` asks how many; `products by price` asks for an order. */
function isCountedBy(p: Parser, dimensions: readonly Dimension[]): boolean {
  const subject = subjectEntity(p)
  if (subject === undefined || p.reading.selected.length > 0 || /^(list|name)$/.test(word(p, 0))) return false
  return dimensions.every((d) => {
    if (d.kind !== 'attribute') return true
    const { attribute } = d.match.candidates[0] ?? {}
    const isKind = attribute?.column.kind === 'text' || attribute?.column.kind === 'boolean'
    return attribute !== undefined && isKind && !isDate(attribute) && !subject.label.includes(attribute)
  })
}

/** `service cost by mechanic`: amounts that are broken down are added up. */
function addUpSelected({ reading }: Parser): void {
  const match = onlyOf(reading.selected)
  const isAmount = match?.candidates.every((c) => isMoney(c.attribute)) === true
  if (match === undefined || !isAmount || reading.subject !== undefined) return
  reading.selected = []
  reading.measures.push({ kind: 'column', aggregate: 'sum', match })
}

function hasFigure(p: Parser): boolean {
  const { measures, counted, share, ranking } = p.reading
  return measures.length > 0 || counted !== undefined || share || p.counting || ranking !== undefined
}

/** A table's name: the subject, what is counted, or the owner of what follows. */
export const entityRule: Rule = (p) => {
  const attribute = attributeAt(p, p.at)
  if (attribute !== undefined) return false
  const match = entityAt(p, p.at)
  if (match === undefined) return false
  const here = { entity: match.entity, ...given({ via: match.via }) }
  const isLoose =
    word(p, p.at) === 'sales' && match.length > 1 && !match.entity.words.some((w) => singular(w) === 'sale')
  const dimension: Dimension = { kind: 'entity', ...here, ...(isLoose ? { isLoose } : {}) }
  const start = p.at
  p.at += match.length
  p.anchor = here
  const named = skip(p, p.at, 'called named titled : ,')
  const value = p.values.get(named)
  const { reading } = p
  addIdentifier(p, match.entity)
  if (value !== undefined && !p.counting && nameFollows(p, value, match.entity, named)) {
    if (isFirst(p)) reading.subject = dimension
    return true
  }
  if (p.counting) {
    p.counting = false
    reading.counted = dimension
    reading.plural = true
    if (reading.share) reading.shareNoun = reading.conditions.length
    return true
  }
  if (isFirst(p)) {
    reading.subject = dimension
    reading.plural = singular(word(p, p.at - 1)) !== word(p, p.at - 1)
    return true
  }
  const subject = subjectEntity(p)
  if (match.entity === subject || (p.clause !== undefined && p.clause.entity === match.entity)) return true
  return linkEntity(p, start, match.entity)
}

/** `order 884`: a number after a singular is the key of one row. */
function addIdentifier(p: Parser, entity: Entity): void {
  const noun = word(p, p.at - 1)
  const at = skip(p, p.at, 'number no nr id')
  const { kind, value } = p.tokens[at] ?? {}
  const key = onlyOf(entity.keys)
  const isOne = singular(noun) === noun && key?.column.kind === 'number'
  if (kind !== 'number' || value === undefined || !/^\d+$/.test(String(value)) || !isOne) return
  if (p.names.entitiesAt(at + 1).length > 0 || p.names.attributesAt(at + 1) !== undefined) return
  const isKey = word(p, at - 1) === 'id'
  // “Room 101” is known by the number on its door, where there is one.
  const held = isKey ? undefined : p.values.get(at)
  if (held !== undefined) {
    pushValue(p, held, at + 1, { mention: 'named', anchor: entity })
    return
  }
  const match = asMatch(key, key.words.join(' '), EXACT)
  addCondition(p, { kind: 'compare', attribute: match, bound: { op: '=', amount: value }, anchor: entity })
  p.at = at + 1
}

/** `customer Luis Goncalves`, `playlist Music`. */
function nameFollows(p: Parser, value: ValueSpan, entity: Entity, at: number): boolean {
  if (value.people?.some((person) => person.first.table === qualifiedName(entity))) {
    addCondition(p, personOf(p, value, entity))
    p.at = at + value.length
    return true
  }
  if (!isLabelOf(value, entity)) return false
  return pushValue(p, value, at + value.length, { mention: 'named', anchor: entity })
}

/** A further table: what the subject is tied to by a preposition or verb. */
function linkEntity(p: Parser, start: number, entity: Entity): boolean {
  const before = word(p, skip2(p, start))
  const verbs = [...RELATION_VERBS, ...SALE_VERBS, ...MONEY_VERBS, 'do']
  const isLinked =
    /^(of|in|from|for|on|by|to|at|with|did|do|does|have|has|had|are|were|was|is|who|that|which)$/.test(before) ||
    isForm(p, skip2(p, start), verbs)
  const { reading } = p
  // Its adjective was read before it: “from inactive members”.
  const isDescribed = p.values.has(start - 1) || reading.conditions.at(-1)?.anchor === entity
  // “Revenue and orders”, “revenue and cancelled orders” are two figures.
  const joint = p.values.has(start - 1) ? start - 2 : start - 1
  const isJoined = /^(?:and|,)$/.test(word(p, joint)) && !(joint < start - 1 && p.values.has(joint - 1))
  const isLoose = !isLinked && !isDescribed && reading.measures.length === 0
  if (p.clause === undefined && (isLoose || (isJoined && reading.measures.length > 0))) {
    return refuse(
      `I do not see how “${p.tokens[start]?.text}” belongs to the rest of the question. Please say it in one relation, such as “with”, “of” or “per”.`,
    )
  }
  const last = reading.measures.at(-1)
  const owner = last?.kind === 'column' && last.match.candidates.some((c) => c.attribute.entity === entity)
  if (owner) return true
  const about = p.clause?.entity ?? subjectEntity(p)
  const isChild = about !== undefined && !isSaleDetail(p, entity) && !isToOne(shortestPaths(about, entity)[0] ?? [])
  if (isChild) return openClause(p, entity)
  // Conditions said next are about this table; without any, it still says that there must be one.
  addCondition(p, { kind: 'has', entity, negated: false, conditions: [] })
  return true
}

/** Within `who bought …`, what was sold is part of the sale itself. */
function isSaleDetail(p: Parser, entity: Entity): boolean {
  const line = p.sales.line?.entity
  const isSale = p.clause !== undefined && p.clause.entity === (p.sales.header?.entity ?? line)
  return isSale && line !== undefined && isToOne(shortestPaths(line, entity)[0] ?? [])
}

/** `artists with Rock tracks longer than …`: all that is said of the tracks must hold for the same track. */
function openClause(p: Parser, entity: Entity): true {
  const outer = p.clause?.conditions ?? p.reading.conditions
  const conditions: Condition[] = []
  while (outer.at(-1)?.anchor === entity) conditions.unshift(...outer.splice(-1))
  outer.push({ kind: 'has', entity, negated: false, conditions })
  p.clause = { conditions, entity }
  return true
}

/** The last token before this one that is not an article. */
function skip2(p: Parser, at: number): number {
  let before = at - 1
  while (before > 0 && /^(the|a|an|any|all|our|their)$/.test(word(p, before))) before--
  return before
}

/** `which year`, `what month`. */
export const grainRule: Rule = (p) => {
  const grain = grainAt(p, p.at)
  if (grain === undefined || p.reading.subject !== undefined) return false
  const before = word(p, p.at - 1)
  if (!/^(which|what|best|worst|top)$/.test(before) && p.reading.ranking === undefined) return false
  p.reading.subject = grain.dimension
  p.at = grain.next
  return true
}
