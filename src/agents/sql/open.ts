import { unavailableSource } from '../../domain/error-text.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import { withDay } from '../../databases/glossary/apply-terms.ts'
import { NO_TERMS, unknownTerms, type Terms } from '../../databases/glossary/terms.ts'
import type { SqlSource } from './source.ts'

/** A source with its schema and its business terms. */
export interface Database {
  readonly source: SqlSource
  readonly schema: DatabaseSchema
  readonly terms: Terms
}

export interface OpenedDatabases {
  readonly databases: readonly Database[]
  readonly failed: readonly { readonly name: string; readonly error: TuttiError }[]
}

/**
 * Reads schemas and business terms. A database that cannot be read is among the failed ones.
 * @param today `YYYY-MM-DD`, the day of the question
 */
export async function describeDatabases(
  sources: readonly SqlSource[],
  today: string,
  readSchema: (source: SqlSource) => Promise<DatabaseSchema>,
  warn: (sentence: string) => void,
): Promise<OpenedDatabases> {
  const read = await Promise.allSettled(
    sources.map(async (source): Promise<Database> => {
      const schema = await readSchema(source)
      const { terms, path, unused } = (await source.terms?.()) ?? { terms: NO_TERMS }
      if (unused !== undefined) warn(unused)
      refuseUnknownTerms(path ?? source.name, unknownTerms(terms, schema))
      return { source, schema, terms: withDay(terms, today) }
    }),
  )
  return {
    databases: read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    failed: read.flatMap((result, i) =>
      result.status === 'rejected' ? [{ name: sources[i]!.name, error: toTuttiError(result.reason) }] : [],
    ),
  }
}

/**
 * Remarks for the user on databases that could not be read.
 * @throws TuttiError the first error, if no database could be read
 */
export function remarksOn({ databases, failed }: OpenedDatabases): readonly string[] {
  if (databases.length === 0 && failed[0] !== undefined) throw failed[0].error
  return failed.map(({ name, error }) => unavailableSource(`The database “${name}”`, error))
}

/** An entry that names nothing of the database would silently not count. */
function refuseUnknownTerms(path: string, unknown: readonly string[]): void {
  if (unknown.length === 0) return
  throw new TuttiError(
    'ConfigurationError',
    `The terms in ${path} name what the database does not have: ${unknown.join('; ')}. Correct or remove it.`,
  )
}
