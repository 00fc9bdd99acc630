import { onlyOf } from '../../core/only.ts'
import { given } from '../../core/given.ts'
import { saleOf } from '../../terms/sales.ts'
import { entitySpokenOf } from './parser.ts'
import { isDate, type Attribute, type Entity } from '../../terms/catalogue.ts'
import { isParticiple } from '../../terms/words.ts'
import { tellsOf } from '../../terms/dates.ts'
import { asMatch } from '../../terms/amounts.ts'
import { dateAt } from '../words/dates.ts'
import { MONEY_NOUNS, MONEY_VERBS, RELATION_VERBS, SALE_VERBS } from '../words/lexicon.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, isForm, phraseAt, skip, subjectEntity, word } from './parser.ts'
import { attributeAt, entityAt, isDatedLater } from './named-things.ts'
import { nounPhraseAt } from './noun-phrase.ts'
import { isFlag } from '../../terms/flags.ts'
import { refuse } from '../refusal.ts'
import { dateVerbAt } from './rules-date.ts'
import { comparisonAt, isFiltered, isTimes } from './rules-comparison.ts'
import { addFilled, addFlag } from './rules-flag.ts'
import { isAlone, negateValue } from './rules-except.ts'
import { isSoldItem } from '../../terms/sold.ts'

/** Articles after them are skipped. */
const NEGATED = (
  'without,with no,have no,has no,had no,lacking,missing,that are not in any,not in any,not in a,not on any,not part of any,' +
  'do not have,does not have,did not have,have not had,not have,no'
).split(',')
const NEVER = (
  'have never,has never,had never,were never,was never,never,did not,do not,does not,have not,has not,had not,was not,' +
  'were not,is not,are not,not'
).split(',')

/** `without orders`, `with no company`, `never sold`, `did not place an order`. */
export const negationRule: Rule = (p) => {
  const plain = phraseAt(p, p.at, NEGATED)
  if (plain !== undefined) {
    const at = skip(p, p.at + plain.length, 'a an any the')
    const done = addMissing(p, at, false) || addHas(p, at, true)
    if (done) return isAlone(p, plain.phrase)
  }
  const never = phraseAt(p, p.at, NEVER)
  if (never === undefined) return false
  const at = skip(p, p.at + never.length, 'been ever yet be from in')
  const isEvent = dateVerbAt(p, at) !== undefined || (isParticiple(word(p, at)) && p.values.has(at))
  if (isEvent && isDatedLater(p, at + 1))
    return refuse(
      `“${never.phrase} ${word(p, at)}” with a time could mean never, or at another time. Please ask for those that were, or for those without a date.`,
    )
  // “are not shipped” is a state, too; “have not been shipped” has not come to pass.
  const isPending = /^(have|has|had)/.test(never.phrase) || word(p, at - 1) === 'yet'
  if ((isPending || !p.values.has(at)) && addNotDone(p, at)) return true
  if (isEvent && p.values.has(at) && isPending)
    return refuse(`I do not know which rows are still to be “${word(p, at)}”. Please name the state that they are in.`)
  if (isForm(p, at, [...SALE_VERBS, ...MONEY_VERBS])) return openSale(p, at + 1, true)
  // “not in service”, where that is a column: the preposition is part of its name.
  if ((attributeAt(p, at - 1)?.length ?? 0) > 1 && addFlag(p, at - 1, false)) return true
  const noun = skip(
    p,
    isForm(p, at, RELATION_VERBS) && !p.values.has(at) ? at + 1 : at,
    'a an any the to in on with from',
  )
  const value = p.values.get(noun)
  if (value !== undefined) return negateValue(p, noun)
  if (entityAt(p, noun) !== undefined) return addHas(p, noun, true) && isAlone(p, never.phrase)
  return addFlag(p, at, false)
}

