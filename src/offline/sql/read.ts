import type { Catalogue } from '../../databases/glossary/catalogue.ts'
import type { Grain } from '../../databases/glossary/dialect.ts'
import type { Item } from './items.ts'
import { NounReader } from './read-nouns.ts'
import type { ItemOf } from './read-conditions.ts'
import type { Condition, Pending, Reading } from './reading.ts'
import { entityOf } from './resolve.ts'
import { NO_SUBJECT, declineQuestion } from './types.ts'

/** Builds one reading from the items of a question. Refuses the question if an item has no place in it. */
export function readItems(items: readonly Item[], catalogue: Catalogue): Reading {
  return new Reader(items, catalogue).read()
}

const ONE_QUESTION = 'Please ask one question at a time.'
/** Pending items that need a following word. If it is missing, the question is refused. */
const MUST_BE_USED = ['group', 'negation', 'rank', 'bound', 'isCounting', 'place', 'agg'] as const

class Reader extends NounReader {
  read(): Reading {
    this.comparePeriods()
    while (this.at < this.items.length) {
      const item = this.items[this.at]!
      const before = { ...this.pending }
      this.at++
      this.item(item)
      for (const key of Object.keys(this.pending) as (keyof Pending)[])
        if (this.pending[key] !== before[key]) this.askedBy[key] = item.text
    }
    this.finish()
    return this.reading
  }

  /** “Growth from 2024 to 2025”. */
  protected comparePeriods(): void {
    if (!this.items.some((item) => item.kind === 'word' && item.role === 'change' && item.text !== 'how')) return
    const [one, other, ...rest] = this.items
      .flatMap((item) => (item.kind === 'period' ? [item.period] : []))
      .toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
    const isClear = one?.from !== undefined && one.before !== undefined && other?.before !== undefined
    if (!isClear || one.from === other.from || rest.length > 0)
      declineQuestion('A comparison needs two periods, such as “from 2024 to 2025”.')
    this.reading.compared = [one, other]
  }

  protected item(item: Item): void {
    switch (item.kind) {
      case 'word':
        return this.word(item)
      case 'entity':
        return this.entity(item)
      case 'column':
        return this.column(item)
      case 'value':
        return this.value(item)
      case 'verb':
        return this.verb(item)
      case 'metric':
        return this.measure({ kind: 'metric', name: item.name }, item.text)
      case 'number':
        return this.number(item)
      case 'period':
        return this.reading.compared === undefined ? this.period(item) : undefined
      case 'comma':
    }
  }

