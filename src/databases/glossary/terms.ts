import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import type { DatabaseSchema } from '../schema.ts'
import { fullName } from './tables.ts'
import { hasBalancedBrackets, columnNamesIn, readsTable } from './sql-text.ts'

const words = z.array(z.string().min(1)).default([])
/**
 * An expression. Its names are looked up in the tables of the terms; subqueries are not allowed, since they would have
 * their own names.
 */
const expression = z
  .string()
  .min(1)
  .refine((sql) => !/\bselect\b|;|--|\/\*/i.test(sql), {
    error: 'must be an expression without a query or comment in it',
  })
  .refine(hasBalancedBrackets, { error: 'must close each bracket and quote that it opens' })

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
  /** Its values for yes and for no, if it has any. */
  yes: z.array(z.string()).optional(),
  no: z.array(z.string()).optional(),
})

const metric = z.strictObject({
  called: words,
  /** The table over whose rows it is computed. */
  of: z.string().min(1),
  /** SQL with the aggregate, over columns of that table: `SUM(quantity * unit_price)`. */
  value: expression.refine((sql) => /\bcount\s*\(\s*\*\s*\)/i.test(sql) || columnNamesIn(sql).length > 0, {
    error: 'reads nothing of a table, so its figure would come from nowhere',
  }),
  /** SQL over columns of that table, or of tables that it points at as `table.column`. */
  where: expression.optional(),
  unit: z.literal('money').optional(),
})

/** Of the SQL of a verified pair: comments, quoted names, texts, and the day of the question. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|`[^`]*`|(?<text>'(?:[^']|'')*'|(?<!\w)\$(?<tag>(?:[a-z_]\w*)?)\$[\s\S]*?\$\k<tag>\$)|(?<![:\w])(?<today>:today\b)/gi

/** SQL with the day of the question, `YYYY-MM-DD`, in its places. */
export function fillDay(sql: string, day: string): string {
  return sql.replace(PARTS, (part) => (part.toLowerCase() === ':today' ? `'${day}'` : part))
}

/** The texts in a query. */
function textsIn(sql: string): readonly string[] {
  return [...sql.matchAll(PARTS)].flatMap(({ groups }) => groups?.['text'] ?? [])
}

/** A query without texts, quoted names, comments and the day of the question. */
export function withoutTexts(sql: string): string {
  return sql.replace(PARTS, ' ')
}

const verifiedSql = z
  .string()
  .min(1)
  .refine(readsTable, { error: 'reads nothing of a table, so its figures would come from nowhere' })
  .refine((sql) => !textsIn(sql).some((text) => /:today\b/i.test(text)), {
    error: 'must have :today without quotes',
  })
  .refine((sql) => !/(?<![:\w]):[a-z_]/i.test(withoutTexts(sql)), {
    error: 'has a placeholder that is not known; there is :today, the day of the question',
  })

/** What the people who use a database mean by their words. Tables are named as in the database, columns as `table.column`. */
export const termsSchema = z.strictObject({
  tables: z.record(z.string(), table).default({}),
  columns: z.record(z.string(), column).default({}),
  metrics: z.record(z.string(), metric).default({}),
  /** Links that no foreign key tells: `orders.customer_code = customers.code`. */
  joins: z
    .array(
      z
        .string()
        .regex(/^[^\s.=]+(?:\.[^\s.=]+)+\s*=\s*[^\s.=]+(?:\.[^\s.=]+)+$/, 'must be table.column = table.column'),
    )
    .default([]),
  /** Questions with SQL that a person has found right. */
  verified: z.array(z.strictObject({ question: z.string().min(1), sql: verifiedSql })).default([]),
})

/** A question with SQL that a person has found right. */
export interface Verified {
  readonly question: string
  readonly sql: string
  /** It counts from the day of the question, which is in its SQL by now. */
  readonly day?: string
}

export type Terms = Omit<z.output<typeof termsSchema>, 'verified'> & { readonly verified: readonly Verified[] }
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

/** What the terms name that the database does not have, each with its entry; empty when all is there. */
export function unknownTerms(terms: Terms, { tables }: DatabaseSchema): readonly string[] {
  const columnsByTable = new Map(
    tables.map((t) => [fullName(t).toLowerCase(), new Set(t.columns.map((c) => c.name.toLowerCase()))]),
  )
  const lacks = (name: string): boolean => {
    const dot = name.lastIndexOf('.')
    return (
      columnsByTable.get(name.slice(0, Math.max(dot, 0)).toLowerCase())?.has(name.slice(dot + 1).toLowerCase()) !== true
    )
  }
  const entriesOf = (entry: string, names: readonly string[]): string[] => names.map((name) => `${entry}: ${name}`)
  /** Columns of an expression; those without a table belong to this one. */
  const unknownColumns = (table: string, sql: string | undefined): string[] =>
    columnNamesIn(sql ?? '').filter((name) => lacks(name.includes('.') ? name : `${table}.${name}`))
  return [
    ...Object.entries(terms.tables).flatMap(([name, { where }]) =>
      columnsByTable.has(name.toLowerCase())
        ? entriesOf(`tables.${name}.where`, unknownColumns(name, where))
        : [`tables.${name}`],
    ),
    ...Object.keys(terms.columns).flatMap((name) => (lacks(name) ? [`columns.${name}`] : [])),
    ...Object.entries(terms.metrics).flatMap(([name, { of, value, where }]) =>
      columnsByTable.has(of.toLowerCase())
        ? [
            ...entriesOf(`metrics.${name}.value`, unknownColumns(of, value)),
            ...entriesOf(`metrics.${name}.where`, unknownColumns(of, where)),
          ]
        : [`metrics.${name}.of: ${of}`],
    ),
    ...terms.joins.flatMap((join) =>
      entriesOf(
        'joins',
        join
          .split('=')
          .map((side) => side.trim())
          .filter(lacks),
      ),
    ),
  ]
}

/** Default location of the terms of a SQLite file: next to it, `shop.terms.yaml` for `shop.sqlite`. */
export function termsPathOf(databasePath: string): string {
  return `${databasePath.replace(/\.[^./\\]+$/, '')}.terms.yaml`
}
