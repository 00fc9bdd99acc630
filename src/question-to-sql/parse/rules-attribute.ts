import { isFirst } from './parser.ts'
import { isMoney, isNumeric, tellsTime } from '../../terms/catalogue.ts'
import { dateAt } from '../words/dates.ts'
import { EXACT, type AttributeMatch } from '../../terms/names.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, askFor, isForm, isPhrase, phraseAt, skip, subjectEntity, word } from './parser.ts'
import { attributeAt, entityAt } from './named-things.ts'
import { listed, refuse } from '../refusal.ts'
import { singular } from '../../terms/words.ts'
import { PRICE_WORDS, RELATION_VERBS } from '../words/lexicon.ts'
import { addCompare, comparisonAt, exactlyAt } from './rules-comparison.ts'
import { addFilled, likeAt } from './rules-flag.ts'
import { isHit, pushValue } from './rules-value.ts'

/** A column's name: something to show, to compare, to filter by or to count. */
export const attributeRule: Rule = (p) => {
  const match = attributeAt(p, p.at)
  if (match === undefined) return false
  const next = p.at + match.length
  if (likeAt(p, skip(p, next, 'that which'), match)) return true
  const { reading } = p
  if (match.owner !== undefined && isFirst(p) && addAttributeFilter(p, match, next)) {
    // `employees born after 1970`: the filter is about the table named with it.
    askFor(p, match.owner)
    p.anchor = { entity: match.owner }
    reading.plural = true
    return true
  }
  if (p.counting) {
    const whole = p.tokens.findIndex((t) => /^(together|altogether)$/.test(t.lower))
    if (isNumeric(match.candidates[0]!.attribute) && whole >= 0) {
      p.used.add(whole)
      p.counting = false
      reading.measures.push({ kind: 'column', aggregate: 'sum', match })
      p.at = next
      return true
    }
    if (isNumeric(match.candidates[0]!.attribute) && !reading.distinct)
      return refuse(
        `“${match.text}” is a number: I do not know whether to add it up. Please say “total ${match.text}”.`,
      )
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
    return pushValue(p, span, valueAt + span.length, { mention: 'plain', attribute: match, negated: isNot })
  }
  const isEquation = at > next && !/^(of)$/.test(word(p, next)) && span !== undefined
  if (isEquation) return refuse(`“${span.text}” is not a value of ${match.text}.`)
  // A column `customer_since`: “customers since 2024” still says since.
  const since = /^(since|before|after|until)$/.test(word(p, next - 1)) ? next - 1 : undefined
  const dateStart = since ?? skip(p, next, 'is are was were')
  // “built year 2023 or later”
  const isBound = comparisonAt(p, at) !== undefined && isNumeric(match.candidates[0]!.attribute)
  const dated =
    !isBound && match.candidates.some((c) => tellsTime(c.attribute)) ? dateAt(p.tokens, dateStart, p.today) : undefined
  if (dated !== undefined) {
    const candidates = match.candidates.filter((c) => tellsTime(c.attribute))
    addCondition(p, { kind: 'date', range: dated.range, attribute: { ...match, candidates }, ...anchored(p) })
    p.at = dateStart + dated.length
    return true
  }
  const compared = comparisonAt(p, at) ?? (word(p, next) === 'between' ? comparisonAt(p, next) : undefined)
  const exact = exactlyAt(p, at)
  if (compared !== undefined && (compared.unit === undefined || match.candidates[0]?.attribute.unit !== undefined)) {
    refuseTwoPrices(p, match, next)
    return addCompare(p, match, compared)
  }
  const isId = match.candidates.every((c) => c.attribute.column.primaryKey)
  const isStated = isId || at > next || /^(with|where|whose|having|and)$/.test(word(p, next - match.length - 1))
  return exact !== undefined && isStated ? addCompare(p, match, exact) : addEmptiness(p, match, next)
}

/** “products cost more than 10”: to whom? Beside the column of that name, another may say what buyers pay. */
function refuseTwoPrices(p: Parser, match: AttributeMatch, next: number): void {
  const owner = match.owner ?? p.anchor?.entity ?? subjectEntity(p)
  const before = word(p, next - 2)
  const isVerb = isForm(p, next - 1, ['cost']) && (/^(that|which)$/.test(before) || singular(before) !== before)
  const prices = owner?.attributes.filter((a) => isMoney(a) && a.words.some((w) => PRICE_WORDS.includes(w))) ?? []
  if (isVerb && prices.length > 1)
    refuse(`“cost” could be ${listed(prices.map((a) => a.column.name))}. Please name the column.`)
}

const EMPTY = 'is missing,is empty,is null,is unknown,are missing,is not set'.split(',')
const FILLED = 'is not null,is not empty,is set,is known'.split(',')

function addEmptiness(p: Parser, match: AttributeMatch, next: number): boolean {
  const isEmpty = phraseAt(p, next, EMPTY)
  const found = isEmpty ?? phraseAt(p, next, FILLED)
  if (found === undefined) return false
  addCondition(p, { kind: 'missing', attribute: match, negated: isEmpty === undefined, ...anchored(p) })
  p.at = next + found.length
  return true
}

function sharesColumn(a: AttributeMatch, b: AttributeMatch): boolean {
  return a.candidates.some((one) => b.candidates.some((other) => one.attribute === other.attribute))
}

/** “Which vets are on call”, “work nights”, “have e-mails”: the column says which rows are meant, and is none to show. */
function isSaid(p: Parser): boolean {
  let before = p.at - 1
  while (/^(the|a|an|any|all|currently|still|ever|not)$/.test(word(p, before))) before--
  const isVerb = /^(is|are|was|were|be|been|being)$/.test(word(p, before)) || isForm(p, before, RELATION_VERBS)
  return isVerb && subjectEntity(p) !== undefined && p.names.entitiesAt(before).length === 0
}

/** `customers that have e-mails`: the column is filled in. */
function addMissingOf(p: Parser, match: AttributeMatch, next: number): boolean {
  const own = match.candidates.filter(({ attribute }) => attribute.entity === subjectEntity(p) && !attribute.isKey)
  if (!isForm(p, p.at - 1, ['have']) || own.length === 0) return false
  return addFilled(p, { ...match, candidates: own }, true, next)
}

function selectAttribute(p: Parser, match: AttributeMatch, next: number): boolean {
  const { reading } = p
  const measured = reading.measures.at(-1)
  // “average track length in milliseconds”: the unit of what was named before.
  if (word(p, p.at - 1) === 'in' && measured?.kind === 'column' && sharesColumn(measured.match, match)) {
    p.at = next
    return true
  }
  if (/^(in|on|at)$/.test(word(p, p.at - 1)) && (reading.subject ?? reading.counted) !== undefined)
    return refuse(
      `“${word(p, p.at - 1)} ${match.text}” could be a condition or a column to show. Please say it with a number or a value, or as “and their ${match.text}”.`,
    )
  const noun = reading.ranking === undefined ? entityAt(p, next) : undefined
  if (noun !== undefined && match.owner === undefined && !p.values.has(next))
    return refuse(
      `I do not know which ${noun.entity.nouns} are meant by “${match.text}”. Please say what it should be.`,
    )
  if (isSaid(p)) {
    if (addMissingOf(p, match, next)) return true
    return refuse(
      `I do not see what “${word(p, p.at - 1)} ${match.text}” says of ${subjectEntity(p)?.nouns}. Please say it with a value.`,
    )
  }
  p.at = next
  if (match.owner !== undefined) p.anchor = { entity: match.owner }
  if (isFirst(p)) {
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
