import { columnFor } from './adjectives.ts'
import type { Attribute } from './catalogue.ts'
import { isDate } from './catalogue.ts'
import { dateAt } from './dates.ts'
import { COMPARATIVES, COMPARISONS, CURRENCIES, MONEY_NOUNS, MONEY_VERBS, RELATION_VERBS, SALE_VERBS, UNIT_NOUNS, UNITS } from './lexicon.ts'
import { EXACT } from './names.ts'
import type { AttributeMatch } from './names.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, attributeAt, entityAt, isForm, isMoneyNoun, phraseAt, skip, subjectEntity, word } from './parser.ts'
import type { Comparison, Measure } from './reading.ts'
import { refuse } from './refusal.ts'
import { isSoldItem } from './sold.ts'
import { forms, sameWord } from './words.ts'

/** `in 2023`, `hired before 2003`, `since March 2024`. */
export const dateRule: Rule = (p) => {
  const verb = dateVerbAt(p, p.at)
  const start = verb === undefined ? p.at : p.at + 1
  const match = dateAt(p.tokens, start, p.today)
  if (match === undefined) return false
  addCondition(p, { kind: 'date', range: match.range, ...anchored(p), ...(verb === undefined ? {} : { verb }) })
  p.at = start + match.length
  return true
}

/** A verb that names a date column of a table spoken of: `hired` for `HireDate`. */
function dateVerbAt(p: Parser, at: number): string | undefined {
  const token = p.tokens[at]
  if (token === undefined || token.kind !== 'word' || !/(ed|ing|born|sold|bought|paid|sent)$/.test(token.lower)) return undefined
  const owners = [p.clause?.entity, p.anchor?.entity, subjectEntity(p), p.sales.header?.entity]
  const isNamed = (a: Attribute): boolean => isDate(a) && a.words.some((w) => !/^(date|at|on|time)$/.test(w) && sameWord(w, token.lower))
  return owners.some((owner) => owner?.attributes.some(isNamed)) ? token.lower : undefined
}

interface Compared {
  readonly op: Comparison
  readonly amount: number
  readonly upTo?: number
  readonly next: number
  /** The word after the number that gives its unit: `minutes`. */
  readonly unit?: string
}

/** `more than 10`, `at least 3 minutes`, `between 5 and 10`, `10 or more`. */
export function comparisonAt(p: Parser, at: number): Compared | undefined {
  if (word(p, at) === 'between') {
    const [low, and, high] = [p.tokens[at + 1], word(p, at + 2), p.tokens[at + 3]]
    if (low?.value === undefined || and !== 'and' || high?.value === undefined) return undefined
    return withUnit(p, { op: '>=', amount: low.value, upTo: high.value, next: at + 4 })
  }
  const found = phraseAt(p, at, COMPARISONS.map(([phrase]) => phrase))
  const op = COMPARISONS.find(([phrase]) => phrase === found?.phrase)?.[1]
  const number = p.tokens[at + (found?.length ?? 0)]
  if (number?.kind !== 'number' || number.value === undefined) return undefined
  const next = at + (found?.length ?? 0) + 1
  if (found !== undefined && op !== undefined) return withUnit(p, { op, amount: number.value, next })
  const after = phraseAt(p, next, ['or more', 'or above', 'and above', 'or less', 'or fewer', 'or below'])
  if (after === undefined) return undefined
  return withUnit(p, { op: /more|above/.test(after.phrase) ? '>=' : '<=', amount: number.value, next: next + after.length })
}

function withUnit(p: Parser, compared: Compared): Compared {
  if (isForm(p, compared.next, CURRENCIES)) return { ...compared, next: compared.next + 1 }
  const known = Object.values(UNITS).flatMap((row) => Object.keys(row))
  const unit = known.find((u) => isForm(p, compared.next, [u]))
  return unit === undefined ? compared : { ...compared, next: compared.next + 1, unit }
}