  protected word({ role, detail = '', text }: ItemOf<'word'>): void {
    const { pending, reading, subject } = this
    switch (role) {
      case 'list': {
        const isWho = /^who$/i.test(text)
        // “Customers who ordered”.
        if (isWho && this.scopes.length > 0) return
        if (reading.mode !== undefined && this.scopes.length > 0) declineQuestion(ONE_QUESTION)
        pending.isWho ||= isWho
        reading.mode ??= 'list'
        return
      }
      case 'count': {
        const isRanked = [reading.rank, pending.group, pending.rank].some((one) => one !== undefined)
        if (subject !== undefined && !isRanked) declineQuestion(ONE_QUESTION)
        if ((pending.agg ?? 'sum') !== 'sum') this.lost(this.askedBy.agg!)
        if (reading.rank === undefined && pending.group === undefined) reading.mode = 'figure'
        pending.isCounting = true
        return
      }
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
        if ((pending.agg ?? role) !== role || (pending.isCounting && role !== 'sum')) this.lost(text)
        pending.agg = role
        if (reading.mode !== 'list' || subject === undefined) reading.mode = 'figure'
        return
      case 'top':
        reading.mode = 'list'
        reading.rank = { direction: 'desc' }
        return
      case 'most':
        pending.rank = { direction: 'desc', hint: 'count' }
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
        pending.group = role === 'each' || /each/.test(text) ? 'each' : 'by'
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
      case 'have':
        pending.has = true
        return
      case 'and':
        return this.and()
      case 'sales':
        return this.measure(this.sales(), text)
      case 'money':
        if (pending.rank === undefined && !pending.isAsking) this.lost(text)
        return this.measure(this.sales(), text)
      case 'cost':
        if (!this.isNextWord('compare')) this.lost(text)
        return
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
        reading.mode ??= 'figure'
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

  /** “… returned most often”: the preceding noun is counted. */
  protected rankBehind(): void {
    const next = this.next()
    const isOpen =
      next !== undefined &&
      (/^(?:entity|verb|column|metric)$/.test(next.kind) ||
        (next.kind === 'word' && /^(?:money|sales)$/.test(next.role)))
    const test = isOpen ? undefined : this.lastRelated()
    if (test === undefined) return
    this.subject!.conditions.pop()
    this.scopes.pop()
    this.reading.facts.push(...test.scope.conditions)
    this.setRank(this.pending.rank!.direction, { kind: 'count', entity: test.scope.entity })
  }

  protected and(): void {
    const rest = this.items.slice(this.at)
    const isCost = rest.every((item) => item.kind === 'word' && /^(?:list|how much|cost|sum)$/.test(item.role))
    if (isCost && rest.length > 1 && rest.some((item) => item.kind === 'word' && item.role === 'cost')) {
      this.reading.asksCost = true
      this.at = this.items.length
      return
    }
    const [next] = rest
    if (next?.kind === 'word' && /^(?:count|list|how much|sum|avg|share)$/.test(next.role))
      declineQuestion(ONE_QUESTION)
    const isName = next?.kind === 'entity' || next?.kind === 'column'
    if (this.reading.groups.length > 0 && (isName || this.isNextWord('grain'))) this.pending.group = 'by'
    else if (isName || next?.kind === 'period' || next?.kind === 'metric') this.lost(next.text)
  }

  protected finish(): void {
    const { pending, reading } = this
    if (this.before.length > 0) this.subjectOfValues()
    const { subject } = reading
    const [asked, ...others] = reading.selected
    if (subject === undefined && asked !== undefined && others.length === 0 && reading.rank?.by !== undefined) {
      // “Which country has the most customers?”
      if (reading.rank.by.kind === 'attribute') this.lost(reading.rank.by.attribute.words.join(' '))
      reading.groups.push({ kind: 'column', names: asked, text: asked[0]!.attribute.words.at(-1)! })
      reading.selected = []
      reading.measures.push(reading.rank.by)
      reading.mode = 'figure'
    }
    // “In total” and “together” do not change a single figure; “on average” would.
    if (reading.measures.length > 0 && pending.agg === 'sum' && reading.groups.length === 0) this.take('agg')
    const open = MUST_BE_USED.find((key) => pending[key] !== undefined && pending[key] !== false)
    if (open !== undefined) this.lost(this.askedBy[open]!)
    if (reading.rank !== undefined && reading.rank.by === undefined)
      declineQuestion('I miss a figure to rank by, such as “by number of …”.')
    if (subject === undefined && reading.measures.length === 0)
      declineQuestion(reading.selected.length > 0 ? NO_SUBJECT : 'I do not see what the question is about.')
    if (reading.measures.length > 1) declineQuestion('Please ask for one figure at a time.')
    // “Customers who ordered House Espresso in 2025”: both conditions apply to the same order.
    const last = this.scopes.at(-1)
    const inner = last !== subject && reading.rank === undefined ? last : undefined
    const isOfInner = ({ test }: Condition): boolean => test.kind === 'value' && inner !== undefined
    inner?.conditions.push(...this.held.filter(isOfInner))
    reading.facts.push(...this.held.filter((one) => !isOfInner(one)))
    const isFigure = reading.groups.length > 0 && reading.rank === undefined && reading.selected.length === 0
    if (reading.measures.length > 0 || isFigure) reading.mode ??= 'figure'
    reading.mode ??= 'list'
    if (reading.mode === 'list' && isFigure) reading.mode = 'figure'
    if (reading.mode === 'figure' && reading.measures.length === 0 && subject !== undefined)
      reading.measures.push({ kind: 'count', entity: subject.entity })
    // “Who works in sales?” asks for no figure of sales.
    if (pending.isWho && reading.mode === 'figure' && reading.groups.length === 0) this.lost(this.askedBy.isWho!)
  }

  /** “Who is the general manager?”: the table is the one that contains the value. */
  protected subjectOfValues(): void {
    const { reading, before } = this
    if (this.subject !== undefined) return void this.subject.conditions.push(...before)
    if (reading.measures.length > 0) return void reading.facts.push(...before)
    const owners = reading.selected.flat().map(({ attribute }) => attribute.entity)
    const hits = before.flatMap(({ test }) => (test.kind === 'value' ? test.hits : []))
    const tables = [...new Set(hits.map(({ table }) => entityOf(this.catalogue, table)))]
    const [entity, ...rivals] = tables.filter((one) => owners.length === 0 || owners.includes(one))
    if (entity === undefined || rivals.length > 0) declineQuestion('I do not see what the question is about.')
    const isName = ({ column }: { readonly column: string }) => entity.label.some((one) => one.column.name === column)
    // “Who supplies House Espresso?” is not answered by its name.
    if (owners.length === 0 && hits.some(isName)) this.lost(before[0]!.text)
    reading.subject = { entity, conditions: before }
    if (this.pending.isCounting) this.asSubject(reading.subject, entity.nouns)
  }
}
