import { isNumericAttribute } from '../../databases/glossary/catalogue.ts'
import { findSales } from '../../databases/glossary/sales.ts'
import { singular } from '../../databases/glossary/words.ts'
import { isFlag } from './items.ts'
import { isToOne, shortestPaths } from './paths.ts'
import type { ColumnName } from './names.ts'
import type { Rank, Scope } from './reading.ts'
import { chooseColumn, nameOf, keyDistance, numeric, soldRows } from './resolve.ts'
import { declineQuestion, joinWords, type ValueHit } from './types.ts'

import { ConditionReader } from './read-conditions.ts'
import type { ItemOf } from './read-state.ts'

/** Reads names, values and verbs. */
export class NounReader extends ConditionReader {
  protected entity({ entity, via, text }: ItemOf<'entity'>): void {
    const pending = this.pending
    const next = this.next()
    const reading = this.reading
    const isAsked =
      pending.agg !== undefined ||
      pending.group !== undefined ||
      pending.rank !== undefined ||
      (reading.mode === 'list' && this.subject === undefined)
    if (next?.kind === 'column' && isAsked) {
      const owned = next.names.filter(
        ({ attribute }) => attribute.entity === entity && !isFlag(this.catalogue, attribute),
      )
      if (owned.length > 0) {
        this.at++
        return this.column({ kind: 'column', names: owned, text: `${text} ${next.text}` })
      }
    }
    if (pending.isCounting && (pending.group === 'by' || reading.rank !== undefined)) {
      // “Top 5 genres by number of tracks”.
      this.take('isCounting')
      this.take('group')
      if (reading.rank === undefined) this.lost(text)
      return this.setRank(reading.rank.direction, { kind: 'count', entity })
    }
    if (pending.group === 'by' && singular(text) !== text.toLowerCase() && next?.kind === 'value') this.lost(text)
    if (pending.group !== undefined && !reading.asksShare) {
      reading.groups.push({ kind: 'entity', entity, via, isEach: this.take('group') === 'each' })
      return this.flushBefore()
    }
    if (pending.sells === 'spend') this.lost(text)
    if (pending.rank?.hint === 'count') {
      const { direction } = pending.rank
      const isSold = this.take('sells') !== undefined
      this.setRank(direction, isSold ? this.sold('units') : { kind: 'count', entity })
      return isSold ? undefined : this.flushBefore()
    }
    if (pending.bound !== undefined || (this.subject !== undefined && pending.negation !== undefined))
      return this.related(entity, text, this.take('bound'))
    const { subject } = reading
    const value = next?.kind === 'value' ? next.hits.filter((hit) => this.entityOf(hit) === entity) : []
    // “The album Heroes”, where an artist is called so.
    const isCalled = next?.kind === 'value' && !this.apart.has(next) && singular(text) === text.toLowerCase()
    if (isCalled && value.length === 0) declineQuestion(`No ${entity.noun} is called “${next.text}”.`)
    if (subject === undefined) {
      // “TV shows in albums” are no albums.
      const otherValue = this.before.find(
        ({ test }) => test.kind === 'value' && !test.hits.some((hit) => this.entityOf(hit) === entity),
      )
      if (pending.isCounting && otherValue !== undefined && this.apart.has(this.items[this.at - 1]!))
        this.lost(otherValue.text)
      reading.subject = { entity, via, conditions: this.before }
      if (pending.negation !== undefined) declineQuestion(`I do not understand “${text}” with a negation before it.`)
      this.before = []
      this.scopes.unshift(reading.subject)
      if (this.scopes.length > 1) this.scopes.push(this.scopes.shift()!)
      pending.has = false
      return this.asSubject(reading.subject, text)
    }
    if (entity === subject.entity) declineQuestion(`I do not understand “${text}” a second time.`, [text])
    if (value.length > 0) {
      this.at++
      return this.giveValue(value, next!.text, true)
    }
    this.related(entity, text, undefined)
  }

