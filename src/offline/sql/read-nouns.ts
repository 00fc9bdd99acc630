import { isNumericAttribute } from '../../databases/glossary/catalogue.ts'
import { singular } from '../../databases/glossary/words.ts'
import { isFlag } from './items.ts'
import type { ColumnName } from './names.ts'
import { isToOne, shortestPaths } from './paths.ts'
import { ConditionReader, type ItemOf } from './read-conditions.ts'
import type { Scope } from './reading.ts'
import { chooseColumn, keyDistance, nameOf, numeric } from './resolve.ts'
import { declineQuestion, joinWords, type ValueHit } from './types.ts'

/** Reads names, values and verbs. What a name does depends on the words before it, in the order of the rules here. */
export class NounReader extends ConditionReader {
  protected entity({ entity, via, text }: ItemOf<'entity'>): void {
    const { pending, reading, subject } = this
    const next = this.next()
    const isAsked = pending.agg !== undefined || pending.group !== undefined || pending.rank !== undefined
    if (next?.kind === 'column' && (isAsked || (reading.mode === 'list' && subject === undefined))) {
      // “Invoice total”.
      const names = next.names.filter(
        ({ attribute }) => attribute.entity === entity && !isFlag(this.catalogue, attribute),
      )
      if (names.length > 0) {
        this.at++
        return this.column({ kind: 'column', names, text: `${text} ${next.text}` })
      }
    }
    if (pending.isCounting && (pending.group === 'by' || reading.rank !== undefined)) {
      // “Top 5 genres by number of tracks”.
      this.take('isCounting')
      this.take('group')
      if (reading.rank === undefined) this.lost(text)
      return this.setRank(reading.rank.direction, { kind: 'count', entity })
    }
    const isOne = singular(text) === text.toLowerCase()
    if (pending.group !== undefined && !reading.asksShare) {
      if (pending.group === 'by' && !isOne && next?.kind === 'value') this.lost(text)
      reading.groups.push({ kind: 'entity', entity, via, isEach: this.take('group') === 'each' })
      return this.flushBefore()
    }
    if (pending.rank?.hint === 'count') {
      this.setRank(pending.rank.direction, { kind: 'count', entity })
      return this.flushBefore()
    }
    if (pending.bound !== undefined || (subject !== undefined && pending.negation !== undefined))
      return this.related(entity, text, this.take('bound'))
    const value = next?.kind === 'value' ? next.hits.filter((hit) => this.entityOf(hit) === entity) : []
    // “The album Heroes”, where an artist is called so.
    if (next?.kind === 'value' && value.length === 0 && !this.apart.has(next) && isOne)
      declineQuestion(`No ${entity.noun} is called “${next.text}”.`)
    if (subject === undefined) {
      if (pending.negation !== undefined) this.lost(text)
      // “TV shows in albums” are no albums.
      const other = this.before.find(
        ({ test }) => test.kind === 'value' && !test.hits.some((hit) => this.entityOf(hit) === entity),
      )
      if (pending.isCounting && other !== undefined && this.apart.has(this.items[this.at - 1]!)) this.lost(other.text)
      const scope = { entity, via, conditions: this.before }
      reading.subject = scope
      this.before = []
      this.scopes.push(scope)
      pending.has = false
      return this.asSubject(scope, text)
    }
    if (entity === subject.entity) this.lost(text)
    if (value.length > 0) {
      this.at++
      return this.giveValue(value, next!.text, true)
    }
    this.related(entity, text, undefined)
  }

  protected column({ names, text, isNegated = false }: ItemOf<'column'>): void {
    const { pending, reading, subject } = this
    const next = this.next()
    if (pending.group !== undefined && !pending.isCounting) {
      this.take('group')
      return void reading.groups.push({ kind: 'column', names, text })
    }
    const flags = names.filter(({ attribute }) => isFlag(this.catalogue, attribute))
    if (flags.length > 0) return this.flag(flags, text, isNegated)
    const isEqual = next?.kind === 'word' && next.text === '='
    const behind = isEqual ? this.next(1) : next
    const value = behind?.kind === 'value' ? this.hitsIn(behind.hits, names) : []
    if (value.length > 0) {
      this.at += isEqual ? 2 : 1
      return this.giveValue(value, behind!.text, true)
    }
    if (next?.kind === 'word' && next.role === 'compare' && subject !== undefined && pending.agg === undefined) {
      this.at++
      pending.has = false
      const bound = this.boundBehind(next.detail ?? '', next.text)
      const test = { kind: 'compare' as const, names: this.named(names, subject, text), bound }
      return this.add(subject, test, `${text} ${bound.text}`, this.negated())
    }
    if (pending.rank !== undefined) {
      const { direction } = pending.rank
      if (subject !== undefined) {
        const attribute = chooseColumn(names, subject.entity, text)
        if (keyDistance(subject.entity, attribute.entity) === undefined || !isNumericAttribute(attribute))
          this.lost(text)
        return this.setRank(direction, { kind: 'attribute', attribute })
      }
      this.take('rank')
      return void reading.measures.push({ kind: 'column', fn: direction === 'desc' ? 'max' : 'min', names })
    }
    const isPresent = reading.mode === 'figure' && pending.has && pending.agg === undefined && !pending.isCounting
    if (subject !== undefined && (pending.negation !== undefined || isPresent)) {
      pending.has = false
      const isNot = this.negated()
      const attribute = chooseColumn(this.named(names, subject, text), subject.entity, text)
      return this.add(subject, { kind: 'null', attribute }, `${isNot ? 'no' : 'with'} ${text}`, !isNot)
    }
    if (pending.agg !== undefined && !pending.isCounting)
      return void reading.measures.push({ kind: 'column', fn: this.take('agg')!, names: numeric(names, text) })
    const isSum = pending.isCounting === true || (reading.measures.length === 0 && /^total /i.test(text))
    if (isSum && subject === undefined) {
      this.take('isCounting')
      return void reading.measures.push({ kind: 'column', fn: 'sum', names: numeric(names, text) })
    }
    if (reading.measures[0]?.kind === 'amount') {
      // “How much did we invoice before tax?”
      const { fn, entity } = reading.measures[0]
      const own = names.filter(({ attribute }) => attribute.entity === entity)
      return void reading.measures.splice(0, 1, { kind: 'column', fn, names: numeric(own, text) })
    }
    // “Price of House Espresso”.
    if (this.at === 1) reading.mode ??= 'list'
    if (reading.mode !== 'list' || pending.has) this.lost(text)
    reading.selected.push(names)
  }

