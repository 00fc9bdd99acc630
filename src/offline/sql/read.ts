import { type Catalogue } from '../../databases/glossary/catalogue.ts'
import type { Grain } from '../../databases/glossary/dialect.ts'
import { type Item } from './items.ts'
import type { Reading } from './reading.ts'
import { entityOf } from './resolve.ts'
import { NO_SUBJECT, declineQuestion } from './types.ts'

import { NounReader } from './read-nouns.ts'
import type { ItemOf, Pending } from './read-state.ts'

/** Builds one reading from the items of a question. Refuses the question if an item has no place in it. */
export function readItems(items: readonly Item[], catalogue: Catalogue): Reading {
  return new Reader(items, catalogue).read()
}

/** Pending items that need a following word. If it is missing, the question is refused. */
const MUST_BE_USED = ['group', 'negation', 'rank', 'bound', 'sells', 'isCounting', 'place', 'agg'] as const

class Reader extends NounReader {
  read(): Reading {
    const isCompared = this.items.some((item) => item.kind === 'word' && item.role === 'change' && item.text !== 'how')
    const periods = this.items.flatMap((item) => (item.kind === 'period' ? [item.period] : []))
    if (isCompared) {
      const [one, other, ...rest] = periods.toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
      const isClear =
        one?.from !== undefined && other?.from !== undefined && one.from !== other.from && rest.length === 0
      if (!isClear || one.before === undefined || other.before === undefined)
        declineQuestion('A comparison needs two periods, such as “from 2024 to 2025”.')
      this.reading.compared = [one, other]
    }
    while (this.at < this.items.length) {
      const item = this.items[this.at]!
      const before = { ...this.pending }
      this.at++
      if (item.kind === 'word') this.word(item)
      else if (item.kind === 'entity') this.entity(item)
      else if (item.kind === 'column') this.column(item)
      else if (item.kind === 'value') this.value(item)
      else if (item.kind === 'verb') this.verb(item)
      else if (item.kind === 'metric') this.measure({ kind: 'metric', name: item.name }, item.text)
      else if (item.kind === 'number') this.number(item)
      else if (item.kind === 'period' && !isCompared) this.period(item)
      for (const key of Object.keys(this.pending) as (keyof Pending)[])
        if (this.pending[key] !== before[key]) this.askedBy[key] = item.text
    }
    this.finish()
    return this.reading
  }