/** Writes an amount in the unit of the column it is compared with: 5 minutes are 300000 milliseconds. */
function inColumnUnit(compared: Compared, match: AttributeMatch): Compared {
  const { unit } = compared
  if (unit === undefined) return compared
  const column = match.candidates[0]?.attribute
  const row = Object.entries(UNITS).find(([own]) => column?.words.some((w) => forms(w).has(own)))?.[1]
  const factor = row?.[unit]
  if (factor === undefined) return refuse(`I do not know the unit of ${column?.column.name}, so I cannot compare it with ${unit}s.`)
  const upTo = compared.upTo === undefined ? {} : { upTo: compared.upTo * factor }
  return { ...compared, amount: compared.amount * factor, ...upTo }
}

function addCompare(p: Parser, attribute: AttributeMatch, compared: Compared): true {
  const { op, amount, upTo, next } = inColumnUnit(compared, attribute)
  addCondition(p, { kind: 'compare', attribute, op, amount, ...(upTo === undefined ? {} : { upTo }), ...anchored(p) })
  p.at = next
  return true
}

/** `longer than 5 minutes`, `more than 3 albums`, `spent over 40`, `total above 10`. */
export const comparisonRule: Rule = (p) => {
  const adjective = phraseAt(p, p.at, Object.keys(COMPARATIVES))
  const owner = p.clause?.entity ?? p.anchor?.entity ?? subjectEntity(p)
  if (adjective !== undefined) {
    const comparative = COMPARATIVES[adjective.phrase]
    const number = p.tokens[p.at + adjective.length]
    if (comparative === undefined || owner === undefined || number?.value === undefined || number.kind !== 'number') {
      return refuse(`I do not know what to compare with after “${adjective.phrase}”.`)
    }
    const compared = withUnit(p, { op: comparative.op, amount: number.value, next: p.at + adjective.length + 1 })
    return addCompare(p, columnFor(owner, comparative.columns, adjective.phrase), compared)
  }
  const isPriced = isForm(p, p.at, ['price', 'cost']) && comparisonAt(p, p.at + 1) !== undefined && attributeAt(p, p.at) === undefined
  const compared = comparisonAt(p, p.at + (isPriced ? 1 : 0))
  if (compared === undefined) return false
  if (isPriced && owner !== undefined) return addCompare(p, columnFor(owner, ['price', 'cost'], word(p, p.at)), compared)
  return addMetric(p, compared)
}

/** A number with what it counts: `more than 5 orders`, `sold at least 3 units`, `spent over 40`. */
function addMetric(p: Parser, compared: Compared): boolean {
  const verb = p.reading.saleVerb
  const measure = metricMeasure(p, compared, verb)
  if (measure === 'attribute') return true
  if (measure === undefined) {
    const text = p.tokens.slice(p.at, compared.next + 1).map((t) => t.text).join(' ')
    return refuse(`I do not know what “${text}” measures. Please name a column or a figure.`)
  }
  delete p.reading.saleVerb
  const { op, amount, upTo } = compared
  const conditions: [] = []
  addCondition(p, { kind: 'metric', measure: measure.measure, op, amount, ...(upTo === undefined ? {} : { upTo }), conditions, ...anchored(p) })
  p.at = measure.next
  // What follows belongs to the things counted: `more than 3 orders in 2023`.
  const entity = measure.measure.kind === 'count' ? measure.measure.entity : (p.sales.header?.entity ?? p.sales.line?.entity)
  if (entity !== undefined) {
    p.clause = { conditions, entity }
    p.anchor = { entity }
  }
  return true
}

