import { isDate, type Entity } from '../../databases/glossary/catalogue.ts'
import type { ColumnName } from './names.ts'
import { isToMany, shortestPaths } from './paths.ts'
import type { Bound, Scope, Test } from './reading.ts'
import { amountAttribute, nearestEventDate, isAdditive, superlativeColumn, keyDistance } from './resolve.ts'
import { declineQuestion, type ValueHit } from './types.ts'

import { ReadState, type ItemOf, type Pending } from './read-state.ts'

/** Reads the conditions on rows. */
export class ConditionReader extends ReadState {
  /** “Total payments”, “average …”, “longest track”, “how many different tracks”. */
  protected asSubject({ entity }: Scope, text: string): void {
    const [pending, reading] = [this.pending, this.reading]
    if (pending.agg !== undefined && !pending.isCounting) {
      const fn = this.take('agg')!
      const amount = amountAttribute(entity)
      if (amount !== undefined && !isAdditive(amount)) this.lost(text)
      reading.measures.push({ kind: 'amount', fn, entity })
    }
    if (pending.isCounting || (reading.mode === 'figure' && reading.measures.length === 0)) {
      this.take('isCounting')
      this.take('agg')
      reading.measures.push({ kind: 'count', entity })
    }
    if (pending.rank !== undefined && pending.rank.hint !== 'count') {
      const attribute = superlativeColumn(entity, pending.rank.hint)
      if (attribute === undefined)
        declineQuestion(`Please name the column of ${entity.nouns} that “${this.askedBy.rank}” compares.`)
      if (isDate(attribute) || pending.rank.hint === 'price')
        reading.assumptions.add(`it is measured by ${attribute.column.name}`)
      this.setRank(pending.rank.direction, { kind: 'attribute', attribute })
    }
  }

  /** Adds the condition that the subject has some, no or a number of rows in another table. */
  protected related(entity: Entity, text: string, bound: Pending['bound']): void {
    const { subject } = this.reading
    if (subject === undefined || entity === subject.entity) this.lost(text)
    const last = this.scopes.at(-1)!
    if (this.pending.has && last !== subject) this.lost(text)
    const isBare = bound === undefined && this.pending.negation === undefined
    const scope: Scope = { entity, conditions: this.before }
    if (
      isBare &&
      last !== subject &&
      keyDistance(last.entity, entity) !== undefined &&
      subject.conditions.some(({ test }) => test.kind === 'related' && test.scope === last)
    ) {
      // “Never booked a course”: the course is the one booked.
      this.before = []
      last.conditions.push({ test: { kind: 'related', scope, bound }, isNegated: false, text, isBefore: false })
      return void this.scopes.push(scope)
    }
    this.before = []
    const isDirect = shortestPaths(subject.entity, entity).every((path) => path.filter(isToMany).length < 2)
    if (this.pending.negation === 'not' && !isDirect)
      declineQuestion(`“not ${text}” may mean never, or not each time. Please say “never ${text}”.`)
    const isNegated = this.negated()
    this.pending.has = false
    const phrase = bound === undefined ? text : `${bound.text} ${text}`
    subject.conditions.push({ test: { kind: 'related', scope, bound }, isNegated, text: phrase, isBefore: false })
    this.scopes.push(scope)
  }

  /** “The most delivered orders”: words before the noun apply to the counted rows. */
  protected flushBefore(): void {
    this.reading.facts.push(...this.before.map((one) => ({ ...one, isBefore: false })))
    this.before = []
  }

  protected flag(flags: readonly ColumnName[], text: string, isOpposite: boolean): void {
    const next = this.next()
    const owner = next?.kind === 'entity' ? next.entity : undefined
    const own = (entity: Entity | undefined) => flags.find(({ attribute }) => attribute.entity === entity)?.attribute
    const scope = owner === undefined ? this.scopes.findLast(({ entity }) => own(entity) !== undefined) : undefined
    const attribute = own(owner ?? scope?.entity)
    if (attribute === undefined) this.lost(text)
    this.pending.has = false
    const searched = isOpposite ? (attribute.words.at(-1) ?? text) : text
    this.add(scope, { kind: 'flag', attribute }, searched, this.negated() !== isOpposite)
  }