/** `orders that have not been returned`: the date that says when is not filled in. */
function addNotDone(p: Parser, at: number): boolean {
  const verb = dateVerbAt(p, at)
  const owner = entitySpokenOf(p)
  const isPending = (a: Attribute): boolean =>
    isDate(a) && a.column.nullable && a.words.some((w) => tellsOf(w, verb ?? ''))
  const date = onlyOf(owner?.attributes.filter(isPending) ?? [])
  if (verb === undefined || date === undefined) return false
  addCondition(p, { kind: 'missing', attribute: asMatch(date, date.words.join(' ')), negated: false, ...anchored(p) })
  p.at = skip(p, at + 1, 'yet')
  return true
}

/** A column that is empty, or filled in. Names that are also tables are left to the tables. */
function addMissing(p: Parser, at: number, negated: boolean): boolean {
  const attribute = attributeAt(p, at)
  if (attribute === undefined) return false
  const owner = p.anchor?.entity ?? subjectEntity(p)
  const own = attribute.candidates.filter((c) => c.attribute.entity === owner && !c.attribute.isKey)
  if (own.length === 0) return false
  // “without newsletter”: what says yes or no is filled in for either.
  if (own.some((c) => c.attribute.allWords !== undefined && isFlag(p.catalogue, c.attribute)))
    return addFlag(p, at, negated)
  return addFilled(p, { ...attribute, candidates: own }, negated, at + attribute.length)
}

function addHas(p: Parser, at: number, negated: boolean): boolean {
  const phrase = nounPhraseAt(p, skip(p, at, 'a an any the placed made'))
  if (phrase === undefined) return false
  if (negated) aboutLack(p)
  const { entity, via: key } = phrase.match
  // “who has no manager”: those who could have one.
  if (negated && key?.from === entity && subjectEntity(p) === undefined) p.reading.subject = { kind: 'entity', entity }
  const isSelf = entity === (p.anchor?.entity ?? subjectEntity(p))
  if (negated && isSelf && !entity.edges.some(({ to }) => to === entity))
    refuse(
      `I do not see what ${entity.nouns} would be without ${entity.nouns}. Please say which of them are to be left out.`,
    )
  const conditions = [...phrase.conditions]
  const via = given({ via: key })
  addCondition(p, { kind: 'has', entity, negated, conditions, ...about(p), ...via })
  p.clause = { conditions, entity }
  p.anchor = { entity, ...via }
  p.at = phrase.next
  return true
}

/** `with contacts and without orders`: both are said of the same thing. Values are only known from the rows that have them. */
function aboutLack(p: Parser): void {
  const { reading } = p
  const last = reading.conditions.at(-1)
  const owner = last?.anchor ?? subjectEntity(p)
  if (word(p, p.at - 1) === 'and' && p.clause !== undefined) {
    if (last?.kind !== 'has' || last.conditions !== p.clause.conditions || owner === undefined)
      refuse(`I do not see what “${word(p, p.at)} …” is said of. Please ask for one condition at a time.`)
    else p.anchor = { entity: owner }
    p.clause = undefined
  }
  const listed = reading.subject ?? reading.counted
  const before = /^(who|that|which)$/.test(word(p, p.at - 1)) ? p.at - 2 : p.at - 1
  const isOfRows = before < p.at - 1 || /^(without|with|lacking)$/.test(word(p, p.at))
  if (listed?.kind === 'attribute' && !(isOfRows && p.names.entitiesAt(before).length > 0))
    refuse(
      `I know “${listed.match.text}” only from the rows that have it, so I cannot tell which have none. Please ask for those that have some.`,
    )
}

/** The table a clause is about: the one spoken of last, outside other clauses. */
function about(p: Parser): { readonly anchor?: Entity } {
  return p.clause === undefined && p.anchor !== undefined ? { anchor: p.anchor.entity } : {}
}

function openSale(p: Parser, at: number, negated: boolean): boolean {
  const entity = saleOf(p.sales)
  if (entity === undefined) return refuse(`I do not see where ${p.catalogue.database} keeps what was sold.`)
  if (negated) aboutLack(p)
  const conditions: [] = []
  addCondition(p, { kind: 'has', entity: 'sale', negated, conditions, ...about(p) })
  p.clause = { conditions, entity }
  p.anchor = { entity }
  p.at = skip(p, at, 'a an any the anything something')
  return true
}

