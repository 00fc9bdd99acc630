import { isDate, type Attribute, type Catalogue, type Entity } from '../../databases/glossary/catalogue.ts'
import { REVENUE } from '../../databases/glossary/terms.ts'
import type { Item } from './items.ts'
import type { ColumnName } from './names.ts'
import { isToMany, shortestPaths } from './paths.ts'
import type { Bound, Condition, Measure, Pending, Reading, Scope, Test } from './reading.ts'
import { amountAttribute, entityOf, isAdditive, keyDistance, nearestEventDate, superlativeColumn } from './resolve.ts'
import { declineQuestion, type ValueHit } from './types.ts'

export type ItemOf<K extends Item['kind']> = Extract<Item, { kind: K }>

/** Keeps what was read so far, and reads the conditions on rows. */
export class ConditionReader {
  protected readonly items: readonly Item[]
  protected readonly catalogue: Catalogue
  protected readonly reading: Reading = {
    mode: undefined,
    measures: [],
    groups: [],
    selected: [],
    facts: [],
    assumptions: new Set(),
  }
  /** Said before the noun that they are about. */
  protected before: Condition[] = []
  /** Periods and values that only the rows of the figure can have. */
  protected held: Condition[] = []
  /** Items with a word such as “the” before them. */
  protected readonly apart: ReadonlySet<Item>
  /** Whether the question is about the past. */
  protected readonly isPast: boolean
  /** The subject, and the last table that its rows are related to. */
  protected readonly scopes: Scope[] = []
  protected readonly verbDates = new Map<Scope, Attribute>()
  protected readonly pending: Pending = {}
  /** The word of each pending item. */
  protected readonly askedBy: Partial<Record<keyof Pending, string>> = {}
  protected hasPeriod = false
  protected at = 0

  constructor(items: readonly Item[], catalogue: Catalogue) {
    this.items = items.filter((item) => !isFiller(item))
    this.apart = new Set(items.filter((_, i) => i > 0 && isFiller(items[i - 1]!)))
    this.isPast = items.some(({ kind, text }) => kind === 'word' && /^(?:was|were|came|did)$/i.test(text))
    this.catalogue = catalogue
  }

  protected get subject(): Scope | undefined {
    return this.reading.subject
  }

  protected lost(text: string): never {
    return declineQuestion(`I do not understand “${text}” here.`, [text])
  }

  protected next(offset = 0): Item | undefined {
    return this.items[this.at + offset]
  }

  protected isNextWord(role: string): boolean {
    const next = this.next()
    return next?.kind === 'word' && next.role === role
  }

  /** Returns what is pending and clears it. */
  protected take<Key extends keyof Pending>(key: Key): Pending[Key] {
    const value = this.pending[key]
    delete this.pending[key]
    return value
  }

  /** Whether a negation is pending, which is cleared. */
  protected negated(): boolean {
    return this.take('negation') !== undefined
  }

  protected add(scope: Scope | undefined, test: Test, text: string, isNegated = false): void {
    if (isNegated && scope !== undefined && scope !== this.subject) this.lost(text)
    const condition = { test, text, isNegated, isBefore: scope === undefined }
    const others = scope?.conditions ?? this.before
    this.checkOther(condition, others)
    others.push(condition)
  }

  /** A row has one value in a column: “from Germany from Ireland” is of none. */
  protected checkOther({ test, text, isNegated }: Condition, others: readonly Condition[]): void {
    const columnsOf = (one: Test): string[] =>
      one.kind === 'value' ? one.hits.map(({ table, column }) => `${table}.${column}`) : []
    const columns = isNegated ? [] : columnsOf(test)
    const other = others.find((one) => !one.isNegated && columnsOf(one.test).some((name) => columns.includes(name)))
    if (other !== undefined)
      declineQuestion(`Nothing is both “${other.text}” and “${text}”. Please join them with “or”.`)
  }

  protected setRank(direction: 'asc' | 'desc', by: NonNullable<Reading['rank']>['by']): void {
    if (this.reading.rank?.by !== undefined) declineQuestion('I can rank by one figure at a time.')
    this.reading.rank = { direction, by, place: this.take('place') }
    this.take('rank')
    this.reading.mode ??= 'list'
  }

  /** The sales metric of the business terms, or sales as derived from the tables. */
  protected sales(): Measure {
    return Object.hasOwn(this.catalogue.terms.metrics, REVENUE) ? { kind: 'metric', name: REVENUE } : { kind: 'sales' }
  }