  protected word({ role, detail = '', text }: ItemOf<'word'>): void {
    const pending = this.pending
    const reading = this.reading
    switch (role) {
      case 'list':
        // “Customers who ordered”.
        if (/^who$/i.test(text) && this.scopes.length > 0) return
        if (reading.mode !== undefined && this.scopes.length > 0) declineQuestion('Please ask one question at a time.')
        if (/^who$/i.test(text)) pending.isWho = true
        reading.mode ??= 'list'
        return
      case 'count':
        if (this.subject !== undefined && [reading.rank, pending.group, pending.rank].every((one) => one === undefined))
          declineQuestion('Please ask one question at a time.')
        if ((pending.agg ?? 'sum') !== 'sum')
          declineQuestion(`I cannot compute “${this.askedBy.agg}” of a number of rows.`)
        if (reading.rank === undefined && pending.group === undefined) reading.mode = 'figure'
        pending.isCounting = true
        return
      case 'how much':
        reading.mode = 'figure'
        pending.agg = 'sum'
        pending.isAsking = true
        return
      case 'share':
        reading.asksShare = true
        return
      case 'sum':
      case 'avg':
      case 'min':
      case 'max':
      case 'median':
        // “In total” after the counted noun.
        if ((pending.agg ?? role) !== role || (pending.isCounting && role !== 'sum'))
          declineQuestion(`I cannot compute “${text}” of that.`)
        pending.agg = role
        if (reading.mode !== 'list' || this.subject === undefined) reading.mode = 'figure'
        return
      case 'top':
      case 'bottom':
        reading.mode = 'list'
        reading.rank = { direction: role === 'top' ? 'desc' : 'asc' }
        return
      case 'most':
      case 'least':
        pending.rank = { direction: role === 'most' ? 'desc' : 'asc', hint: 'count' }
        this.rankBehind()
        return this.checkRanked(text)
      case 'superlative': {
        const [direction, hint = 'any'] = detail.split(' ')
        pending.rank = { direction: direction as 'asc' | 'desc', hint }
        return this.checkRanked(text)
      }
      case 'ordinal':
        pending.place = Number(detail)
        return
      case 'by':
      case 'each':
        // “Paid by card”.
        if (text.toLowerCase() === 'by' && this.next()?.kind === 'value') return
        pending.group =
          pending.group === 'by' && role === 'each' ? 'each' : role === 'each' || /each/.test(text) ? 'each' : 'by'
        return
      case 'grain':
        if (this.take('group') === undefined && !detail.startsWith('by ')) this.lost(text)
        return void reading.groups.push({ kind: 'grain', grain: detail.replace('by ', '') as Grain })
      case 'none':
      case 'not':
      case 'without':
        if (pending.negation !== undefined) declineQuestion('I do not understand two negations together.')
        pending.negation = role
        return
      case 'compare':
        return this.bound(detail, text)
      case 'distinct':
        pending.isDistinct = true
        return
      case 'have':
        pending.has = true
        return
      case 'and':
        return this.and()
      case 'sales':
        return this.measure({ kind: 'sales', of: 'money' }, text)
      case 'money':
        if (pending.rank === undefined && !pending.isAsking) this.lost(text)
        return this.measure(this.sold('money'), text)
      case 'spend':
        pending.sells = 'spend'
        return
      case 'sell':
        return this.sell(text)
      case 'cost':
        if (this.isNextWord('compare') || pending.rank !== undefined) return
        return this.lost(text)
      case 'late':
      case 'overdue': {
        const isDone = this.isPast || this.items[this.at - 2]?.kind === 'verb'
        const scope = this.next()?.kind === 'entity' ? undefined : this.scopes.at(-1)
        return this.add(scope, { kind: role, isDone }, text, this.negated())
      }
      case 'report':
        return this.report(text)
      case 'change':
        if (text.toLowerCase() === 'how' && reading.compared === undefined)
          declineQuestion('I can count, add up and list what the data hold; “how” needs a language model.')
        if (reading.mode === undefined) reading.mode = 'figure'
        return
      case 'than':
        if (reading.compared === undefined) this.lost(text)
        return
      default:
        this.lost(text)
    }
  }

  /** “The manager of the customer with the highest revenue”: it is not the subject that is ranked. */
  protected checkRanked(text: string): void {
    const last = this.scopes.at(-1)
    const isSubject = this.subject === undefined || (last === this.subject && this.reading.measures.length === 0)
    if (this.pending.rank !== undefined && !isSubject)
      declineQuestion(`“${text}” is about ${last!.entity.nouns} here. Please ask first which of them it is.`)
  }

  /** “… returned most often”, “spent the most”: the preceding noun is counted. */
  protected rankBehind(): void {
    const pending = this.pending
    const next = this.next()
    const isOpen =
      next?.kind === 'entity' ||
      next?.kind === 'verb' ||
      next?.kind === 'column' ||
      next?.kind === 'metric' ||
      (next?.kind === 'word' && /^(?:money|sales)$/.test(next.role))
    if (isOpen) return
    const direction = pending.rank!.direction
    if (pending.sells === 'spend') {
      this.take('sells')
      return this.setRank(direction, this.sold('money'))
    }
    const last = this.subject?.conditions.at(-1)
    if (last?.test.kind !== 'related' || last.isNegated || last.test.bound !== undefined) return
    this.subject!.conditions.pop()
    this.reading.facts.push(...last.test.scope.conditions)
    this.setRank(direction, { kind: 'count', entity: last.test.scope.entity })
  }

  protected and(): void {
    const rest = this.items.slice(this.at)
    const isCost =
      rest.length > 1 &&
      rest.every((item) => item.kind === 'word' && /^(?:list|how much|cost|sum)$/.test(item.role)) &&
      rest.some((item) => item.kind === 'word' && item.role === 'cost')
    if (isCost) {
      this.reading.asksCost = true
      this.at = this.items.length
      return
    }
    const next = rest[0]
    const isGroup =
      this.reading.groups.length > 0 &&
      (next?.kind === 'entity' || next?.kind === 'column' || (next?.kind === 'word' && next.role === 'grain'))
    if (isGroup) this.pending.group = 'by'
    else if (next?.kind === 'word' && /^(?:count|list|how much|sum|avg|share)$/.test(next.role))
      declineQuestion('Please ask one question at a time.')
    else if (next?.kind === 'entity' || next?.kind === 'column' || next?.kind === 'period' || next?.kind === 'metric')
      this.lost(next.text)
  }