const RELATIVE: ReadonlySet<string> = new Set(['who', 'that', 'which', 'whose'])

/** `who bought …`, `with orders`, `that have albums`, `having a fax number`. */
export const clauseRule: Rule = (p) => {
  const relative = RELATIVE.has(word(p, p.at)) ? 1 : 0
  const subject = p.reading.subject ?? p.reading.counted ?? (relative === 1 ? p.anchor : undefined)
  if (subject === undefined) return false
  let at = skip(p, p.at + relative, 'have has had been were was are is did')
  // `ordered` where `orders` is a table.
  const verbOf = /(ed|ing)$/.test(word(p, at)) ? p.names.entitiesAt(at)[0] : undefined
  if (
    verbOf !== undefined &&
    verbOf.entity !== subjectEntity(p) &&
    attributeAt(p, at) === undefined &&
    p.clause === undefined
  )
    return addHas(p, at, false)
  const isTradeVerb =
    isForm(p, at, SALE_VERBS) && !p.values.has(at) && !p.names.entitiesAt(at).some((m) => m.length > 1)
  if (isTradeVerb && opensSale(p, at, relative === 1)) return openSale(p, at + 1, false)
  const isWith = /^(with|having|have|has|had)$/.test(word(p, p.at + relative))
  const isLinkVerb = isForm(p, at, RELATION_VERBS)
  if (
    !isWith &&
    !(relative === 1 && isLinkVerb) &&
    !(isLinkVerb && isForm(p, at, ['place', 'make', 'submit', 'raise', 'file']))
  )
    return false
  if (isWith) at = p.at + relative + 1
  if (isForm(p, at, RELATION_VERBS) || word(p, at) === 'been') at++
  const article = /^(a|an|any|some|at)$/.test(word(p, at))
  at = skip(p, at, 'a an any some')
  if (p.values.has(at) || phraseAt(p, at, ['more', 'at', 'over', 'no', 'the']) !== undefined) return false
  if (article && !isFiltered(p, at)) {
    if (addMissing(p, at, true)) return true
    if (attributeAt(p, at) !== undefined)
      return refuse(
        `I do not see what “with a ${word(p, at)}” says: it is no column of ${subjectEntity(p)?.nouns ?? 'the table'}.`,
      )
  }
  if (attributeAt(p, at) !== undefined) return false
  // “with sales over 100” is a figure, not a link.
  if (isForm(p, at, MONEY_NOUNS) && comparisonAt(p, skip(p, at + 1, 'of')) !== undefined) return false
  return isSubjectItself(p, at) ? false : addHas(p, at, false)
}

/** Not `customers with their customers`: a second mention of the subject is no clause. */
function isSubjectItself(p: Parser, at: number): boolean {
  const match = p.names.entitiesAt(at)[0]
  return match !== undefined && match.via === undefined && match.entity === subjectEntity(p)
}

/** A verb of trade opens a clause unless a ranking or a number follows, or the sold thing itself is the subject. */
function opensSale(p: Parser, at: number, isRelative: boolean): boolean {
  const next = skip(p, at + 1, 'the')
  if (
    /^(most|least|fewest|more|over|at|fewer|less|exactly|between|under|highest|lowest)$/.test(word(p, next)) &&
    dateAt(p.tokens, at + 1, p.today) === undefined &&
    !isTimes(p, next)
  )
    return false
  if (p.clause !== undefined) return false
  // `revenue from customers who bought Atlas`: all revenue of such customers, not what Atlas brought.
  if (isRelative && p.anchor !== undefined && !isSoldItem(p.sales, p.anchor.entity)) return true
  const subject = subjectEntity(p)
  if (subject === undefined) return false
  if (p.reading.counted !== undefined && isSoldItem(p.sales, subject) && !p.reading.distinct) return false
  return p.reading.measures.length === 0 && p.reading.ranking?.by === undefined
}
