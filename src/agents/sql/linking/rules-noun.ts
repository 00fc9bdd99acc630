import { isDate, qualifiedName } from './catalogue.ts'
import type { Entity } from './catalogue.ts'
import { dateAt } from './dates.ts'
import { isToOne, shortestPaths } from './joins.ts'
import { GROUP_OPENERS, MONEY_VERBS, RELATION_VERBS, SALE_VERBS } from './lexicon.ts'
import type { AttributeMatch } from './names.ts'
import { EXACT } from './names.ts'
import type { Parser, Rule } from './parser.ts'
import {
  addCondition,
  anchored,
  attributeAt,
  dimensionAt,
  entityAt,
  grainAt,
  isForm,
  isPhrase,
  phraseAt,
  skip,
  subjectEntity,
  word,
} from './parser.ts'
import type { Condition, Dimension } from './reading.ts'
import { refuse } from './refusal.ts'
import { comparisonAt } from './rules-comparison.ts'
import { likeAt } from './rules-flag.ts'
import { measureAt } from './rules-measure.ts'
import { isHit, isLabelOf, personOf, pushValue } from './rules-value.ts'
import { singular } from './words.ts'
import type { ValueSpan } from './values.ts'

/** `per country`, `by genre and year`, `for each customer`. */
export const groupRule: Rule = (p) => {
  const opener = phraseAt(p, p.at, GROUP_OPENERS)
  const isBy = opener === undefined && word(p, p.at) === 'by'
  if (opener === undefined && !isBy) return false
  const start = p.at + (opener?.length ?? 1)
  if (isBy && p.values.has(skip(p, start)) && p.names.entitiesAt(skip(p, start)).length === 0) return false
  const dimensions: Dimension[] = []
  let next = start
  for (;;) {
    const found = dimensionAt(p, next)
    if (found === undefined) break
    // “by artist AC/DC” names one artist and breaks nothing down.
    if (isBy && p.values.has(found.next)) return false
    dimensions.push(found.dimension)
    next = found.next
    const joint = /^(and|,|by|per)$/.test(word(p, next)) ? next + 1 : -1
    const more = joint < 0 ? undefined : dimensionAt(p, /^(by|per)$/.test(word(p, joint)) ? joint + 1 : joint)
    if (more === undefined || measureAt(p, joint, false)?.measure.kind === 'measure') break
    next = /^(by|per)$/.test(word(p, joint)) ? joint + 1 : joint
  }
  if (dimensions.length === 0) return false
  if (isBy && !hasFigure(p)) {
    return refuse('“by” can sort or break down a list. Please ask for “number of … per …” or for “… sorted by …”.')
  }
  p.clause = undefined
  p.reading.groups.push(...dimensions)
  const last = dimensions.at(-1)
  if (last?.kind === 'entity') p.anchor = { entity: last.entity, ...(last.via === undefined ? {} : { via: last.via }) }
  p.at = skip(p, next, "'s")
  return true
}

function hasFigure(p: Parser): boolean {
  const { reading } = p
  return (
    reading.measures.length > 0 ||
    reading.counted !== undefined ||
    reading.share ||
    p.counting ||
    reading.ranking !== undefined
  )
}

/** A table's name: the subject, what is counted, or the owner of what follows. */
export const entityRule: Rule = (p) => {
  const attribute = attributeAt(p, p.at)
  if (attribute !== undefined) return false
  const match = entityAt(p, p.at)
  if (match === undefined) return false
  const here = { entity: match.entity, ...(match.via === undefined ? {} : { via: match.via }) }
  const isLoose = word(p, p.at) === 'sales' && match.length > 1 && !match.entity.words.includes('sale')
  const dimension: Dimension = { kind: 'entity', ...here, ...(isLoose ? { isLoose } : {}) }
  const start = p.at
  p.at += match.length
  p.anchor = here
  const named = skip(p, p.at, 'called named titled : ,')
  const value = p.values.get(named)
  const { reading } = p
  const isFirst = reading.subject === undefined && reading.counted === undefined && reading.measures.length === 0
  if (value !== undefined && !p.counting && nameFollows(p, value, match.entity, named)) {
    if (isFirst) reading.subject = dimension
    return true
  }
  if (p.counting) {
    p.counting = false
    reading.counted = dimension
    reading.plural = true
    return true
  }
  if (isFirst) {
    reading.subject = dimension
    reading.plural = singular(word(p, p.at - 1)) !== word(p, p.at - 1)
    return true
  }
  const subject = subjectEntity(p)
  if (match.entity === subject || (p.clause !== undefined && p.clause.entity === match.entity)) return true
  return linkEntity(p, start, match.entity)
}

/** `customer Luis Goncalves`, `playlist Music`. */
function nameFollows(p: Parser, value: ValueSpan, entity: Entity, at: number): boolean {
  if (value.people?.some((person) => person.first.table === qualifiedName(entity))) {
    addCondition(p, personOf(p, value, entity))
    p.at = at + value.length
    return true
  }
  if (!isLabelOf(value, entity)) return false
  return pushValue(p, value, at + value.length, 'named', entity)
}

