import { onOneLine } from '../../core/prompt-text.ts'
import type { Dialect, TableSchema } from '../../databases/schema.ts'
import { similarPairs, verifiedFor, withJoins } from '../../terms/apply.ts'
import { fullName, isSchema } from '../../terms/tables.ts'
import type { Terms } from '../../terms/terms.ts'
import { tagged } from '../../tool-loop/messages.ts'
import type { DescribedDatabase, OpenedDatabases } from './open.ts'
import { MAX_VALUES, type ColumnProfile, type RowCount, type TableProfile } from './profile.ts'

const LANGUAGE: Readonly<Record<Dialect, string>> = { postgres: 'PostgreSQL', mysql: 'MySQL', sqlite: 'SQLite' }

const RULES = `## Databases
\`query\` runs one read-only SELECT, in the dialect of its database and over its tables, spelled as shown.
- Filter by values as they are stored. \`find_values\` finds the spelling of names and values that are not shown in full.
- Let SQL compute totals, shares, differences and ranks. Give computed columns short, readable names.
- Aggregate a table before joining it to one that has several rows for each of its rows.
- Relative dates count from the current date.
- Business terms mean what is defined here. People have checked the verified queries: run one as it is for its own question, adapt it for a similar one.`

/** Characters of a schema that is shown whole: some 3,000 tokens. Values are shown as far as it stays below the second limit. */
const MAX_SCHEMA_CHARS = 12_000
const MAX_CHARS_WITH_VALUES = 8_000
/** Values shown of a column, as many as there is room for. */
const VALUES_SHOWN = [MAX_VALUES, 15, 8]
/** Shown of columns with more different values than are kept. */
const EXAMPLES = 3

type Profiles = ReadonlyMap<string, TableProfile>

/** What a model is told of the databases. What depends on the question stands last. */
export function sqlInstructions(
  { databases, failed }: OpenedDatabases,
  question: string,
  profilesOf: (database: DescribedDatabase) => Profiles,
): string {
  const described = databases.filter(isShown)
  const sections = described.map((database) => {
    const { source, schema } = database
    return tagged('database', databaseText(database, profilesOf(database)), {
      name: source.name,
      dialect: LANGUAGE[schema.dialect],
    })
  })
  const others = databases.filter((one) => !isShown(one)).map(({ source }) => `"${source.name}"`)
  return [
    RULES,
    ...sections,
    ...(others.length === 0 ? [] : [`\`describe_table\` shows the tables of ${others.join(', ')}.`]),
    ...failed.map(({ name, error }) => `The database "${name}" cannot be read now: ${error.message}`),
    ...described.flatMap((database) => pairsText(database, question)),
  ].join('\n\n')
}

/** The names that a foreign server gives its tables are not the operator's words, so they stand in results alone. */
export function isShown(database: OpenedDatabases['databases'][number]): database is DescribedDatabase {
  return database.source.trusted && isSchema(database.schema)
}

function databaseText(database: DescribedDatabase, profiles: Profiles): string {
  const schema = withJoins(database.schema, database.terms)
  const textWith = (most: number): string =>
    schema.tables.map((table) => tableText(table, database.terms, profiles.get(fullName(table)), most)).join('\n')
  const withValues = VALUES_SHOWN.map(textWith).find(({ length }) => length <= MAX_CHARS_WITH_VALUES)
  const bare = textWith(0)
  const whole = withValues ?? (bare.length <= MAX_SCHEMA_CHARS ? bare : undefined)
  return [whole ?? namesText(schema.tables, profiles), ...metricsText(database.terms)].join('\n')
}

function namesText(tables: readonly TableSchema[], profiles: Profiles): string {
  const names = tables.map((table) => `${fullName(table)}${rowsText(rowsOf(table, profiles.get(fullName(table))))}`)
  return `${tables.length} tables; describe_table shows the columns of one:\n${names.join('\n')}`
}