  /** Assigns a value to the noun whose rows contain it, starting with the last noun. */
  protected giveValue(hits: readonly ValueHit[], text: string, isNamed = false): void {
    const pending = this.pending
    const others: ValueHit[][] = []
    let hasAnd = false
    pending.has = false
    let searched = text
    // “Berlin, Dublin or Cork”.
    for (;;) {
      const [joint, other] = [this.next(), this.next(1)]
      const isJoint =
        joint?.kind === 'comma' || (joint?.kind === 'word' && (joint.role === 'or' || joint.role === 'and'))
      if (!isJoint) break
      const isBoth = joint.kind === 'comma' && other?.kind === 'word' && (other.role === 'or' || other.role === 'and')
      const value = isBoth ? this.next(2) : other
      if (
        value?.kind !== 'value' ||
        !value.hits.some((hit) => hits.some((one) => one.table === hit.table && one.column === hit.column))
      )
        break
      const word = isBoth ? other : joint
      hasAnd ||= word.kind === 'word' && word.role === 'and'
      this.at += isBoth ? 3 : 2
      others.push([...value.hits])
      searched += ` or ${value.text}`
    }
    const test: Test = { kind: 'value', hits, others, isBoth: hasAnd, isNamed }
    // “No open tickets”: the negation applies to the tickets.
    const isOfNoun = this.subject !== undefined && this.next()?.kind === 'entity'
    if (isOfNoun && /^(?:none|without)$/.test(pending.negation ?? '')) return this.add(undefined, test, searched)
    const isNegated = this.negated()
    const near = this.scopes.toReversed().map((scope) => ({
      scope,
      far: Math.min(...hits.map((hit) => keyDistance(scope.entity, this.entityOf(hit)) ?? Infinity)),
    }))
    const best = near.toSorted((a, b) => a.far - b.far)[0]
    if (best !== undefined && best.far < Infinity) {
      if (hasAnd && best.scope !== this.subject) this.refuseBoth(searched)
      return this.add(best.scope, test, searched, isNegated)
    }
    if (this.scopes.length === 0) return this.add(undefined, test, searched, isNegated)
    const newCondition = { test, text: searched, isNegated, isBefore: false }
    this.checkOther(newCondition, this.held)
    this.held.push(newCondition)
  }

  protected refuseBoth(text: string): never {
    return declineQuestion(
      `I cannot tell whether “${text}” means one of them or all. Please use “or”, or ask for each.`,
    )
  }

  protected report(text: string): void {
    const next = this.next()
    const manager = next?.kind === 'value' ? next : undefined
    const before = this.before.find(({ test }) => test.kind === 'value')
    const hits = manager?.hits ?? (before?.test.kind === 'value' ? before.test.hits : [])
    const found = hits.flatMap((hit) =>
      this.entityOf(hit)
        .edges.filter((edge) => edge.from === edge.to && edge.kind === (manager === undefined ? 'many' : 'one'))
        .map((edge) => ({ hit, edge })),
    )
    const edges = [...new Set(found.map(({ edge }) => edge))]
    const [edge] = edges
    if (edge === undefined || edges.length > 1) this.lost(text)
    const subject = (this.reading.subject ??= { entity: edge.from, conditions: [] })
    if (subject.entity !== edge.from) this.lost(text)
    if (!this.scopes.includes(subject)) this.scopes.push(subject)
    if (manager !== undefined) this.at++
    else this.before = this.before.filter((one) => one !== before)
    this.reading.mode ??= 'list'
    const own = found.flatMap((one) => (one.edge === edge ? [one.hit] : []))
    this.add(
      subject,
      { kind: 'hierarchy', edge, hits: own },
      `${text} ${manager?.text ?? before?.text ?? ''}`,
      this.negated(),
    )
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
    const isNegated = this.pending.negation === 'not'
    if (this.isNextWord('times')) {
      this.at++
      const last = this.subject?.conditions.at(-1)
      if (last?.test.kind !== 'related' || last.isNegated || last.test.bound !== undefined)
        declineQuestion(`I do not understand “${bound.text} times” here.`)
      this.subject!.conditions.splice(-1, 1, {
        ...last,
        test: { ...last.test, bound },
        text: `${last.text} ${bound.text} times`,
      })
      return
    }
    if (next?.kind === 'entity' || next?.kind === 'column') {
      this.pending.bound = bound
      return
    }
    if (this.subject === undefined || this.pending.sells !== undefined)
      declineQuestion(`I do not understand “${bound.text}” here.`)
    if (isNegated) this.negated()
    this.add(this.subject, { kind: 'compare', names: undefined, bound }, bound.text, isNegated)
  }

  protected number({ value, text }: ItemOf<'number'>): void {
    const isLimit =
      this.reading.limit === undefined &&
      this.subject === undefined &&
      Number.isInteger(value) &&
      value > 0 &&
      value <= 1_000
    if (!isLimit || this.reading.mode === 'figure' || this.reading.asksShare) this.lost(text)
    this.reading.limit = value
  }

  protected period({ period, text }: ItemOf<'period'>): void {
    if (this.periods.length > 0) declineQuestion('Please name one period.')
    if (this.pending.negation !== undefined) declineQuestion(`I do not understand a negation before “${text}”.`)
    this.periods.push(period)
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