  protected measure(measure: Measure, text: string): void {
    const { pending, reading } = this
    if (pending.rank !== undefined) return this.setRank(pending.rank.direction, measure)
    if (pending.group !== undefined && reading.rank !== undefined && reading.rank.by === undefined) {
      this.take('group')
      return this.setRank(reading.rank.direction, measure)
    }
    const isOther = pending.group !== undefined || pending.negation !== undefined || pending.has === true
    if (isOther || this.subject !== undefined || reading.measures.length > 0 || (pending.agg ?? 'sum') !== 'sum')
      this.lost(text)
    this.take('agg')
    reading.mode = 'figure'
    reading.measures.push(measure)
  }

  protected entityOf(hit: ValueHit): Entity {
    return entityOf(this.catalogue, hit.table)
  }

  /** “Total payments”, “average …”, “longest track”. */
  protected asSubject({ entity }: Scope, text: string): void {
    const { pending, reading } = this
    const fn = pending.isCounting ? undefined : this.take('agg')
    if (fn !== undefined) {
      const amount = amountAttribute(entity)
      if (amount !== undefined && !isAdditive(amount)) this.lost(text)
      reading.measures.push({ kind: 'amount', fn, entity })
    } else if (pending.isCounting || (reading.mode === 'figure' && reading.measures.length === 0)) {
      this.take('isCounting')
      this.take('agg')
      reading.measures.push({ kind: 'count', entity })
    }
    if (pending.rank === undefined || pending.rank.hint === 'count') return
    const { direction, hint } = pending.rank
    const attribute = superlativeColumn(entity, hint)
    if (attribute === undefined)
      declineQuestion(`Please name the column of ${entity.nouns} that “${this.askedBy.rank}” compares.`)
    if (isDate(attribute) || hint === 'price') reading.assumptions.add(`it is measured by ${attribute.column.name}`)
    this.setRank(direction, { kind: 'attribute', attribute })
  }

  /** Adds the condition that the subject has some, no or a number of rows in another table. */
  protected related(entity: Entity, text: string, bound: Pending['bound']): void {
    const { subject } = this
    if (subject === undefined || entity === subject.entity || this.scopes.at(-1) !== subject) this.lost(text)
    const isDirect = shortestPaths(subject.entity, entity).every((path) => path.filter(isToMany).length < 2)
    if (this.pending.negation === 'not' && !isDirect)
      declineQuestion(`“not ${text}” may mean never, or not each time. Please say “never ${text}”.`)
    const isNegated = this.negated()
    this.pending.has = false
    const scope: Scope = { entity, conditions: this.before }
    this.before = []
    const phrase = bound === undefined ? text : `${bound.text} ${text}`
    subject.conditions.push({ test: { kind: 'related', scope, bound }, isNegated, text: phrase, isBefore: false })
    this.scopes.push(scope)
  }

  /** The last condition if it is about related rows: “ordered … times”, “returned most often”. */
  protected lastRelated(): Extract<Test, { kind: 'related' }> | undefined {
    const last = this.subject?.conditions.at(-1)
    if (last?.test.kind !== 'related' || last.isNegated || last.test.bound !== undefined) return undefined
    return last.test
  }

  /** “The most delivered orders”: words before the noun apply to the counted rows. */
  protected flushBefore(): void {
    this.reading.facts.push(...this.before.map((one) => ({ ...one, isBefore: false })))
    this.before = []
  }

  protected flag(flags: readonly ColumnName[], text: string, isOpposite: boolean): void {
    const next = this.next()
    const own = (entity: Entity | undefined) => flags.find(({ attribute }) => attribute.entity === entity)?.attribute
    const scope = next?.kind === 'entity' ? undefined : this.scopes.findLast(({ entity }) => own(entity) !== undefined)
    const attribute = own(next?.kind === 'entity' ? next.entity : scope?.entity)
    if (attribute === undefined) this.lost(text)
    this.pending.has = false
    const phrase = isOpposite ? attribute.words.at(-1)! : text
    this.add(scope, { kind: 'flag', attribute }, phrase, this.negated() !== isOpposite)
  }