  protected column({ names, text, isNegated = false }: ItemOf<'column'>): void {
    const [pending, reading] = [this.pending, this.reading]
    const next = this.next()
    if (pending.group !== undefined && !pending.isCounting) {
      this.take('group')
      const isRank = reading.rank !== undefined && reading.rank.by === undefined
      if (isRank && names.every(({ attribute }) => isNumericAttribute(attribute)))
        return this.setRank(reading.rank!.direction, this.rankedBy(names, text))
      return void reading.groups.push({ kind: 'column', names, text })
    }
    const flags = names.filter(({ attribute }) => isFlag(this.catalogue, attribute))
    if (flags.length > 0) return this.flag(flags, text, isNegated)
    const isEqual = next?.kind === 'word' && next.text === '='
    const behind = isEqual ? this.next(1) : next
    const value = behind?.kind === 'value' ? this.hitsIn(behind.hits, names) : []
    if (value.length > 0) {
      this.at += isEqual ? 2 : 1
      pending.has = false
      return this.giveValue(value, behind!.text, true)
    }
    const isCompared = next?.kind === 'word' && next.role === 'compare'
    if (isCompared && this.subject !== undefined && pending.agg === undefined) {
      this.at++
      pending.has = false
      const bound = this.boundBehind(next.detail ?? '', next.text)
      const test = { kind: 'compare' as const, names: this.named(names, this.subject, text), bound }
      return this.add(this.subject, test, `${text} ${bound.text}`, this.negated())
    }
    if (pending.rank !== undefined) {
      const { direction } = pending.rank
      if (this.subject === undefined) {
        this.take('rank')
        return void reading.measures.push({ kind: 'column', fn: direction === 'desc' ? 'max' : 'min', names })
      }
      return this.setRank(direction, this.rankedBy(names, text))
    }
    if (pending.bound !== undefined && this.subject !== undefined) {
      const bound = this.take('bound')!
      const test = { kind: 'compare' as const, names: this.named(names, this.subject, text), bound }
      return this.add(this.subject, test, bound.text, this.negated())
    }
    const isPresent = reading.mode === 'figure' && pending.has && pending.agg === undefined && !pending.isCounting
    if (this.subject !== undefined && (pending.negation !== undefined || isPresent)) {
      pending.has = false
      const isNot = this.negated()
      const own = this.named(names, this.subject, text)
      const test = { kind: 'null' as const, attribute: chooseColumn(own, this.subject.entity, text) }
      return this.add(this.subject, test, `${isNot ? 'no' : 'with'} ${text}`, !isNot)
    }
    if (pending.agg !== undefined && !pending.isCounting) {
      return void reading.measures.push({ kind: 'column', fn: this.take('agg')!, names: numeric(names, text) })
    }
    if (pending.isCounting && this.subject === undefined) {
      this.take('isCounting')
      const numbers = names.filter(({ attribute }) => isNumericAttribute(attribute))
      return void reading.measures.push(
        pending.isDistinct || numbers.length === 0
          ? { kind: 'distinct', names }
          : { kind: 'column', fn: 'sum', names: numbers },
      )
    }
    if (reading.measures.length === 0 && this.subject === undefined && /^total /i.test(text)) {
      return void reading.measures.push({ kind: 'column', fn: 'sum', names: numeric(names, text) })
    }
    if (reading.measures.length === 1 && reading.measures[0]!.kind === 'amount') {
      // “How much did we invoice before tax?”
      const { fn, entity } = reading.measures[0]!
      const own = names.filter(({ attribute }) => attribute.entity === entity)
      return void reading.measures.splice(0, 1, { kind: 'column', fn, names: numeric(own, text) })
    }
    // “Price of House Espresso”.
    const isFirst = this.at === 1 && reading.mode === undefined
    if (isFirst) reading.mode = 'list'
    if (reading.mode === 'list' && !pending.has) return void reading.selected.push(names)
    this.lost(text)
  }

  /** Columns of the rows that a filter is about, or of a table that the question names: another table's may say something else. */
  protected named(names: readonly ColumnName[], { entity }: Scope, text: string): readonly ColumnName[] {
    const tables = new Set([entity, ...this.items.map((item) => ('entity' in item ? item.entity : undefined))])
    const own = names.filter(({ attribute }) => tables.has(attribute.entity))
    if (own.length > 0) return own
    const owners = joinWords([...new Set(names.map(({ attribute }) => attribute.entity.nouns))], 'and')
    return declineQuestion(`“${text}” is said of ${owners} in the data, and not of ${entity.nouns}.`)
  }

  /** A number of the rows that are ranked. */
  protected rankedBy(names: readonly ColumnName[], text: string): NonNullable<Rank['by']> {
    const entity = this.subject?.entity
    const attribute = entity === undefined ? undefined : chooseColumn(names, entity, text)
    const isOf = attribute !== undefined && keyDistance(entity!, attribute.entity) !== undefined
    if (!isOf || !isNumericAttribute(attribute)) this.lost(text)
    return { kind: 'attribute', attribute }
  }

  protected hitsIn(hits: readonly ValueHit[], names: readonly ColumnName[]): readonly ValueHit[] {
    return hits.filter((hit) =>
      names.some(({ attribute: { entity, column } }) => this.entityOf(hit) === entity && hit.column === column.name),
    )
  }

  protected value(item: ItemOf<'value'>): void {
    const pending = this.pending
    const next = this.next()
    if (
      pending.rank !== undefined ||
      pending.bound !== undefined ||
      (pending.group !== undefined && !this.reading.asksShare)
    )
      this.lost(item.text)
    if (next?.kind === 'entity') {
      const own = item.hits.filter((hit) => this.entityOf(hit) === next.entity)
      if (this.subject !== undefined && this.subject.entity !== next.entity && own.length > 0) {
        this.at++
        return this.giveValue(own, item.text, true)
      }
      const isNear = item.hits.some((hit) => keyDistance(next.entity, this.entityOf(hit)) !== undefined)
      if (this.subject === undefined && isNear) {
        const hits = own.length > 0 ? own : item.hits
        return this.add(undefined, { kind: 'value', hits, others: [] }, item.text, this.negated())
      }
    }
    if (next?.kind === 'column') {
      const own = this.hitsIn(item.hits, next.names)
      if (own.length > 0) {
        this.at++
        return this.giveValue(own, item.text, true)
      }
    }
    this.giveValue(item.hits, item.text)
  }

