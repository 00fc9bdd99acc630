import type { Attribute, Catalogue } from './catalogue.ts'
import type { Terms } from './terms.ts'

/**
 * Looks values up in the data: for each term, the columns (of those offered) that contain it, case-insensitively, whole-cell match;
 * with the value as stored. All terms that may be needed at once: each time is a way to the database and back.
 */
export type ValueLookup = (
  terms: readonly string[],
  columns: readonly Place[],
) => Promise<readonly (readonly ValueHit[])[]>

export interface Place {
  readonly table: string
  readonly column: string
  /** The column of the last name, where the other has the first: the value is both, with a blank between them. */
  readonly second?: string
}

export interface ValueHit extends Place {
  /** As stored. */
  readonly value: string
}

/** The look-up that also knows the words which the terms give for values. */
export function withWords(lookup: ValueLookup, { columns }: Terms): ValueLookup {
  const termValues = Object.entries(columns).flatMap(([name, { values }]) =>
    Object.entries(values).map(([value, words]) => ({ name, value, words: words.map((w) => w.toLowerCase()) })),
  )
  return async (terms, offered) => {
    const inData = await lookup(terms, offered)
    return terms.map((term, at) => {
      const hits = termValues.flatMap(({ name, value, words }) => {
        const place = words.includes(term.toLowerCase())
          ? offered.find((o) => `${o.table}.${o.column}` === name)
          : undefined
        return place === undefined ? [] : [{ ...place, value }]
      })
      return [...hits, ...inData[at]!]
    })
  }
}

const MAX_COLUMNS = 300

/** Text columns in which a value may be looked for. */
export function searchableColumns(catalogue: Catalogue): readonly Attribute[] {
  return catalogue.entities
    .filter((entity) => entity.table.kind === 'table')
    .flatMap((entity) => entity.attributes)
    .filter((a) => a.column.kind === 'text' || (a.column.kind === 'other' && /enum|char|text/.test(a.column.type)))
    .slice(0, MAX_COLUMNS)
}