  /** Assigns a value to the noun whose rows contain it, starting with the last noun. */
  protected giveValue(hits: readonly ValueHit[], text: string, isNamed = false): void {
    const others: (readonly ValueHit[])[] = []
    this.pending.has = false
    let phrase = text
    // “Berlin or Cork”.
    while (this.isNextWord('or')) {
      const other = this.next(1)
      if (other?.kind !== 'value') break
      this.at += 2
      others.push(other.hits)
      phrase += ` or ${other.text}`
    }
    const test: Test = { kind: 'value', hits, others, isNamed }
    // “No open tickets”: the negation applies to the tickets.
    const isOfNoun = this.subject !== undefined && this.next()?.kind === 'entity'
    if (isOfNoun && /^(?:none|without)$/.test(this.pending.negation ?? '')) return this.add(undefined, test, phrase)
    const isNegated = this.negated()
    const farness = ({ entity }: Scope): number =>
      Math.min(...hits.map((hit) => keyDistance(entity, this.entityOf(hit)) ?? Infinity))
    const [best] = this.scopes.toReversed().toSorted((a, b) => farness(a) - farness(b))
    if (best === undefined || farness(best) < Infinity) return this.add(best, test, phrase, isNegated)
    const condition = { test, text: phrase, isNegated, isBefore: false }
    this.checkOther(condition, this.held)
    this.held.push(condition)
  }

  /** “Who reports to Ann”, “who does Ann report to”. */
  protected report(text: string): void {
    const next = this.next()
    const before = this.before.find(({ test }) => test.kind === 'value')
    const manager = next?.kind === 'value' ? next : undefined
    const hits = manager?.hits ?? (before?.test.kind === 'value' ? before.test.hits : [])
    const found = hits.flatMap((hit) =>
      this.entityOf(hit)
        .edges.filter((edge) => edge.from === edge.to && edge.kind === (manager === undefined ? 'many' : 'one'))
        .map((edge) => ({ hit, edge })),
    )
    const [edge, ...others] = new Set(found.map((one) => one.edge))
    if (edge === undefined || others.length > 0) this.lost(text)
    const subject = (this.reading.subject ??= { entity: edge.from, conditions: [] })
    if (subject.entity !== edge.from) this.lost(text)
    if (!this.scopes.includes(subject)) this.scopes.push(subject)
    if (manager === undefined) this.before = this.before.filter((one) => one !== before)
    else this.at++
    this.reading.mode ??= 'list'
    const test = { kind: 'hierarchy', edge, hits: found.map((one) => one.hit) } as const
    this.add(subject, test, `${text} ${(manager ?? before)!.text}`, this.negated())
  }

  /** A number behind “more than” or “exactly”. */
  protected boundBehind(op: string, phrase: string): Bound & { text: string } {
    const number = this.next()
    if (number?.kind !== 'number') declineQuestion(`I miss a number behind “${phrase}”.`)
    this.at++
    return { op, value: number.digits, text: `${phrase} ${number.text}` }
  }

  protected bound(op: string, phrase: string): void {
    if (/^[=<>]/.test(phrase)) this.lost(phrase)
    const bound = this.boundBehind(op, phrase)
    const next = this.next()
    if (this.isNextWord('times')) {
      this.at++
      const test = this.lastRelated() ?? this.lost(`${bound.text} times`)
      const last = this.subject!.conditions.pop()!
      this.subject!.conditions.push({ ...last, test: { ...test, bound }, text: `${last.text} ${bound.text} times` })
      return
    }
    if (next?.kind === 'entity' || next?.kind === 'column') {
      this.pending.bound = bound
      return
    }
    if (this.subject === undefined) this.lost(bound.text)
    const isNegated = this.pending.negation === 'not' && this.negated()
    this.add(this.subject, { kind: 'compare', names: undefined, bound }, bound.text, isNegated)
  }

  /** “Five customers”. */
  protected number({ value, text }: ItemOf<'number'>): void {
    const { reading } = this
    const isLimit = reading.limit === undefined && this.subject === undefined && Number.isInteger(value)
    if (!isLimit || value < 1 || value > 1_000 || reading.mode === 'figure' || reading.asksShare) this.lost(text)
    reading.limit = value
  }

  protected period({ period, text }: ItemOf<'period'>): void {
    if (this.hasPeriod) declineQuestion('Please name one period.')
    if (this.pending.negation !== undefined) this.lost(text)
    this.hasPeriod = true
    const dated = this.scopes.findLast((scope) => this.verbDates.has(scope))
    for (const scope of dated === undefined ? this.scopes.toReversed() : [dated]) {
      const date = this.verbDates.get(scope) ?? nearestEventDate(scope.entity)
      if (date !== undefined) return this.add(scope, { kind: 'period', period, date }, period.text)
      if (scope !== this.subject && scope.entity.attributes.some(isDate))
        declineQuestion(`I do not know which date of ${scope.entity.nouns} “${text}” is about.`)
    }
    this.held.push({ test: { kind: 'period', period }, text: period.text, isNegated: false, isBefore: false })
  }
}

const isFiller = (item: Item): boolean => item.kind === 'word' && item.role === 'filler'
