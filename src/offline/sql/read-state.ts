import { type Attribute, type Catalogue, type Entity } from '../../databases/glossary/catalogue.ts'
import { REVENUE, UNITS_SOLD } from '../../databases/glossary/terms.ts'
import type { Period } from '../language/periods.ts'
import { type Item } from './items.ts'
import type { Aggregate, Bound, Condition, Measure, Reading, Scope, Test } from './reading.ts'
import { entityOf } from './resolve.ts'
import { declineQuestion, type ValueHit } from './types.ts'

export type ItemOf<K extends Item['kind']> = Extract<Item, { kind: K }>

/** What a word before asks of the next noun. */
export interface Pending {
  agg?: Aggregate | undefined
  group?: 'by' | 'each' | undefined
  rank?: { direction: 'asc' | 'desc'; hint: string } | undefined
  bound?: (Bound & { text: string }) | undefined
  negation?: 'none' | 'not' | 'without' | undefined
  isDistinct?: boolean
  isCounting?: boolean
  isAsking?: boolean
  isWho?: boolean
  has?: boolean
  sells?: string | undefined
  /** `the second highest` has 2. */
  place?: number | undefined
}

/** State of reading a question. */
export class ReadState {
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
  protected readonly scopes: Scope[] = []
  protected readonly verbDates = new Map<Scope, Attribute>()
  protected readonly pending: Pending = {}
  /** The word of each pending item. */
  protected readonly askedBy: Partial<Record<keyof Pending, string>> = {}
  protected periods: Period[] = []
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
    if (isNegated && scope !== undefined && scope !== this.subject)
      declineQuestion(`I do not understand a negation before “${text}”.`)
    const condition = { test, text, isNegated, isBefore: scope === undefined }
    this.checkOther(condition, scope?.conditions ?? this.before)
    if (scope === undefined) this.before.push(condition)
    else scope.conditions.push(condition)
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
  protected sold(of: 'money' | 'units'): Measure {
    const name = of === 'money' ? REVENUE : UNITS_SOLD
    return Object.hasOwn(this.catalogue.terms.metrics, name) ? { kind: 'metric', name } : { kind: 'sales', of }
  }

  protected measure(measure: Measure, text: string): void {
    const pending = this.pending
    if (pending.rank !== undefined) return this.setRank(pending.rank.direction, measure)
    if (pending.group !== undefined && this.reading.rank !== undefined && this.reading.rank.by === undefined) {
      this.take('group')
      return this.setRank(this.reading.rank.direction, measure)
    }
    if (
      pending.group !== undefined ||
      pending.negation !== undefined ||
      pending.has ||
      this.subject !== undefined ||
      this.reading.measures.length > 0
    )
      this.lost(text)
    if (pending.agg !== undefined && pending.agg !== 'sum')
      declineQuestion(`I cannot compute “${this.askedBy.agg}” of “${text}”.`)
    this.take('agg')
    this.reading.mode = 'figure'
    this.reading.measures.push(measure)
  }

  protected entityOf(hit: ValueHit): Entity {
    return entityOf(this.catalogue, hit.table)
  }
}

const isFiller = (item: Item): boolean => item.kind === 'word' && item.role === 'filler'