  protected finish(): void {
    const [pending, reading] = [this.pending, this.reading]
    if (this.before.length > 0) this.subjectOfValues()
    const [asked, ...others] = reading.selected
    if (
      reading.subject === undefined &&
      asked !== undefined &&
      others.length === 0 &&
      reading.rank?.by !== undefined &&
      reading.rank.by.kind !== 'attribute'
    ) {
      // “Which country has the most customers?”
      reading.groups.push({ kind: 'column', names: asked, text: asked[0]!.attribute.words.at(-1)! })
      reading.selected = []
      reading.measures.push(reading.rank.by)
      reading.mode = 'figure'
    }
    const { subject } = reading
    // “In total” and “together” do not change a single figure; “on average” would.
    if (
      pending.agg !== undefined &&
      reading.measures.length > 0 &&
      (pending.agg !== 'sum' || reading.groups.length > 0)
    )
      this.lost(this.askedBy.agg!)
    if (reading.measures.length > 0) pending.agg = undefined
    const open = MUST_BE_USED.find((key) => pending[key] !== undefined && pending[key] !== false)
    if (open !== undefined) this.lost(this.askedBy[open]!)
    if (reading.rank !== undefined && reading.rank.by === undefined)
      declineQuestion('I miss a figure to rank by, such as “by number of …”.')
    if (subject === undefined && reading.measures.length === 0)
      declineQuestion(reading.selected.length > 0 ? NO_SUBJECT : 'I do not see what the question is about.')
    if (reading.measures.length > 1) declineQuestion('Please ask for one figure at a time.')
    // “Customers who ordered House Espresso in 2025”: both conditions apply to the same order.
    const last = this.scopes.at(-1)
    const isInside = last !== undefined && last !== subject && reading.rank === undefined
    for (const one of this.held) {
      if (isInside && one.test.kind === 'value' && one.test.isBoth === true) this.refuseBoth(one.text)
      ;(isInside && one.test.kind === 'value' ? last.conditions : reading.facts).push(one)
    }
    reading.mode ??= reading.groups.length > 0 || reading.measures.length > 0 ? 'figure' : 'list'
    if (
      reading.mode === 'list' &&
      reading.groups.length > 0 &&
      reading.rank === undefined &&
      reading.selected.length === 0
    )
      reading.mode = 'figure'
    if (reading.mode === 'figure' && reading.measures.length === 0 && subject !== undefined)
      reading.measures.push({ kind: 'count', entity: subject.entity })
    // “Who works in sales?” asks for no figure of sales.
    if (pending.isWho === true && reading.mode === 'figure' && reading.groups.length === 0)
      this.lost(this.askedBy.isWho!)
  }

  /** “Who is the general manager?”: the table is the one that contains the value. */
  protected subjectOfValues(): void {
    const reading = this.reading
    if (this.subject !== undefined) return void this.subject.conditions.push(...this.before)
    if (reading.measures.length > 0) return void reading.facts.push(...this.before)
    const tables = new Set(
      this.before.flatMap(({ test }) => (test.kind === 'value' ? test.hits.map((hit) => hit.table) : [])),
    )
    const owners = reading.selected.flat().map(({ attribute }) => attribute.entity)
    const possible = [...tables]
      .map((table) => entityOf(this.catalogue, table))
      .filter((one) => owners.length === 0 || owners.includes(one))
    const [entity] = possible
    if (entity === undefined || possible.length > 1) declineQuestion('I do not see what the question is about.')
    const name = this.before.find(
      ({ test }) =>
        test.kind === 'value' && test.hits.some((hit) => entity.label.some(({ column }) => column.name === hit.column)),
    )
    // “Who supplies House Espresso?” is not answered by its name.
    if (name !== undefined && owners.length === 0) this.lost(name.text)
    reading.subject = { entity, conditions: this.before }
    if (this.pending.isCounting) this.asSubject(reading.subject, entity.nouns)
  }
}