  /** Columns of the rows that a filter is about, or of a table that the question names: another table's may say something else. */
  protected named(names: readonly ColumnName[], { entity }: Scope, text: string): readonly ColumnName[] {
    const tables = new Set([entity, ...this.items.map((item) => ('entity' in item ? item.entity : undefined))])
    const own = names.filter(({ attribute }) => tables.has(attribute.entity))
    if (own.length > 0) return own
    const owners = joinWords([...new Set(names.map(({ attribute }) => attribute.entity.nouns))], 'and')
    return declineQuestion(`“${text}” is said of ${owners} in the data, and not of ${entity.nouns}.`)
  }

  protected hitsIn(hits: readonly ValueHit[], names: readonly ColumnName[]): readonly ValueHit[] {
    return hits.filter((hit) =>
      names.some(({ attribute: { entity, column } }) => this.entityOf(hit) === entity && hit.column === column.name),
    )
  }

  protected value(item: ItemOf<'value'>): void {
    const { pending, subject } = this
    const isGroup = pending.group !== undefined && !this.reading.asksShare
    if (pending.rank !== undefined || pending.bound !== undefined || isGroup) this.lost(item.text)
    const next = this.next()
    if (next?.kind === 'entity') {
      const own = item.hits.filter((hit) => this.entityOf(hit) === next.entity)
      if (subject !== undefined && subject.entity !== next.entity && own.length > 0) {
        this.at++
        return this.giveValue(own, item.text, true)
      }
      const isNear = item.hits.some((hit) => keyDistance(next.entity, this.entityOf(hit)) !== undefined)
      if (subject === undefined && isNear) {
        const hits = own.length > 0 ? own : item.hits
        return this.add(undefined, { kind: 'value', hits, others: [] }, item.text, this.negated())
      }
    }
    this.giveValue(item.hits, item.text)
  }

  /** “Delivered”: a value of the rows, a date that is filled, or that there are rows in a table of deliveries. */
  protected verb({ entity, dates, hits, text }: ItemOf<'verb'>): void {
    const { pending, reading, subject } = this
    const next = this.next()
    const isAdjective = next?.kind === 'entity' && pending.rank === undefined && !this.apart.has(next)
    const scope = this.scopes.findLast((one) => dates.some((date) => date.entity === one.entity)) ?? subject
    const owner = isAdjective ? next.entity : scope?.entity
    if (owner === undefined || (pending.agg !== undefined && subject === undefined)) {
      if (entity === undefined || (pending.agg === undefined && reading.measures.length === 0)) this.lost(text)
      return this.entity({ kind: 'entity', entity, text })
    }
    if (entity === owner || this.isNextWord('late')) return
    const date = dates.find((one) => one.entity === owner)
    const isChild = entity !== undefined && shortestPaths(owner, entity).some((path) => !isToOne(path))
    const by = this.isNextWord('by') ? this.next(1) : undefined
    if (isChild && by?.kind === 'value' && by.hits.some((hit) => this.entityOf(hit) === entity)) {
      // “Shipped by Greenway Freight in May”.
      this.related(entity, text, undefined)
      const own = dates.filter((one) => one.entity === entity)
      if (own.length === 1) this.verbDates.set(this.scopes.at(-1)!, own[0]!)
      return
    }
    const isComing = !this.hasPeriod && this.items.slice(this.at).some((item) => item.kind === 'period')
    const hasPeriod = !isAdjective && isComing && reading.compared === undefined
    if (hasPeriod && date !== undefined && scope !== undefined && pending.negation === undefined)
      return void this.verbDates.set(scope, date)
    const value = hits.filter((hit) => this.entityOf(hit) === owner)
    const at = isAdjective ? undefined : scope
    if (
      date?.column.nullable === true &&
      !isChild &&
      !hasPeriod &&
      !this.hasPeriod &&
      (!isAdjective || value.length === 0)
    ) {
      if (value.length > 0) reading.assumptions.add(`“${text}” is where ${nameOf(date)} is filled`)
      const isNot = this.negated()
      return this.add(at, { kind: 'null', attribute: date }, isNot ? `not ${text}` : text, !isNot)
    }
    if (value.length > 0) {
      const isCertain = isAdjective || (dates.length === 0 && !isChild)
      if (!isCertain || (pending.negation !== undefined && (dates.length > 0 || isChild)))
        declineQuestion(
          `“${text}” may mean the ${value[0]!.column} “${value[0]!.value}” or that it happened at some time. Please name the ${value[0]!.column}.`,
        )
      return this.add(at, { kind: 'value', hits: value, others: [] }, text, this.negated())
    }
    if (!isChild || isAdjective || date !== undefined) this.lost(text)
    this.related(entity, text, undefined)
  }
}
