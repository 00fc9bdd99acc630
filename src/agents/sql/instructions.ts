import { onOneLine, tagged } from '../../domain/prompt-text.ts'
import type { ColumnSchema, Dialect, TableSchema } from '../../databases/schema.ts'
import { similarPairs, findVerified, withJoins } from '../../databases/glossary/apply-terms.ts'
import { fullName } from '../../databases/glossary/tables.ts'
import type { Terms } from '../../databases/glossary/terms.ts'
import type { Database, OpenedDatabases } from './open.ts'
import { MAX_VALUES, type ColumnProfile, type RowCount, type TableProfile } from './profile.ts'

const LANGUAGE: Readonly<Record<Dialect, string>> = { postgres: 'PostgreSQL', mysql: 'MySQL', sqlite: 'SQLite' }

const RULES = `## Databases
- Filter by values as they are stored. Quoted values are all that a column holds; \`find_values\` finds those that are not shown.
- Let SQL compute totals, shares, differences and ranks. Give computed columns short, readable names.
- Aggregate a table before joining it to one that has several rows for each of its rows.
- Relative dates count from today.`

/** Maximum characters of a schema that is shown in full: some 3,000 tokens. Values are shown up to the second limit. */
const MAX_SCHEMA_CHARS = 12_000
const MAX_CHARS_WITH_VALUES = 8_000
/** Maximum number of values per column; the first of these for which all columns fit is used. */
const VALUES_SHOWN = [MAX_VALUES, 15, 8]
/** Maximum characters of a column's values. Columns with longer lists hold names or ids rather than categories. */
const MAX_NAMES_CHARS = 150

type Profiles = ReadonlyMap<string, TableProfile>

/** Instructions about the databases, and whether they are complete or `describe_table` can show more of one. */
export function sqlInstructions(
  { databases, failed }: OpenedDatabases,
  profilesOf: (database: Database) => Profiles,
): { readonly instructions: string; readonly isWhole: boolean } {
  const described = databases.map((database) => ({
    ...database,
    ...databaseText(database, profilesOf(database)),
  }))
  const sections = described.map(({ source, schema, text }) => {
    return tagged('database', text, { name: source.name, dialect: LANGUAGE[schema.dialect] })
  })
  const instructions = [
    RULES,
    ...sections,
    ...failed.map(({ name, error }) => `The database "${name}" cannot be read now: ${error.message}`),
  ].join('\n\n')
  return { instructions, isWhole: described.every(({ isWhole }) => isWhole) }
}

function databaseText(database: Database, profiles: Profiles): { text: string; isWhole: boolean } {
  const schema = withJoins(database.schema, database.terms)
  const textWith = (max: number): string =>
    schema.tables.map((table) => tableText(table, database.terms, profiles.get(fullName(table)), max)).join('\n')
  const isProfiled = schema.tables.every((table) => table.kind === 'view' || profiles.has(fullName(table)))
  const described = (tables: string, isWhole = false) => ({
    text: [tables, ...metricsText(database.terms)].join('\n'),
    isWhole,
  })
  for (const max of VALUES_SHOWN) {
    const text = textWith(max)
    if (text.length <= MAX_CHARS_WITH_VALUES) return described(text, isProfiled && max === MAX_VALUES)
  }
  const bare = textWith(0)
  return described(bare.length <= MAX_SCHEMA_CHARS ? bare : namesText(schema.tables, profiles))
}

function namesText(tables: readonly TableSchema[], profiles: Profiles): string {
  const names = tables.map((table) => `${fullName(table)}${rowsText(rowsOf(table, profiles.get(fullName(table))))}`)
  return `${tables.length} tables; describe_table shows the columns of one:\n${names.join('\n')}`
}

/** A table with its columns: types, keys, values, business names. @param max values shown of a column */
export function tableText(
  table: TableSchema,
  terms: Terms,
  profile: TableProfile | undefined,
  max: number = MAX_VALUES,
): string {
  const { called = [], where } = terms.tables[fullName(table)] ?? {}
  const marks = [
    table.comment ?? '',
    called.length === 0 ? '' : `called ${quoteTexts(called)}`,
    where === undefined ? '' : `only where ${where} unless the question says otherwise`,
  ]
  const head = `${table.kind === 'view' ? 'view ' : ''}${fullName(table)}${rowsText(rowsOf(table, profile))}${joined(marks)}`
  const columns = table.columns.map((column) => {
    const known = terms.columns[`${fullName(table)}.${column.name}`]
    const more = [
      column.comment ?? '',
      known === undefined || known.called.length === 0 ? '' : `called ${quoteTexts(known.called)}`,
      valuesText(profile?.columns.get(column.name), profile?.rows?.count, max),
      ...meaningsText(known),
    ]
    return ` ${onOneLine(`${column.name} ${kindText(table, column)}${joined(more)}`)}`
  })
  const keys = table.foreignKeys.filter((key) => key.columns.length > 1)
  return [
    onOneLine(head),
    ...columns,
    ...keys.map((key) => ` (${key.columns.join(', ')}) references ${key.table} (${key.referencedColumns.join(', ')})`),
  ].join('\n')
}