function metricMeasure(p: Parser, compared: Compared, verb: 'money' | 'units' | undefined): { readonly measure: Measure; readonly next: number } | 'attribute' | undefined {
  const money: Measure = { kind: 'money', aggregate: 'sum', word: 'revenue' }
  const noun = skip(p, compared.next, 'in of different distinct unique')
  if (isMoneyNoun(p, noun) && !isForm(p, noun, ['sale'])) return { measure: money, next: noun + 1 }
  if (isForm(p, noun, UNIT_NOUNS) && p.names.entitiesAt(noun).length === 0) return { measure: { kind: 'units' }, next: noun + 1 }
  p.counting = true
  const entity = compared.unit === undefined ? entityAt(p, noun) : undefined
  p.counting = false
  if (entity !== undefined) {
    const isUnits = verb === 'units' && isSoldItem(p.sales, entity.entity)
    const via = entity.via === undefined ? {} : { via: entity.via }
    const next = noun + entity.length
    return { measure: isUnits ? { kind: 'units', of: entity.entity } : { kind: 'count', entity: entity.entity, ...via }, next }
  }
  const attribute = attributeAt(p, noun)
  if (attribute !== undefined && compared.unit === undefined) {
    addCompare(p, attribute, { ...compared, next: noun + attribute.length })
    return 'attribute'
  }
  if (verb === 'money') return { measure: money, next: compared.next }
  return undefined
}

/** `revenue over 100`, `sales of more than 50`: a figure named before the number. Called where the figure was just read. */
export function metricAfterFigure(p: Parser): boolean {
  const of = skip(p, p.at, 'of is was are were that')
  if (dateAt(p.tokens, of, p.today) !== undefined) return false
  const compared = comparisonAt(p, of)
  const measure = p.reading.measures.at(-1)
  if (compared === undefined || measure === undefined || compared.unit !== undefined) return false
  p.reading.measures.pop()
  const { op, amount, upTo } = compared
  const conditions: [] = []
  addCondition(p, { kind: 'metric', measure, op, amount, ...(upTo === undefined ? {} : { upTo }), conditions, ...anchored(p) })
  p.at = compared.next
  const entity = p.sales.header?.entity ?? p.sales.line?.entity
  if (entity !== undefined) p.clause = { conditions, entity }
  return true
}

const NEGATED = ['without any', 'without a', 'without an', 'without', 'with no', 'have no', 'has no', 'had no', 'lacking', 'missing', 'that are not in any', 'not in any', 'not in a', 'not on any', 'not part of any', 'do not have any', 'does not have any', 'did not have any', 'do not have a', 'does not have a', 'do not have an', 'does not have an', 'have not had any', 'do not have', 'does not have', 'not have', 'no']
const NEVER = ['have never', 'has never', 'had never', 'were never', 'was never', 'never', 'did not', 'do not', 'does not', 'have not', 'has not', 'had not', 'was not', 'were not', 'is not', 'are not', 'not', "didn't"]

/** `without orders`, `with no company`, `never sold`, `did not place an order`. */
export const negationRule: Rule = (p) => {
  const plain = phraseAt(p, p.at, NEGATED)
  if (plain !== undefined) {
    const at = skip(p, p.at + plain.length, 'a an any the')
    const done = addMissing(p, at, false) || addHas(p, at, true)
    if (done) return true
  }
  const never = phraseAt(p, p.at, NEVER)
  if (never === undefined) return false
  const at = skip(p, p.at + never.length, 'been ever yet be from in')
  if (isForm(p, at, [...SALE_VERBS, ...MONEY_VERBS])) return openSale(p, at + 1, true)
  const noun = skip(p, isForm(p, at, RELATION_VERBS) ? at + 1 : at, 'a an any the to in on with from')
  const value = p.values.get(noun)
  if (value !== undefined) return negateValue(p, noun)
  if (entityAt(p, noun) !== undefined) return addHas(p, noun, true)
  return addFlag(p, at, false)
}

function negateValue(p: Parser, at: number): boolean {
  const span = p.values.get(at)
  if (span === undefined || span.person !== undefined) return false
  addCondition(p, { kind: 'value', text: span.text, alternatives: [span.hits], mention: 'in', negated: true, ...anchored(p) })
  p.at = at + span.length
  return true
}

/** A column that is empty, or filled in. Names that are also tables are left to the tables. */
function addMissing(p: Parser, at: number, negated: boolean): boolean {
  const attribute = attributeAt(p, at)
  if (attribute === undefined) return false
  const owner = p.anchor?.entity ?? subjectEntity(p)
  const own = attribute.candidates.filter((c) => c.attribute.entity === owner && !c.attribute.isKey)
  if (own.length === 0) return false
  addCondition(p, { kind: 'missing', attribute: { ...attribute, candidates: own }, negated, ...anchored(p) })
  p.at = at + attribute.length
  return true
}

