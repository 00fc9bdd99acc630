import type { Protections } from '../../databases/database.ts'
import type { Verdict } from '../../databases/sql-guard/index.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import type { Terms } from '../../databases/glossary/terms.ts'
import { quoteIdentifier } from '../../databases/glossary/dialect.ts'
import { draftTerms } from '../../databases/glossary/draft.ts'

/** The output of `mcp_db_query`. */
export interface QueryPayload {
  readonly success: boolean
  readonly columns: readonly string[]
  readonly data: readonly (readonly unknown[])[]
  readonly row_count: number
  readonly error?: string | null
  readonly truncated?: boolean
  readonly blocked?: boolean | undefined
  /** `QueryError`, `ConfigurationError` and so on, if the query failed. */
  readonly error_code?: string | undefined
}

export interface SourceTerms {
  readonly terms: Terms
  /** The file they are from. */
  readonly path?: string
  /** A sentence that a file was found and is not used. */
  readonly unused?: string
}

/** One database as this agent sees it. */
export interface SqlSource {
  readonly name: string
  schema(signal: AbortSignal): Promise<DatabaseSchema>
  /** Whether the query may run, and why not. */
  check(sql: string, signal: AbortSignal): Promise<Verdict>
  query(sql: string, signal: AbortSignal): Promise<QueryPayload>
  /** The business terms of its users, if there is a file with them. */
  terms?(): Promise<SourceTerms>
  /** The barriers that protect the database from queries. */
  protections(signal: AbortSignal): Promise<Protections>
}

/** Columns with more different values than this are names or texts, not kinds or states. */
const MAX_VALUES = 12
const MAX_VALUE_CHARS = 40

/** Draft terms of a database, for a user to correct. */
export async function describeTerms(
  source: Pick<SqlSource, 'schema' | 'query'>,
  signal: AbortSignal,
): Promise<Partial<Terms>> {
  const schema = await source.schema(signal)
  const quote = (name: string): string => quoteIdentifier(name, schema.dialect)
  return draftTerms(schema, async (table, column) => {
    const from = table.split('.').map(quote).join('.')
    const sql = `SELECT DISTINCT ${quote(column)} FROM ${from} WHERE ${quote(column)} IS NOT NULL LIMIT ${MAX_VALUES + 1}`
    const { success, data } = await source.query(sql, AbortSignal.any([signal]))
    const values = data.map(([value]) => String(value))
    const isFew = success && values.length <= MAX_VALUES && values.every((value) => value.length <= MAX_VALUE_CHARS)
    return isFew ? values.sort() : undefined
  })
}