  protected verb({ entity, dates, hits, text }: ItemOf<'verb'>): void {
    const [pending, reading] = [this.pending, this.reading]
    const next = this.next()
    const adjective =
      next?.kind === 'entity' && pending.rank === undefined && !this.apart.has(next) ? next.entity : undefined
    const scope = this.scopes.findLast((one) => dates.some((date) => date.entity === one.entity)) ?? this.subject
    const entityInQuestion = adjective ?? scope?.entity
    if (entityInQuestion === undefined || (pending.agg !== undefined && this.subject === undefined)) {
      if (entity === undefined || (pending.agg === undefined && reading.measures.length === 0)) this.lost(text)
      return this.entity({ kind: 'entity', entity, text })
    }
    if (entity === entityInQuestion) return
    const date = dates.find((one) => one.entity === entityInQuestion)
    const value = hits.filter((hit) => this.entityOf(hit) === entityInQuestion)
    const isComing = this.items.slice(this.at).some((item) => item.kind === 'period') && this.periods.length === 0
    const hasPeriod = adjective === undefined && isComing && reading.compared === undefined
    if (date !== undefined && adjective === undefined && this.held.some(({ test }) => test.kind === 'period'))
      this.lost(text)
    const isChild = entity !== undefined && shortestPaths(entityInQuestion, entity).some((path) => !isToOne(path))
    if (pending.rank?.hint === 'count' && isChild && adjective === undefined)
      return this.setRank(pending.rank.direction, { kind: 'count', entity })
    if (this.isNextWord('late')) return
    const by = this.isNextWord('by') ? this.next(1) : undefined
    if (isChild && by?.kind === 'value' && by.hits.some((hit) => this.entityOf(hit) === entity)) {
      this.related(entity, text, undefined)
      const own = dates.filter((one) => one.entity === entity)
      if (own.length === 1) this.verbDates.set(this.scopes.at(-1)!, own[0]!)
      return
    }
    if (hasPeriod && date !== undefined && scope !== undefined && pending.negation === undefined)
      return void this.verbDates.set(scope, date)
    const at = adjective === undefined ? scope : undefined
    if (date?.column.nullable === true && !isChild && !hasPeriod && (adjective === undefined || value.length === 0)) {
      if (value.length > 0) reading.assumptions.add(`“${text}” is where ${nameOf(date)} is filled`)
      const isNot = this.negated()
      return this.add(at, { kind: 'null', attribute: date }, isNot ? `not ${text}` : text, !isNot)
    }
    if (value.length > 0) {
      const isCertain = adjective !== undefined || (dates.length === 0 && !isChild)
      if (!isCertain || (pending.negation !== undefined && (dates.length > 0 || isChild)))
        declineQuestion(
          `“${text}” may mean the ${value[0]!.column} “${value[0]!.value}” or that it happened at some time. Please name the ${value[0]!.column}.`,
        )
      return this.add(at, { kind: 'value', hits: value, others: [] }, text, this.negated())
    }
    if (isChild && adjective === undefined && date === undefined) return this.related(entity, text, undefined)
    this.lost(text)
  }

  protected sell(text: string): void {
    const [pending, reading] = [this.pending, this.reading]
    const line = soldRows(this.catalogue)
    if (line === undefined) declineQuestion(`I do not know where the data tell what was ${text}.`)
    const { subject } = this.reading
    if (pending.isAsking && subject === undefined) {
      if (!/^(?:sell|sold|sells)$/i.test(text)) this.lost(text)
      return this.measure(this.sold('money'), text)
    }
    const next = this.next()
    if (subject === undefined || (next?.kind === 'word' && /^(?:most|least)$/.test(next.role))) {
      pending.sells = 'buy'
      if (subject === undefined) this.lost(text)
      return
    }
    const { header } = findSales(this.catalogue)
    const [path] = shortestPaths(line, subject.entity)
    const isThing = path !== undefined && isToOne(path) && path[0]?.to !== header?.entity
    const [measure] = reading.measures
    const isCount = measure?.kind === 'count' && measure.entity === subject.entity
    const isSold = /^(?:sold|sell|sells)$/i.test(text)
    if (isThing && isCount && isSold && !pending.isDistinct && pending.negation === undefined) {
      return void reading.measures.splice(0, 1, this.sold('units'))
    }
    if (!isThing && isSold) this.lost(text)
    this.related(line, text, undefined)
  }
}