/**
 * The type of a column, or the table that it refers to. Lengths of texts are left out, because queries do not need
 * them.
 */
function kindText({ foreignKeys }: TableSchema, { name, type, kind, primaryKey }: ColumnSchema): string {
  const key = foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === name)
  if (key !== undefined) {
    const [referenced] = key.referencedColumns
    return `references ${key.table}${referenced === name ? '' : `.${referenced}`}`
  }
  return `${kind === 'text' ? 'text' : type}${primaryKey ? ' primary key' : ''}`
}

function joined(marks: readonly string[]): string {
  const present = marks.filter((mark) => mark !== '')
  return present.length === 0 ? '' : `: ${present.join('; ')}`
}

function rowsOf({ approximateRows }: TableSchema, profile: TableProfile | undefined): RowCount | undefined {
  if (profile?.rows !== undefined) return profile.rows
  return approximateRows === undefined ? undefined : { count: approximateRows, precision: 'about' }
}

/** A count of rows in brackets. */
export function rowsText(rows: RowCount | undefined): string {
  if (rows === undefined) return ''
  const before = { exact: '', about: 'about ', more: 'more than ' }[rows.precision]
  return ` (${before}${rows.count} ${rows.count === 1 ? 'row' : 'rows'})`
}

/** All values of a column, or none: a few of many say nothing of the others. */
function valuesText(profile: ColumnProfile | undefined, rows: number | undefined, max: number): string {
  const { range, distinct = 0, values = [] } = profile ?? {}
  if (range !== undefined) return `${range[0]} to ${range[1]}`
  const list = values.map((value) => quoted(value)).join(', ')
  const isCategory = 2 * distinct <= (rows ?? 0) || list.length <= MAX_NAMES_CHARS
  if (list === '' || distinct > max || !isCategory) return ''
  return values.length < distinct ? `${values.length} of ${distinct} values: ${list}` : list
}

/** The meanings of a column's values. */
function meaningsText(known: Terms['columns'][string] | undefined): readonly string[] {
  const { values = {}, yes, no } = known ?? {}
  const named = Object.entries(values).filter(([, words]) => words.length > 0)
  return [
    ...named.map(([value, words]) => `${quoted(value)} is also ${quoteTexts(words)}`),
    ...(yes === undefined || no === undefined ? [] : [`${quoteTexts(yes)} is yes, ${quoteTexts(no)} is no`]),
  ]
}

function metricsText({ metrics }: Terms): readonly string[] {
  const lines = Object.entries(metrics).map(([name, { called, of, value, where, unit }]) => {
    const also = called.length === 0 ? '' : ` (also ${quoteTexts(called)})`
    const rows = where === undefined ? '' : ` where ${where}`
    return `  ${onOneLine(`${quoteTexts([name])}${also}: ${value} over ${of}${rows}${unit === undefined ? '' : `; ${unit}`}`)}`
  })
  return lines.length === 0 ? [] : ['Business terms mean what is defined here:', ...lines]
}

/** Queries that users have verified for similar questions. */
export function verifiedQueries({ databases }: OpenedDatabases, question: string): readonly string[] {
  return databases.flatMap((database) => pairsText(database, question))
}

function pairsText({ source, terms }: Database, question: string): readonly string[] {
  const exact = findVerified(terms, question)
  const similar = similarPairs(terms, question).filter((pair) => pair !== exact)
  const pairs = exact === undefined ? similar : [exact, ...similar]
  if (pairs.length === 0) return []
  const lines = pairs.map((pair) => {
    const isSame = pair === exact ? 'The same question' : `Question: ${quoteTexts([pair.question])}`
    return `${isSame}\n${pair.sql.trim()}`
  })
  const heading = 'People have checked these. Run one as it is for its own question, adapt it for a similar one.'
  return [tagged('verified_queries', [heading, ...lines].join('\n'), { database: source.name })]
}

/** Texts of a terms file within a prompt: each in quotes, on one line. */
function quoteTexts(texts: readonly string[]): string {
  return texts.map((text) => `"${onOneLine(text).replaceAll('"', "'")}"`).join(', ')
}

function quoted(value: string): string {
  return `'${onOneLine(value).replaceAll("'", "''")}'`
}
