import { dateAt } from '../words/dates.ts'
import type { Condition } from '../reading.ts'
import { phraseAt, skip, subjectEntity, valueCondition, word, type Parser, type Rule } from './parser.ts'
import { qualifiedName, type Entity } from '../../terms/catalogue.ts'

type Has = Extract<Condition, { kind: 'has' }>

/** `who ordered in both 2024 and 2026`, `bought Atlas but not Chess`: the clause just read, once more for the other. */
export const bothRule: Rule = (p) => {
  if (bothKinds(p)) return true
  const all = p.reading.conditions
  const has = all.at(-1)
  if (has?.kind !== 'has' || has.negated || p.clause?.conditions !== has.conditions) return false
  const but = phraseAt(p, skip(p, p.at, ','), ['but not', 'and not', 'but never'])
  if (but !== undefined) {
    const kept = has.conditions.slice(0, -1)
    const isAsked = has.conditions.at(-1)?.kind
    return repeat(p, has, kept, skip(p, p.at, ',') + but.length, true, isAsked)
  }
  if (word(p, p.at) !== 'both') return false
  const kept = [...has.conditions]
  const start = p.at
  if (!readOne(p, p.at + 1, has.conditions) || word(p, p.at) !== 'and') {
    has.conditions.splice(kept.length)
    p.at = start
    return false
  }
  return repeat(p, has, kept, p.at + 1, false, has.conditions.at(-1)?.kind)
}

/** `pets that had both a surgery and a vaccination`: two rows of one table, each of its kind. */
function bothKinds(p: Parser): boolean {
  const subject = subjectEntity(p)
  if (word(p, p.at) !== 'both' || p.clause !== undefined || subject === undefined) return false
  const start = p.at
  const read: Condition[] = []
  if (readOne(p, start + 1, read) && word(p, p.at) === 'and' && readOne(p, p.at + 1, read)) {
    const rows = subject.edges.filter(
      ({ kind, to }) => kind === 'many' && read.every((c) => c.kind === 'value' && isIn(c.alternatives.flat(), to)),
    )
    const [edge, ...others] = rows
    if (edge !== undefined && others.length === 0) {
      const { to: entity } = edge
      for (const condition of read)
        p.reading.conditions.push({
          kind: 'has',
          entity,
          negated: false,
          conditions: [{ ...condition, anchor: entity }],
        })
      return true
    }
  }
  p.at = start
  return false
}

function isIn(hits: readonly { readonly table: string }[], entity: Entity): boolean {
  return hits.some(({ table }) => table === qualifiedName(entity))
}

/** The clause with its last condition replaced by one of the same kind. */
function repeat(p: Parser, has: Has, kept: readonly Condition[], at: number, negated: boolean, kind?: string): boolean {
  const before = p.at
  const conditions = [...kept]
  if (readOne(p, at, conditions) && conditions.at(-1)?.kind === kind) {
    p.reading.conditions.push({ ...has, conditions, negated })
    p.clause = undefined
    return true
  }
  p.at = before
  return false
}

/** One time or one value. */
function readOne(p: Parser, start: number, into: Condition[]): boolean {
  const date = dateAt(p.tokens, start, p.today)
  if (date !== undefined) {
    into.push({ kind: 'date', range: date.range })
    p.at = start + date.length
    return true
  }
  const at = skip(p, start, 'a an the in from by')
  const span = p.values.get(at)
  if (span === undefined || span.hits.length === 0 || span.people !== undefined) return false
  into.push(valueCondition(span, 'plain', p.clause?.entity))
  p.at = at + span.length
  return true
}
