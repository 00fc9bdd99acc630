import type { Edge } from '../../terms/catalogue.ts'
import {
  addCondition,
  askFor,
  isForm,
  phraseAt,
  skip,
  word,
  type Parser,
  type Rule,
  entitySpokenOf,
  valueCondition,
} from './parser.ts'
import { hierarchy } from './hierarchy.ts'
import { listed, refuse } from '../refusal.ts'
import { forms, sameWord } from '../../terms/words.ts'
import { personOf } from './rules-value.ts'

const ABOVE = ['manages', 'manage', 'supervises', 'supervise', 'leads']

/** `who reports to Andrew Adams`, `customers managed by Sue`, `who manages Sue`, `the manager of Sue`, `Sue's manager`. */
export const hierarchyRule: Rule = (p) => {
  const at = skip(p, p.at, 'who that which is are was were does do the')
  const below = belowAt(p, at)
  if (below !== undefined) return addBelow(p, below, skip(p, at + 2))
  const edge = hierarchy(p)
  if (edge === undefined) return false
  const after = at + (p.values.get(at)?.length ?? 0)
  const isAsked = isForm(p, after, ['report']) && word(p, after + 1) === 'to' && after + 2 === p.tokens.length
  const role = word(p, after) === "'s" ? roleAt(p, edge, after + 1) : 0
  if (after > at && (isAsked || role > 0)) return addLinked(p, edge, 'parent', at, after + (isAsked ? 2 : 1 + role))
  const own = roleAt(p, edge, at)
  const opener = phraseAt(p, at, ABOVE)?.length ?? (own > 0 && word(p, at + own) === 'of' ? own + 1 : 0)
  const managed = opener > 0 ? afterNoun(p, edge, skip(p, at + opener)) : -1
  return p.values.has(managed) && addLinked(p, edge, 'parent', managed)
}

/** Those below a named one, below anyone (`to another employee`) or below nobody. */
function addBelow(p: Parser, below: Edge, next: number): true {
  const nobody = phraseAt(p, next, ['nobody', 'no one'])
  const other = skip(p, next, 'a an any another other some')
  const noun = other > next ? p.names.entitiesAt(other).find((m) => m.entity === below.to) : undefined
  if (nobody === undefined && noun === undefined) return addLinked(p, below, 'child', afterNoun(p, below, next))
  if (nobody !== undefined) askFor(p, below.from)
  addCondition(p, { kind: 'has', entity: below.to, via: below, negated: nobody !== undefined, conditions: [] })
  p.at = nobody === undefined ? other + (noun?.length ?? 0) : next + nobody.length
  return true
}

/** The key that `reports to` or `managed by` is about: one of the rows spoken of, never one of other rows. */
function belowAt(p: Parser, at: number): Edge | undefined {
  if (isForm(p, at, ['report']) && word(p, at + 1) === 'to') return hierarchy(p)
  const verb = word(p, at)
  if (word(p, at + 1) !== 'by' || !/(ed|led)$/.test(verb)) return undefined
  const owner = entitySpokenOf(p)
  const isNamed = (w: string): boolean =>
    sameWord(w, verb) || forms(verb).has(w.replace(/(er|or)$/, '')) || forms(verb).has(w.replace(/r$/, ''))
  const keys = owner?.edges.filter((e) => e.kind === 'one' && e.role.some(isNamed)) ?? []
  if (keys.length > 0)
    return keys.length === 1
      ? keys[0]
      : refuse(`“${verb} by” could be about ${listed(keys.map((e) => e.keyColumn))}. Please say which.`)
  const own = /^(managed|supervised|led)$/.test(verb) ? hierarchy(p) : undefined
  return owner === undefined || owner === own?.from ? own : undefined
}

/** Past the noun in `the employee Sue Seller`. */
function afterNoun(p: Parser, edge: Edge, at: number): number {
  const noun = p.names.entitiesAt(at).find((m) => m.entity === edge.to && m.via === undefined)
  return p.values.has(at) ? at : at + (noun?.length ?? 0)
}

/** How many words name the superior here. */
function roleAt(p: Parser, edge: Edge, at: number): number {
  return p.names.entitiesAt(at).find((m) => m.via === edge)?.length ?? 0
}

function addLinked(p: Parser, edge: Edge, role: 'child' | 'parent', at: number, end?: number): true {
  const entity = edge.to
  const span = p.values.get(at)
  if (span === undefined)
    return refuse(
      `I can tell who reports to one named person or job, and nothing else about who reports to whom among the ${entity.nouns}.`,
    )
  askFor(p, entity)
  const named = span.people === undefined ? valueCondition(span, 'in', entity) : personOf(p, span, entity)
  addCondition(p, { kind: 'linked', edge, role, conditions: [named] })
  p.at = end ?? at + span.length
  return true
}