/** A further table: what the subject is tied to by a preposition or verb. */
function linkEntity(p: Parser, start: number, entity: Entity): boolean {
  const before = word(p, skip2(p, start))
  const verbs = [...RELATION_VERBS, ...SALE_VERBS, ...MONEY_VERBS, 'do']
  const isLinked =
    /^(of|in|from|for|on|by|to|at|with|did|do|does|have|has|had|are|were|was|is|who|that|which)$/.test(before) ||
    isForm(p, skip2(p, start), verbs)
  const { reading } = p
  if (!isLinked && !p.values.has(start - 1) && p.clause === undefined && reading.measures.length === 0) {
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
  if (p.clause !== undefined) {
    addCondition(p, { kind: 'has', entity, negated: false, conditions: [] })
    return true
  }
  // Conditions said next are about this table; without any, it still says that there must be one.
  reading.conditions.push({ kind: 'has', entity, negated: false, conditions: [] })
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

/** A column's name: something to show, to compare, to filter by or to count. */
export const attributeRule: Rule = (p) => {
  const match = attributeAt(p, p.at)
  if (match === undefined) return false
  const next = p.at + match.length
  if (likeAt(p, skip(p, next, 'that which'), match)) return true
  const { reading } = p
  const isFirst = reading.subject === undefined && reading.counted === undefined && reading.measures.length === 0
  if (match.owner !== undefined && isFirst && addAttributeFilter(p, match, next)) {
    // `employees born after 1970`: the filter is about the table named with it.
    const dimension: Dimension = { kind: 'entity', entity: match.owner }
    if (p.counting) reading.counted = dimension
    else reading.subject = dimension
    p.counting = false
    p.anchor = { entity: match.owner }
    reading.plural = true
    return true
  }
  if (p.counting) {
    p.counting = false
    p.reading.counted = { kind: 'attribute', match }
    p.at = next
    return true
  }
  if (addAttributeFilter(p, match, next)) return true
  return selectAttribute(p, match, next)
}

function addAttributeFilter(p: Parser, match: AttributeMatch, next: number): boolean {
  const at = skip(p, next, 'is are was were of = : equal equals to the called named')
  const isNot = word(p, skip(p, next, 'is are was were')) === 'not'
  const valueAt = isNot ? skip(p, skip(p, next, 'is are was were') + 1) : at
  const span = p.values.get(valueAt)
  if (span !== undefined && span.hits.some((h) => isHit(match, h))) {
    if (!isNot) return pushValue(p, span, valueAt + span.length, 'plain', p.anchor?.entity, match)
    addCondition(p, {
      kind: 'value',
      text: span.text,
      alternatives: [span.hits],
      mention: 'plain',
      attribute: match,
      negated: true,
      ...anchored(p),
    })
    p.at = valueAt + span.length
    return true
  }
  const isEquation = at > next && !/^(of)$/.test(word(p, next)) && span !== undefined
  if (isEquation) return refuse(`“${span.text}” is not a value of ${match.text}.`)
  const dated = match.candidates.some((c) => isDate(c.attribute))
    ? dateAt(p.tokens, skip(p, next, 'is are was were'), p.today)
    : undefined
  if (dated !== undefined) {
    const candidates = match.candidates.filter((c) => isDate(c.attribute))
    addCondition(p, { kind: 'date', range: dated.range, attribute: { ...match, candidates }, ...anchored(p) })
    p.at = skip(p, next, 'is are was were') + dated.length
    return true
  }
  const compared = comparisonAt(p, at) ?? (word(p, next) === 'between' ? comparisonAt(p, next) : undefined)
  const number = p.tokens[at]
  if (compared !== undefined && compared.unit === undefined) {
    const { op, amount, upTo } = compared
    addCondition(p, {
      kind: 'compare',
      attribute: match,
      op,
      amount,
      ...(upTo === undefined ? {} : { upTo }),
      ...anchored(p),
    })
    p.at = compared.next
    return true
  }
  const isStated = at > next || /^(with|where|whose|having|and)$/.test(word(p, next - match.length - 1))
  if (number?.kind === 'number' && number.value !== undefined && isStated) {
    addCondition(p, { kind: 'compare', attribute: match, op: '=', amount: number.value, ...anchored(p) })
    p.at = at + 1
    return true
  }
  return addEmptiness(p, match, next)
}

function addEmptiness(p: Parser, match: AttributeMatch, next: number): boolean {
  const found = phraseAt(p, next, [
    'is missing',
    'is empty',
    'is null',
    'is unknown',
    'are missing',
    'is not set',
    'is not null',
    'is not empty',
    'is set',
    'is known',
  ])
  if (found === undefined) return false
  const isFilled = ['is not null', 'is not empty', 'is set', 'is known'].includes(found.phrase)
  addCondition(p, { kind: 'missing', attribute: match, negated: isFilled, ...anchored(p) })
  p.at = next + found.length
  return true
}

function selectAttribute(p: Parser, match: AttributeMatch, next: number): boolean {
  const { reading } = p
  p.at = next
  if (match.owner !== undefined) p.anchor = { entity: match.owner }
  if (reading.subject === undefined && reading.counted === undefined && reading.measures.length === 0) {
    // “which country has …” lists the column itself; “the price of …” shows it of something.
    const isDimension =
      isForm(p, next - match.length - 1, ['which']) ||
      isPhrase(p, next - match.length - 1, 'what') ||
      reading.ranking !== undefined
    if (isDimension && !/^(of|for)$/.test(word(p, next)) && match.candidates[0]?.score === EXACT) {
      reading.subject = { kind: 'attribute', match }
      return true
    }
  }
  reading.selected.push(match)
  return true
}

/** `which year`, `what month`. */
export const grainRule: Rule = (p) => {
  const grain = grainAt(p, p.at)
  if (grain === undefined || p.reading.subject !== undefined) return false
  const before = word(p, p.at - 1)
  if (!/^(which|what|best|worst|top)$/.test(before) && p.reading.ranking === undefined) return false
  p.reading.subject = grain
  p.at++
  return true
}
