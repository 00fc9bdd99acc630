import { CALLED_OFF } from '../../terms/vocabulary.ts'
import { isDate, type Entity } from '../../terms/catalogue.ts'
import { sameWord } from '../../terms/words.ts'
import { asMatch } from '../schema/amounts.ts'
import { dateAt } from '../words/dates.ts'
import { MONEY_NOUNS, MONEY_VERBS, RELATION_VERBS, SALE_VERBS } from '../words/lexicon.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, isForm, phraseAt, skip, subjectEntity, word } from './parser.ts'
import { attributeAt, entityAt } from './named-things.ts'
import { nounPhraseAt } from './noun-phrase.ts'
import { refuse } from '../refusal.ts'
import { dateVerbAt, isDatedLater } from './rules-date.ts'
import { comparisonAt, isTimes } from './rules-comparison.ts'
import { pushValue } from './rules-value.ts'
import { addFlag } from './rules-flag.ts'
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
  const isEvent = dateVerbAt(p, at) !== undefined || (word(p, at).endsWith('ed') && p.values.has(at))
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
  const noun = skip(p, isForm(p, at, RELATION_VERBS) ? at + 1 : at, 'a an any the to in on with from')
  const value = p.values.get(noun)
  if (value !== undefined) return negateValue(p, noun)
  if (entityAt(p, noun) !== undefined) return addHas(p, noun, true) && isAlone(p, never.phrase)
  return addFlag(p, at, false)
}

/** `orders that have not been returned`: the date that says when is not filled in. */
function addNotDone(p: Parser, at: number): boolean {
  const verb = dateVerbAt(p, at)
  const owner = p.clause?.entity ?? p.anchor?.entity ?? subjectEntity(p)
  const dates =
    owner?.attributes.filter((a) => isDate(a) && a.column.nullable && a.words.some((w) => sameWord(w, verb ?? ''))) ??
    []
  const [attribute, ...others] = dates
  if (verb === undefined || attribute === undefined || others.length > 0) return false
  addCondition(p, {
    kind: 'missing',
    attribute: asMatch(attribute, attribute.words.join(' ')),
    negated: false,
    ...anchored(p),
  })
  p.at = at + 1
  return true
}

const EXCEPT = 'except for,except,excluding,other than,apart from,not counting,leaving out,outside of,outside'.split(
  ',',
)

/** `except those in Ireland`, `excluding cancelled orders`, `outside Germany`. */
export const exceptRule: Rule = (p) => {
  const comma = p.tokens[p.at]?.kind === 'comma' ? 1 : 0
  const start = p.at + comma
  // “revenue without cancelled orders in 2025”: of the rows that the figure is made of, and the time is that of the figure.
  const isOwn = p.reading.measures.some((m) => m.kind === 'money' || m.kind === 'units') && p.values.has(start + 1)
  const opener =
    isOwn &&
    word(p, start) === 'without' &&
    entityAt(p, start + 1 + (p.values.get(start + 1)?.length ?? 0))?.entity === p.sales.header?.entity
      ? { phrase: 'without', length: 1 }
      : phraseAt(p, start, EXCEPT)
  if (opener === undefined) return false
  const text = opener.phrase
  const at = skip(p, start + opener.length, 'the those these any all ones in from of with that are is which who')
  const done = p.values.has(at) ? negateValue(p, at) : addFlag(p, at, false)
  if (!done) return refuse(`I do not know what to leave out after “${opener.phrase}”. Please name a value.`)
  // “excluding cancelled orders”: the noun only repeats what is left out.
  p.at = skip(p, p.at, 'one ones')
  const again = entityAt(p, p.at)
  if (again !== undefined) p.at += again.length
  return isAlone(p, text)
}

/** “without cancelled orders and returns”: what is joined to a thing left out is left out, too, and one is all that is read. */
function isAlone(p: Parser, text: string): true {
  if (!/^(and|or|nor|,)$/.test(word(p, p.at))) return true
  const next = skip(p, p.at + 1, 'a an any the and or')
  const joined = attributeAt(p, next) ?? nounPhraseAt(p, next)
  if (joined !== undefined)
    refuse(
      `I can leave out only one thing after “${text}”, and “${word(p, next)}” follows. Please ask for one at a time, or repeat “${text}”.`,
    )
  return true
}

/** `including cancelled orders`: the sales that are otherwise left out. */
export const includeRule: Rule = (p) => {
  const comma = p.tokens[p.at]?.kind === 'comma' ? 1 : 0
  const opener = phraseAt(p, p.at + comma, ['including', 'counting', 'with', 'together with'])
  if (opener === undefined) return false
  const at = skip(p, p.at + comma + opener.length, 'the any all those ones')
  const span = p.values.get(at)
  const isFigure = p.reading.measures.length > 0 || p.reading.ranking !== undefined
  if (span === undefined || !CALLED_OFF.includes(span.text.toLowerCase()) || !isFigure) return false
  p.reading.keepsCancelled = true
  p.at = skip(p, at + span.length, 'one ones')
  const again = entityAt(p, p.at)
  if (again !== undefined) p.at += again.length
  return true
}

function negateValue(p: Parser, at: number): boolean {
  const span = p.values.get(at)
  if (span === undefined || span.people !== undefined) return false
  const owner = entityAt(p, at + span.length)?.entity
  return pushValue(p, span, at + span.length, 'in', owner, undefined, true)
}

/** A column that is empty, or filled in. Names that are also tables are left to the tables. */
function addMissing(p: Parser, at: number, negated: boolean): boolean {
  const attribute = attributeAt(p, at)
  if (attribute === undefined) return false
  const owner = p.anchor?.entity ?? subjectEntity(p)
  const own = attribute.candidates.filter((c) => c.attribute.entity === owner && !c.attribute.isKey)
  if (own.length === 0) return false
  addCondition(p, {
    kind: 'missing',
    attribute: { ...attribute, candidates: own },
    negated,
    orZero: true,
    ...anchored(p),
  })
  p.at = at + attribute.length
  return true
}

function addHas(p: Parser, at: number, negated: boolean): boolean {
  const phrase = nounPhraseAt(p, skip(p, at, 'a an any the placed made'))
  if (phrase === undefined) return false
  if (negated) aboutLack(p)
  const { entity, via: key } = phrase.match
  const isSelf = entity === (p.anchor?.entity ?? subjectEntity(p))
  if (negated && isSelf && !entity.edges.some(({ to }) => to === entity))
    refuse(
      `I do not see what ${entity.nouns} would be without ${entity.nouns}. Please say which of them are to be left out.`,
    )
  const conditions = [...phrase.conditions]
  const via = key === undefined ? {} : { via: key }
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
  const entity = p.sales.header?.entity ?? p.sales.line?.entity
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
  const isTradeVerb = isForm(p, at, SALE_VERBS) && !p.names.entitiesAt(at).some((m) => m.length > 1)
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
  if (article && !isCompared(p, at)) {
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
  return match !== undefined && match.entity === subjectEntity(p)
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

/** `with a total over 20`: the column is compared rather than merely filled in. */
function isCompared(p: Parser, at: number): boolean {
  const next = at + (attributeAt(p, at)?.length ?? 0)
  const after = skip(p, next, 'is of = equal to are was')
  return p.values.has(after) || comparisonAt(p, after) !== undefined || p.tokens[after]?.kind === 'number'
}