function addHas(p: Parser, at: number, negated: boolean): boolean {
  const start = skip(p, at, 'a an any the placed made')
  p.counting = true
  const match = entityAt(p, start)
  p.counting = false
  if (match === undefined) return false
  const conditions: [] = []
  const via = match.via === undefined ? {} : { via: match.via }
  addCondition(p, { kind: 'has', entity: match.entity, negated, conditions, ...via })
  p.clause = { conditions, entity: match.entity }
  p.anchor = { entity: match.entity, ...via }
  p.at = start + match.length
  return true
}

function openSale(p: Parser, at: number, negated: boolean): boolean {
  const entity = p.sales.header?.entity ?? p.sales.line?.entity
  if (entity === undefined) return refuse(`I do not see where ${p.catalogue.database} keeps what was sold.`)
  const conditions: [] = []
  addCondition(p, { kind: 'has', entity: 'sale', negated, conditions })
  p.clause = { conditions, entity }
  p.anchor = { entity }
  p.at = skip(p, at, 'a an any the anything something')
  return true
}

const RELATIVE = ['who', 'that', 'which', 'whose']

/** `who bought …`, `with orders`, `that have albums`, `having a fax number`. */
export const clauseRule: Rule = (p) => {
  const subject = p.reading.subject ?? p.reading.counted
  if (subject === undefined) return false
  const relative = RELATIVE.includes(word(p, p.at)) ? 1 : 0
  let at = skip(p, p.at + relative, 'have has had been were was are is did')
  // `ordered` where `orders` is a table.
  const verbOf = /(ed|ing)$/.test(word(p, at)) ? p.names.entitiesAt(at)[0] : undefined
  if (verbOf !== undefined && verbOf.entity !== subjectEntity(p) && attributeAt(p, at) === undefined && p.clause === undefined) return addHas(p, at, false)
  const isTradeVerb = isForm(p, at, SALE_VERBS)
  if (isTradeVerb && opensSale(p, at)) return openSale(p, at + 1, false)
  const isWith = /^(with|having|have|has|had)$/.test(word(p, p.at + relative))
  const isLinkVerb = isForm(p, at, RELATION_VERBS)
  if (!isWith && !(relative === 1 && isLinkVerb) && !(isLinkVerb && isForm(p, at, ['place', 'make', 'submit', 'raise', 'file']))) return false
  if (isWith) at = p.at + relative + 1
  if (isForm(p, at, RELATION_VERBS) || word(p, at) === 'been') at++
  const article = /^(a|an|any|some|at)$/.test(word(p, at))
  at = skip(p, at, 'a an any some')
  if (p.values.has(at) || phraseAt(p, at, ['more', 'at', 'over', 'no', 'the']) !== undefined) return false
  if (article && addMissingUnlessCompared(p, at)) return true
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
function opensSale(p: Parser, at: number): boolean {
  const next = skip(p, at + 1, 'the')
  if (/^(most|least|fewest|more|over|at|fewer|less|exactly|between|under|highest|lowest)$/.test(word(p, next)) && dateAt(p.tokens, at + 1, p.today) === undefined) return false
  const subject = subjectEntity(p)
  if (subject === undefined || p.clause !== undefined) return false
  if (p.reading.counted !== undefined && isSoldItem(p.sales, subject) && !p.reading.distinct) return false
  return p.reading.measures.length === 0 && p.reading.ranking?.by === undefined
}

function addMissingUnlessCompared(p: Parser, at: number): boolean {
  const attribute = attributeAt(p, at)
  if (attribute === undefined) return false
  const next = at + attribute.length
  const after = skip(p, next, 'is of = equal to are was')
  if (p.values.has(after) || comparisonAt(p, after) !== undefined || p.tokens[after]?.kind === 'number') return false
  return addMissing(p, at, true)
}

/** `active customers`, `that are discontinued`, `inactive products`. */
export const flagRule: Rule = (p) => {
  if (p.tokens[p.at]?.kind !== 'word') return false
  return addFlag(p, p.at, true)
}

function addFlag(p: Parser, at: number, value: boolean): boolean {
  const attribute = attributeAt(p, at)
  const flags = attribute?.candidates.filter((c) => isFlag(c.attribute) && c.score === EXACT) ?? []
  if (attribute !== undefined && flags.length > 0) {
    addCondition(p, { kind: 'flag', attribute: { ...attribute, candidates: flags }, value, ...anchored(p) })
    p.at = at + attribute.length
    return true
  }
  const opposite = /^(?:in|un|non)(.{4,})$/.exec(word(p, at))?.[1]
  if (opposite === undefined) return false
  const candidates = p.catalogue.entities
    .flatMap((e) => e.attributes)
    .filter((a) => isFlag(a) && sameWord(a.words.at(-1) ?? '', opposite))
    .map((a) => ({ attribute: a, score: EXACT }))
  if (candidates.length === 0) return false
  addCondition(p, { kind: 'flag', attribute: { candidates, length: 1, text: word(p, at) }, value: !value, ...anchored(p) })
  p.at = at + 1
  return true
}

function isFlag(attribute: Attribute): boolean {
  const { kind } = attribute.column
  return kind === 'boolean' || (kind === 'number' && /^(is|has)$/.test(attribute.words[0] ?? ''))
}

const PLACES: Readonly<Record<string, 'start' | 'end' | 'anywhere'>> = {
  'starting with': 'start', 'starts with': 'start', 'start with': 'start', 'beginning with': 'start', 'begins with': 'start', 'begin with': 'start',
  'ending with': 'end', 'ends with': 'end', 'end with': 'end', 'ending in': 'end', 'ends in': 'end', containing: 'anywhere', contains: 'anywhere', contain: 'anywhere', 'with the word': 'anywhere',
}

/** `starts with A`, `containing 'love'`: the text is taken as it stands. */
export function likeAt(p: Parser, start: number, attribute?: AttributeMatch): boolean {
  const at = skip(p, start, 'that which')
  const place = phraseAt(p, at, Object.keys(PLACES))
  const text = p.tokens[skip(p, at + (place?.length ?? 0), 'the word letter text')]
  const kind = place === undefined ? undefined : PLACES[place.phrase]
  if (place === undefined || kind === undefined || text === undefined || text.kind === 'comma') return false
  const isText = text.kind === 'quoted' || /(with| in)$/.test(place.phrase) || (attribute !== undefined && text.kind === 'word')
  if (!isText) return false
  addCondition(p, { kind: 'like', text: text.text, place: kind, ...anchored(p), ...(attribute === undefined ? {} : { attribute }) })
  p.at = p.tokens.indexOf(text) + 1
  return true
}

export const likeRule: Rule = (p) => likeAt(p, p.at)

/** `who report to Andrew Adams`: a table that points at itself. */
export const reportsRule: Rule = (p) => {
  const entity = subjectEntity(p) ?? p.catalogue.entities.find((e) => e.edges.some((edge) => edge.from === edge.to))
  const edge = entity?.edges.find((e) => e.from === e.to && e.kind === 'one')
  if (entity === undefined || edge === undefined || edge.role[0] === undefined) return false
  const at = skip(p, p.at, 'who that which')
  if (!sameWord(word(p, at), edge.role[0]) || word(p, at + 1) !== 'to') return false
  const next = skip(p, at + 2)
  const span = p.values.get(next)
  if (span === undefined) return refuse(`I can list the ${entity.nouns} who report to one named person, and nothing else about who reports to whom.`)
  p.reading.subject = p.reading.subject ?? { kind: 'entity', entity }
  const conditions = span.person === undefined
    ? [{ kind: 'value' as const, text: span.text, alternatives: [span.hits], mention: 'named' as const, negated: false, anchor: entity }]
    : [{ kind: 'person' as const, entity, ...span.person }]
  addCondition(p, { kind: 'reports', edge, conditions })
  p.at = next + span.length
  return true
}
