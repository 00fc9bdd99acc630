import { searchTerms } from '../search/analysis.ts'
import type { DocumentRecord, SearchFilter } from '../types.ts'
import type { Condition, QdrantFilter } from './client.ts'
import { modelCondition, typeCondition } from './points.ts'

/**
 * A search's filter in Qdrant's terms, with the same meaning as in the SQL store; undefined when nothing can pass.
 * Days are looked up among the owner's documents, for which `documents` is only called then: Qdrant can only
 * compare keywords for equality.
 */
export async function qdrantFilter(
  filter: SearchFilter,
  model: string,
  documents: () => Promise<readonly DocumentRecord[]>,
): Promise<QdrantFilter | undefined> {
  const { types, documentIds, from, to, section } = filter
  const must: Condition[] = [typeCondition('chunk'), modelCondition(model)]
  const mustNot: Condition[] = []
  const anyOf = (key: string, any: readonly string[]): number => must.push({ key, match: { any: [...new Set(any)] } })
  if (types !== undefined) anyOf('metadata.doc_type', types)
  if (documentIds !== undefined) anyOf('doc_id', documentIds)
  if (from !== undefined || to !== undefined) {
    const days = (await documents()).flatMap(({ date }) =>
      date !== undefined && isWithin(date, from, to) ? [date] : [],
    )
    anyOf('metadata.date', days)
  }
  if (section !== undefined) {
    for (const term of searchTerms(section)) must.push({ key: 'metadata.section_terms', match: { value: term } })
    mustNot.push({ is_empty: { key: 'metadata.section_title' } })
  }
  if (must.some((condition) => 'match' in condition && 'any' in condition.match && condition.match.any.length === 0)) {
    return undefined
  }
  return mustNot.length === 0 ? { must } : { must, must_not: mustNot }
}

/** A date may be followed by a time of that day, which is later as a text. */
function isWithin(date: string, from: string | undefined, to: string | undefined): boolean {
  return (from === undefined || date >= from) && (to === undefined || date.slice(0, to.length) <= to)
}
