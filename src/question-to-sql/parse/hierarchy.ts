import { onlyOf } from '../../core/only.ts'
import type { Edge } from '../../terms/catalogue.ts'
import type { EntityMatch } from '../../terms/names.ts'
import { isForm, isPhrase, subjectEntity, word, type Parser } from './parser.ts'

const SUPERIOR = /^(manager|supervisor|boss|superior|lead|leader|head|report|reports)$/

/** The key by which a table of people says who reports to whom. */
export function hierarchy(p: Parser): Edge | undefined {
  const isOwn = (e: Edge): boolean => e.from === e.to && e.kind === 'one' && e.role.some((w) => SUPERIOR.test(w))
  const spoken = subjectEntity(p)?.edges.find(isOwn)
  return spoken ?? onlyOf(p.catalogue.entities.flatMap((e) => e.edges.filter(isOwn)))
}

/** `direct reports` where they are counted: those who have someone above them. */
export function reportsAt(p: Parser, at: number): EntityMatch | undefined {
  const direct = isPhrase(p, at, 'direct') ? 1 : 0
  if (!isForm(p, at + direct, ['report', 'subordinate'])) return undefined
  const isCounted = p.counting || direct === 1 || /^(most|fewest|more|many)$/.test(word(p, at - 1))
  const edge = isCounted ? hierarchy(p) : undefined
  return edge === undefined ? undefined : { entity: edge.to, length: direct + 1, score: 1 }
}
