import { EXISTENCE_VERBS, FILLERS, GRAINS, RANKED_ADJECTIVES, RELATION_VERBS, SUPERLATIVES } from '../words/lexicon.ts'
import { isFirst, isForm, phraseAt, skip, subjectEntity, word, type Parser, type Rule } from './parser.ts'
import { attributeAt, entityAt } from './named-things.ts'
import type { Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { taxRule } from './rules-amount.ts'
import { bothRule } from './rules-both.ts'
import { clauseRule, negationRule } from './rules-clause.ts'
import { exceptRule, includeRule } from './rules-except.ts'
import { columnsRule, lateRule } from './rules-columns.ts'
import { comparisonAt, comparisonRule, isFiltered, metricAfterFigure, timesRule } from './rules-comparison.ts'
import { costOfRule, costRule } from './rules-cost.ts'
import { hierarchyRule } from './rules-hierarchy.ts'
import { dateRule } from './rules-date.ts'
import { daysRule } from './rules-days.ts'
import { flagRule, likeRule } from './rules-flag.ts'
import { adverbRule, countRule, distinctRule, figureRule, measureAt, saleVerbRule, shareRule } from './rules-measure.ts'
import { limitAt, rankByRule, sortRule, superlativeRule } from './rules-ranking.ts'
import { attributeRule } from './rules-attribute.ts'
import { entityRule, grainRule, groupRule, saysWho } from './rules-noun.ts'
import { valueRule } from './rules-value.ts'
import { refuseForAll, refuseSaidOfRows } from './said-of-rows.ts'
import { checkOpening, PRONOUN, refuseWord } from './refused-words.ts'
import { refuseSecondQuestion } from './second-question.ts'
import type { Token } from '../words/tokens.ts'
import { isParticiple } from '../../terms/words.ts'
import { given } from '../../core/given.ts'

/** Order matters: what is longer or more particular comes first. */
const RULES: readonly Rule[] = [
  bothRule,
  hierarchyRule,
  costRule,
  costOfRule,
  shareRule,
  lateRule,
  daysRule,
  dateRule,
  sortRule,
  rankByRule,
  columnsRule,
  timesRule,
  comparisonRule,
  taxRule,
  exceptRule,
  includeRule,
  fillerRule,
  negationRule,
  groupRule,
  adverbRule,
  countRule,
  figureAndNumber,
  distinctRule,
  superlativeRule,
  clauseRule,
  saleVerbRule,
  valueRule,
  likeRule,
  flagRule,
  grainRule,
  entityRule,
  attributeRule,
  limitRule,
]

/** What a value may be part of. */
const VALUE_RULES: readonly Rule[] = [exceptRule, includeRule, hierarchyRule, lateRule, dateRule, valueRule]

const FILLER_PHRASES = ['in total', 'in all', 'all in all', 'at the moment', 'right now', 'at present', 'so far']

/** Phrases that say nothing though their words might. */
function fillerRule(p: Parser): boolean {
  const found = phraseAt(p, p.at, FILLER_PHRASES)
  if (found === undefined) return false
  const next = p.tokens[p.at + found.length]
  if (next !== undefined && next.kind !== 'comma' && !/^(in|by|per|for|of|from|since|last|this)$/.test(next.lower))
    return false
  p.at += found.length
  return true
}

function figureAndNumber(p: Parser): boolean {
  if (!figureRule(p)) return false
  metricAfterFigure(p)
  return true
}

/** An empty reading. */
export function emptyReading(): Reading {
  return {
    distinct: false,
    selected: [],
    measures: [],
    groups: [],
    conditions: [],
    notes: [],
    share: false,
    who: false,
    plural: false,
  }
}

/**
 * Reads the whole question. Every word must be used by a rule or be plain filler: a word that is neither stops the
 * question, since it may be the one that changes the answer.
 */
export function parse(p: Parser): Reading {
  checkOpening(p)
  refuseForAll(p)
  while (p.at < p.tokens.length) {
    const before = p.at
    refuseRole(p)
    sayOfSubject(p)
    refuseSecondQuestion(p)
    if (p.used.has(p.at)) {
      p.at++
      continue
    }
    if (p.values.has(p.at) && VALUE_RULES.some((rule) => rule(p))) continue
    if (RULES.some((rule) => rule(p))) continue
    if (p.at !== before) continue
    const token = p.tokens[p.at]
    if (token === undefined) break
    if (isPassable(p, token)) {
      passOver(p, token)
      p.at++
      continue
    }
    refuseWord(p, token)
  }
  if (p.counting) refuse('I do not see what should be counted.')
  return p.reading
}

/** “How many employees are managers?”: a noun said of what is counted narrows it, and no table tells by what. */
function refuseRole(p: Parser): void {
  if (p.reading.counted === undefined || !/^(are|were|is)$/.test(word(p, p.at - 1)) || p.values.has(p.at)) return
  const { length } = p.names.entitiesAt(p.at)[0] ?? {}
  const text = p.tokens.map((t) => t.text).slice(p.at, p.at + (length ?? 0))
  if (length === p.tokens.length - p.at)
    refuse(`I do not see which of them are ${text.join(' ')}. Please say it by a column or a value.`)
}

/** “members without a mentor are lapsed”: behind a main verb, what is said is said of what is asked for, and no longer of the words between. */
function sayOfSubject(p: Parser): void {
  const subject = p.reading.counted ?? p.reading.subject
  if (!COPULA.test(word(p, p.at)) || word(p, p.at + 1) === 'there' || /^(and|or|but|,)$/.test(word(p, p.at - 1))) return
  const relative = p.tokens.findLastIndex(
    ({ lower }, i) => i > 0 && i < p.at && /^(who|that|which|whose|where)$/.test(lower) && word(p, i - 1) !== ',',
  )
  // The first verb behind “who” is its own.
  const verbs = word(p, relative) === 'whose' ? ['have'] : RELATION_VERBS
  const isVerb = (at: number): boolean => COPULA.test(word(p, at)) || isParticiple(word(p, at)) || isForm(p, at, verbs)
  if (relative > 0 && !p.tokens.some((_, i) => i > relative && i < p.at && isVerb(i))) return
  if (subject?.kind === 'entity') p.anchor = { entity: subject.entity, ...given({ via: subject.via }) }
  if (subject?.kind === 'entity' || (p.clause?.conditions.length ?? 0) > 0) p.clause = undefined
}

const COPULA = /^(are|is|was|were)$/

function isPassable(p: Parser, token: Token): boolean {
  if (token.kind === 'number' || token.kind === 'quoted') return false
  if (PRONOUN.test(token.lower) && !hasAntecedent(p)) return false
  refuseSaidOfRows(p)
  if (MODAL.test(token.lower)) checkModal(p, token)
  if (token.lower === 'because') return isOwnReason(p)
  const next = skip(p, p.at + 1)
  if (token.lower === 'by') return saysWho(p) && (p.values.has(next) || entityAt(p, next) !== undefined)
  if (/^(with|having)$/.test(token.lower)) return introducesKnown(p, next)
  if (token.lower === 'among' && p.reading.share) return (p.reading.isAmong = true)
  if (token.lower === 'my') return refuseOwn(p)
  if (token.lower === 'but') return /^(not|never|without)$/.test(word(p, p.at + 1))
  if (token.lower === 'like') return /^(would|i)$/.test(word(p, p.at - 1))
  // “on hold”, “in use”: with a preposition before it, the word is no verb.
  const isNoun = /^(on|in|at|under|out|off|for)$/.test(word(p, p.at - 1))
  return FILLERS.has(token.lower) || (isForm(p, p.at, RELATION_VERBS) && !isNoun && !isBarePassive(p))
}

/** “How many tickets were handled”: nothing tells which of them were. That a thing was made or placed is true of all. */
function isBarePassive(p: Parser): boolean {
  const isPassive = /^(is|are|was|were|been|be|being|get|got)$/.test(word(p, p.at - 1))
  if (!isPassive || isForm(p, p.at, EXISTENCE_VERBS)) return false
  const next = skip(p, p.at + 2)
  const isTied = /^(by|in|at|on|from|to|with|for)$/.test(word(p, p.at + 1))
  return !(isTied && (p.values.has(next) || entityAt(p, next) !== undefined))
}

/** “My name”, “my manager”: whose? “My orders” are those of the business. */
function refuseOwn(p: Parser): boolean {
  const next = p.at + 1
  const { via } = p.names.entitiesAt(next)[0] ?? {}
  if (attributeAt(p, next) === undefined && via === undefined) return true
  return refuse(`“my ${word(p, next)}”: the database does not tell who asks. Please name the person.`)
}

/** “returns because of quality”: where that is told of the returns themselves. */
function isOwnReason(p: Parser): boolean {
  const own = subjectEntity(p)?.table.name
  const hits = p.values.get(skip(p, p.at + 2))?.hits ?? []
  return word(p, p.at + 1) === 'of' && hits.some(({ table }) => table === own)
}

const MODAL = /^(can|could|would|will)$/

/** “Could you list …” is a request; “can it be returned” asks what is allowed, which no row tells. */
function checkModal(p: Parser, { text }: Token): void {
  const isRequest = /^(you|i|we|please|anyone|someone|like|tell|give|show|list|get|see)$/.test(word(p, p.at + 1))
  if (!isRequest) refuse(`“${text}”: I can tell what is in the data, not what may be or will be.`)
}

/** “How many orders did they have”: who? A pronoun that nothing before it can stand for stops the question. */
function hasAntecedent(p: Parser): boolean {
  const isActor =
    /^(they|it)$/.test(word(p, p.at)) && /^(do|does|did|have|has|had|is|are|was|were)$/.test(word(p, p.at - 1))
  const isPart = word(p, p.at - 1) === 'of'
  return !isActor && !isPart && (!isFirst(p) || p.anchor !== undefined)
}

/** `with` says nothing of its own before a column, a value, a number or a figure. */
function introducesKnown(p: Parser, at: number): boolean {
  if (p.reading.counted !== undefined && attributeAt(p, at) !== undefined && word(p, at - 1) === 'with')
    return isFiltered(p, at)
  const isRanking = SUPERLATIVES[word(p, at)] !== undefined
  return (
    isRanking ||
    p.values.has(at) ||
    attributeAt(p, at) !== undefined ||
    comparisonAt(p, at) !== undefined ||
    measureAt(p, at, false) !== undefined
  )
}

function passOver(p: Parser, token: Token): void {
  const { reading } = p
  if (token.lower === 'who' && isFirst(p) && reading.conditions.length === 0) reading.who = true
  // After “that”, “who”: what a share is about begins here.
  if (p.reading.share && /^(that|who|which|are|is|were|was|come|comes|came)$/.test(token.lower)) {
    p.reading.shareFrom = p.reading.shareFrom ?? p.reading.conditions.length
  }
}

/** `five genres`. */
function limitRule(p: Parser): boolean {
  const number = p.tokens[p.at]
  if (number?.kind !== 'number' || number.value === undefined) return false
  const next = p.at + 1
  const noun = entityAt(p, next) ?? p.names.attributesAt(next)
  const isAdjective =
    SUPERLATIVES[word(p, next)] !== undefined ||
    Object.keys(RANKED_ADJECTIVES).some((a) => a.split(' ')[0] === word(p, next)) ||
    GRAINS[word(p, next)] !== undefined
  if (
    (noun === undefined && !isAdjective && !p.values.has(next)) ||
    p.reading.limit !== undefined ||
    p.reading.subject !== undefined
  )
    return false
  p.at = limitAt(p, p.at)
  return true
}