/** A table with its columns: types, keys, values, business names. @param most values shown of a column */
export function tableText(
  table: TableSchema,
  terms: Terms,
  profile: TableProfile | undefined,
  most: number = MAX_VALUES,
): string {
  const { called = [], where } = terms.tables[fullName(table)] ?? {}
  const marks = [
    table.comment ?? '',
    called.length === 0 ? '' : `called ${asData(called)}`,
    where === undefined ? '' : `only where ${where} unless the question says otherwise`,
  ]
  const head = `${table.kind} ${fullName(table)}${rowsText(rowsOf(table, profile))}${joined(marks)}`
  const columns = table.columns.map((column) => {
    const known = terms.columns[`${fullName(table)}.${column.name}`]
    const references = table.foreignKeys.find(({ columns: own }) => own.length === 1 && own[0] === column.name)
    const more = [
      column.primaryKey ? 'primary key' : '',
      references === undefined ? '' : `references ${references.table}.${references.referencedColumns[0]}`,
      column.comment ?? '',
      known === undefined || known.called.length === 0 ? '' : `called ${asData(known.called)}`,
      valuesText(profile?.columns.get(column.name), most),
      ...meaningsText(known),
    ]
    return `  ${onOneLine(`${column.name} ${column.type}${joined(more)}`)}`
  })
  const keys = table.foreignKeys.filter((key) => key.columns.length > 1)
  return [
    onOneLine(head),
    ...columns,
    ...keys.map((key) => `  (${key.columns.join(', ')}) references ${key.table} (${key.referencedColumns.join(', ')})`),
  ].join('\n')
}

function joined(marks: readonly string[]): string {
  const said = marks.filter((mark) => mark !== '')
  return said.length === 0 ? '' : `: ${said.join('; ')}`
}

function rowsOf({ approximateRows }: TableSchema, profile: TableProfile | undefined): RowCount | undefined {
  if (profile !== undefined) return profile.rows
  return approximateRows === undefined ? undefined : { count: approximateRows, precision: 'about' }
}

/** A count of rows in brackets. */
export function rowsText(rows: RowCount | undefined): string {
  if (rows === undefined) return ''
  const before = { exact: '', about: 'about ', more: 'more than ' }[rows.precision]
  return ` (${before}${rows.count} ${rows.count === 1 ? 'row' : 'rows'})`
}

function valuesText(profile: ColumnProfile | undefined, most: number): string {
  const { range, distinct = 0, values = [] } = profile ?? {}
  if (range !== undefined) return `${range[0]} to ${range[1]}`
  const shown = values.slice(0, distinct > MAX_VALUES ? Math.min(most, EXAMPLES) : most)
  if (shown.length === 0) return ''
  const count = `${shown.length} of ${distinct} ${distinct === 1 ? 'value' : 'values'}`
  return `${count}: ${shown.map((value) => quoted(value)).join(', ')}`
}

/** What values of a column mean. */
function meaningsText(known: Terms['columns'][string] | undefined): readonly string[] {
  const { values = {}, yes, no } = known ?? {}
  const named = Object.entries(values).filter(([, words]) => words.length > 0)
  return [
    ...named.map(([value, words]) => `${quoted(value)} is also ${asData(words)}`),
    ...(yes === undefined || no === undefined ? [] : [`${asData(yes)} is yes, ${asData(no)} is no`]),
  ]
}

function metricsText({ metrics }: Terms): readonly string[] {
  const lines = Object.entries(metrics).map(([name, { called, of, value, where, unit }]) => {
    const also = called.length === 0 ? '' : ` (also ${asData(called)})`
    const rows = where === undefined ? '' : ` where ${where}`
    return `  ${onOneLine(`${asData([name])}${also}: ${value} over ${of}${rows}${unit === undefined ? '' : `; ${unit}`}`)}`
  })
  return lines.length === 0 ? [] : ['Business terms:', ...lines]
}

function pairsText({ source, terms }: DescribedDatabase, question: string): readonly string[] {
  const exact = verifiedFor(terms, question)
  const similar = similarPairs(terms, question).filter((pair) => pair !== exact)
  const pairs = exact === undefined ? similar : [exact, ...similar]
  if (pairs.length === 0) return []
  const lines = pairs.map((pair) => {
    const isSame = pair === exact ? 'The same question' : `Question: ${asData([pair.question])}`
    return `${isSame}\n${pair.sql.trim()}`
  })
  return [tagged('verified_queries', lines.join('\n'), { database: source.name })]
}

/** Words of a file of terms among a prompt's own: each within quotes, on one line. */
function asData(texts: readonly string[]): string {
  return texts.map((text) => `"${onOneLine(text).replaceAll('"', "'")}"`).join(', ')
}

function quoted(value: string): string {
  return `'${onOneLine(value).replaceAll("'", "''")}'`
}
