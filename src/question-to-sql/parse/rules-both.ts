import { onlyOf } from '../../core/only.ts'
import { dateAt } from '../words/dates.ts'
import type { Condition } from '../reading.ts'
import { phraseAt, skip, subjectEntity, valueCondition, word, type Parser, type Rule } from './parser.ts'
import { qualifiedName, type Entity } from '../../terms/catalogue.ts'

/** `who ordered in both 2024 and 2026`, `bought Atlas but not Chess`, `had both a surgery and a vaccination`. */
export const bothRule: Rule = (p) => {
  const before = p.at
  const { conditions: all } = p.reading
  const has = all.at(-1)
  const open = has?.kind === 'has' && !has.negated && p.clause?.conditions === has.conditions ? has : undefined
  const start = skip(p, p.at, ',')
  const but = open === undefined ? undefined : phraseAt(p, start, ['but not', 'and not', 'but never'])
  const [one, two] = but === undefined ? readBoth(p) : [open?.conditions.at(-1), readOne(p, start + but.length)]
  if (one !== undefined && two !== undefined && one.kind === two.kind) {
    // The clause just read, once more for the other.
    if (open !== undefined) {
      if (but === undefined) open.conditions.push(one)
      all.push({ ...open, conditions: [...open.conditions.slice(0, -1), two], negated: but !== undefined })
      p.clause = undefined
      return true
    }
    const entity = p.clause === undefined ? rowsOf(p, [one, two]) : undefined
    if (entity !== undefined) {
      for (const condition of [one, two])
        all.push({ kind: 'has', entity, negated: false, conditions: [{ ...condition, anchor: entity }] })
      return true
    }
  }
  p.at = before
  return false
}

function readBoth(p: Parser): readonly (Condition | undefined)[] {
  const one = word(p, p.at) === 'both' ? readOne(p, p.at + 1) : undefined
  return [one, one !== undefined && word(p, p.at) === 'and' ? readOne(p, p.at + 1) : undefined]
}

/** Two rows of one table, each of its kind. */
function rowsOf(p: Parser, read: readonly Condition[]): Entity | undefined {
  const isIn = (c: Condition, to: Entity): boolean =>
    c.kind === 'value' && c.alternatives.flat().some(({ table }) => table === qualifiedName(to))
  const edges = subjectEntity(p)?.edges.filter(({ kind, to }) => kind === 'many' && read.every((c) => isIn(c, to)))
  return onlyOf(edges ?? [])?.to
}

/** One time or one value. */
function readOne(p: Parser, start: number): Condition | undefined {
  const date = dateAt(p.tokens, start, p.today)
  const at = skip(p, start, 'a an the in from by with')
  const span = p.values.get(at)
  if (date === undefined && (span === undefined || span.hits.length === 0 || span.people !== undefined))
    return undefined
  p.at = date === undefined ? at + (span?.length ?? 0) : start + date.length
  if (date !== undefined) return { kind: 'date', range: date.range }
  return span === undefined ? undefined : valueCondition(span, 'plain', p.clause?.entity)
}
