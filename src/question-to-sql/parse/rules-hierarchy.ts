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
  if (below !== undefined) {
    const next = skip(p, at + 2)
    // “employees who report to each manager” breaks a count down.
    if (/^(each|every)$/.test(word(p, next)) && p.reading.counted !== undefined) {
      p.at = next
      return true
    }
    const nobody = phraseAt(p, next, ['nobody', 'no one'])
    if (nobody !== undefined) {
      askFor(p, below.from)
      addCondition(p, { kind: 'has', entity: below.to, via: below, negated: true, conditions: [] })
      p.at = next + nobody.length
      return true
    }
    const other = skip(p, next, 'a an any another other some')
    const noun = p.names.entitiesAt(other).find((m) => m.entity === below.to)
    if (other > next && noun !== undefined) {
      addCondition(p, { kind: 'has', entity: below.to, via: below, negated: false, conditions: [] })
      p.at = other + noun.length
      return true
    }
    return addLinked(p, below, 'child', afterNoun(p, below, next))
  }
  const edge = hierarchy(p)
  if (edge === undefined) return false
  const after = at + (p.values.get(at)?.length ?? 0)
  if (after > at && isForm(p, after, ['report']) && word(p, after + 1) === 'to' && after + 2 === p.tokens.length) {
    addLinked(p, edge, 'parent', at)
    p.at = after + 2
    return true
  }
  const above = phraseAt(p, at, ABOVE)
  const managed = above === undefined ? -1 : afterNoun(p, edge, skip(p, at + above.length))
  if (p.values.has(managed)) return addLinked(p, edge, 'parent', managed)
  const role = roleAt(p, edge, at)
  const of = role > 0 && word(p, at + role) === 'of' ? afterNoun(p, edge, skip(p, at + role + 1)) : -1
  if (of > 0 && p.values.has(of)) return addLinked(p, edge, 'parent', of)
  return possessive(p, edge, at)
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

function possessive(p: Parser, edge: Edge, at: number): boolean {
  const span = p.values.get(at)
  const owner = at + (span?.length ?? 0)
  const role = span !== undefined && word(p, owner) === "'s" ? roleAt(p, edge, owner + 1) : 0
  if (role === 0) return false
  addLinked(p, edge, 'parent', at)
  p.at = owner + 1 + role
  return true
}

function addLinked(p: Parser, edge: Edge, role: 'child' | 'parent', at: number): true {
  const entity = edge.to
  const span = p.values.get(at)
  if (span === undefined)
    return refuse(
      `I can tell who reports to one named person or job, and nothing else about who reports to whom among the ${entity.nouns}.`,
    )
  askFor(p, entity)
  const named = span.people === undefined ? valueCondition(span, 'in', entity) : personOf(p, span, entity)
  addCondition(p, { kind: 'linked', edge, role, conditions: [named] })
  p.at = at + span.length
  return true
}
