import { quoteIdentifier } from '../../databases/glossary/dialect.ts'
import { draftTerms } from '../../databases/glossary/draft.ts'
import type { Terms } from '../../databases/glossary/terms.ts'
import type { SqlSource } from './source.ts'
import { isSchema } from '../../databases/glossary/tables.ts'

/** Columns with more different values than this are names or texts, not kinds or states. */
const MAX_VALUES = 12
const MAX_VALUE_CHARS = 40

/** Draft terms of a database, for a user to correct; undefined for a database without a schema. */
export async function describeTerms(
  source: Pick<SqlSource, 'schema' | 'query'>,
  signal: AbortSignal,
): Promise<Partial<Terms> | undefined> {
  const schema = await source.schema(signal)
  if (!isSchema(schema)) return undefined
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
