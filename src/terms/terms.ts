import { z } from 'zod'
import { TuttiError } from '../core/errors.ts'
import type { DatabaseSchema } from '../databases/schema.ts'

const words = z.array(z.string().min(1)).default([])
/** An expression, whose names are looked up in the tables of the terms: a query inside it would have names of its own. */
const expression = z
  .string()
  .min(1)
  .refine((sql) => !/\bselect\b|;|--|\/\*/i.test(sql), {
    error: 'must be an expression without a query or comment in it',
  })

const table = z.strictObject({
  /** What people call its rows, in the singular; the first is used in answers. */
  called: words,
  /** SQL over its columns that holds of all rows that questions are about, such as `deleted_at IS NULL`. */
  where: expression.optional(),
})

const column = z.strictObject({
  called: words,
  /** Stored values, each with the words that mean it. */
  values: z.record(z.string(), words).default({}),
  /** What it holds for yes and for no, where it says either. */
  yes: z.array(z.string()).optional(),
  no: z.array(z.string()).optional(),
})

const metric = z.strictObject({
  called: words,
  /** The table whose rows it is computed over. */
  of: z.string().min(1),
  /** SQL with the aggregate, over columns of that table: `SUM(quantity * unit_price)`. */
  value: expression,
  /** SQL over columns of that table, or of tables that it points at as `table.column`. */
  where: expression.optional(),
  unit: z.literal('money').optional(),
})

/** What the people who use a database mean by their words. Tables are named as in the database, columns as `table.column`. */
export const termsSchema = z.strictObject({
  tables: z.record(z.string(), table).default({}),
  columns: z.record(z.string(), column).default({}),
  metrics: z.record(z.string(), metric).default({}),
  /** Links that no foreign key tells: `orders.customer_code = customers.code`. */
  joins: z.array(z.string().regex(/^\S+\.\S+\s*=\s*\S+\.\S+$/, 'must be table.column = table.column')).default([]),
  /** Questions with SQL that a person has found right. */
  verified: z.array(z.strictObject({ question: z.string().min(1), sql: z.string().min(1) })).default([]),
})

export type Terms = z.output<typeof termsSchema>
export type Metric = Terms['metrics'][string]

/** The metrics that verbs of trade mean. */
export const REVENUE = 'revenue'
export const UNITS_SOLD = 'units sold'

export const NO_TERMS: Terms = termsSchema.parse({})

/**
 * Reads a file of terms.
 * @param path for messages
 * @throws TuttiError `ConfigurationError` that names the place
 */
export async function parseTerms(text: string, path: string): Promise<Terms> {
  const { parse } = await import('yaml')
  const fail = (why: string, cause?: unknown): TuttiError =>
    new TuttiError('ConfigurationError', `The terms in ${path} cannot be read: ${why}`, { cause })
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    throw fail((error as Error).message, error)
  }
  const parsed = termsSchema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  throw fail(parsed.error.issues.map((i) => `${i.path.join('.') || 'the file'}: ${i.message}`).join('; '))
}

/** What the terms name that the database does not have; empty when all is there. */
export function strangersIn(terms: Terms, { tables }: DatabaseSchema): readonly string[] {
  const known = new Set(tables.flatMap((t) => namesOf(t)))
  const columns = new Set(tables.flatMap((t) => namesOf(t).flatMap((n) => t.columns.map((c) => `${n}.${c.name}`))))
  const missing = (names: readonly string[], what: ReadonlySet<string>): string[] => names.filter((n) => !what.has(n))
  return [
    ...missing([...Object.keys(terms.tables), ...Object.values(terms.metrics).map((m) => m.of)], known),
    ...missing(
      [...Object.keys(terms.columns), ...terms.joins.flatMap((j) => j.split('=').map((s) => s.trim()))],
      columns,
    ),
  ]
}

function namesOf({ schema, name }: DatabaseSchema['tables'][number]): readonly string[] {
  return schema === undefined ? [name] : [`${schema}.${name}`]
}

/** Where the terms of a SQLite file lie when nobody says otherwise: beside it, `shop.terms.yaml` for `shop.sqlite`. */
export function termsPathOf(databasePath: string): string {
  return `${databasePath.replace(/\.[^./\\]+$/, '')}.terms.yaml`
}
