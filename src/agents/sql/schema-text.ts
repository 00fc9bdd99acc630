import type { DatabaseSchema, TableSchema } from '../../databases/schema.ts'
import { onOneLine } from '../../core/prompt-text.ts'
import { stem, wordsOf } from '../../language/tokens.ts'
import { similarPairs } from '../../terms/apply.ts'
import { fullName } from '../../terms/tables.ts'
import type { Terms } from '../../terms/terms.ts'

/** Beyond this many tables only those that the question seems to be about are described column by column. */
const DESCRIBED_TABLES = 40

/**
 * A database in words for a model: the columns of the tables that matter, and the names of the others (SPEC P5, "table
 * overview, then schema where needed"). What depends on the question comes last.
 * @param wanted names of tables that were asked for
 */
export function describeSchema(
  schema: DatabaseSchema,
  question: string,
  terms: Terms,
  wanted: readonly string[] = [],
): string {
  const asked = schema.tables.filter((table) => wanted.includes(fullName(table)))
  const most = Math.max(DESCRIBED_TABLES, asked.length)
  const chosen = new Set([...asked, ...relevantTables(schema, question)].slice(0, most))
  const others = schema.tables.filter((table) => !chosen.has(table))
  const further = `Further tables, whose columns are not listed: ${others.map(fullName).join(', ')}`
  const how = `To see columns of them first, give as sql: ${LOOK_UP} and their names, such as ${LOOK_UP} a, b. Use none before.`
  return [
    `Dialect: ${schema.dialect}`,
    ...schema.tables.filter((table) => chosen.has(table)).map((table) => describeTable(table, terms)),
    ...(others.length === 0 ? [] : [further, how]),
    ...describeTerms(terms, question),
  ].join('\n')
}

const LOOK_UP = 'DESCRIBE'

/** The tables that a model asks to see in place of a query, as they are called; undefined when it gives a query. */
export function lookUpOf(sql: string, schema: DatabaseSchema): readonly string[] | undefined {
  const [, list] = /^DESCRIBE\s([^;]+);?$/i.exec(sql.trim()) ?? []
  if (list === undefined) return undefined
  const asked = new Set(list.split(',').map((name) => plainName(name)))
  return schema.tables.filter((table) => asked.has(plainName(fullName(table)))).map(fullName)
}

/** As it is compared: without quotes, case and white space. */
function plainName(name: string): string {
  return name.replace(/["'`[\]\s]/g, '').toLowerCase()
}

/** What figures mean here, and queries that were found right for questions like this one. */
function describeTerms(terms: Terms, question: string): readonly string[] {
  const metrics = Object.entries(terms.metrics).map(([name, { called, of, value, where }]) => {
    const also = called.length === 0 ? '' : ` (also ${asData(called)})`
    return onOneLine(`${asData([name])}${also}: ${value} over ${of}${where === undefined ? '' : ` where ${where}`}`)
  })
  const pairs = similarPairs(terms, question).flatMap((pair) => [
    `  Question: ${asData([pair.question])}`,
    `  ${onOneLine(pair.sql)}`,
  ])
  return [
    ...(metrics.length === 0 ? [] : ['Figures as they are defined here:', ...metrics.map((line) => `  ${line}`)]),
    ...(terms.joins.length === 0 ? [] : ['Further links:', ...terms.joins.map((join) => `  ${onOneLine(join)}`)]),
    ...(pairs.length === 0 ? [] : ['Verified queries for similar questions:', ...pairs]),
  ]
}

function describeTable(table: TableSchema, terms: Terms): string {
  const own = terms.tables[fullName(table)]
  const columns = table.columns.map((column) => {
    const { called = [], values = {}, yes, no } = terms.columns[`${fullName(table)}.${column.name}`] ?? {}
    const held = Object.entries(values).map(([value, words]) =>
      [`'${onOneLine(value)}'`, asData(words, ' = ')].filter(Boolean).join(' = '),
    )
    const marks = [
      column.primaryKey ? 'primary key' : '',
      column.comment ?? '',
      called.length === 0 ? '' : `called ${asData(called)}`,
      held.length === 0 ? '' : `holds ${held.join(', ')}`,
      yes === undefined || no === undefined ? '' : `${asData(yes)} is yes, ${asData(no)} is no`,
    ]
      .filter(Boolean)
      .join('; ')
    return `  ${column.name} ${column.type}${marks === '' ? '' : ` (${marks})`}`
  })
  const keys = table.foreignKeys.map(
    (key) => `  (${key.columns.join(', ')}) references ${key.table} (${key.referencedColumns.join(', ')})`,
  )
  const rows = table.approximateRows === undefined ? '' : `, about ${table.approximateRows} rows`
  const comment = table.comment === undefined ? '' : `: ${table.comment}`
  const called = own === undefined || own.called.length === 0 ? '' : `, called ${asData(own.called)}`
  const usual =
    own?.where === undefined ? '' : `, only where ${onOneLine(own.where)} unless the question says otherwise`
  return [`${table.kind} ${fullName(table)}${called}${rows}${usual}${comment}`, ...columns, ...keys].join('\n')
}

/** Words of a file of terms as they may stand among a prompt's own: each within quotes, on one line. */
function asData(texts: readonly string[], between = ', '): string {
  return texts.map((text) => `“${onOneLine(text).replace(/[“”]/g, '"')}”`).join(between)
}

/** Tables whose names or columns share words with the question, with their neighbours along foreign keys. */
function relevantTables(schema: DatabaseSchema, question: string): readonly TableSchema[] {
  if (schema.tables.length <= DESCRIBED_TABLES) return schema.tables
  const words = new Set(stems(question))
  const score = (table: TableSchema): number =>
    3 * overlap(words, table.name) + Math.max(0, ...table.columns.map((column) => overlap(words, column.name)))
  const ranked = schema.tables
    .map((table) => ({ table, score: score(table) }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, DESCRIBED_TABLES / 2)
    .map((entry) => entry.table)
  const names = new Set(ranked.map((table) => table.name))
  const neighbours = new Set(ranked.flatMap((table) => table.foreignKeys.map((key) => key.table)))
  const near = (table: TableSchema): boolean =>
    neighbours.has(table.name) || table.foreignKeys.some((key) => names.has(key.table))
  const around = schema.tables.filter((table) => !names.has(table.name) && near(table))
  return [...ranked, ...around].slice(0, DESCRIBED_TABLES)
}

function overlap(words: ReadonlySet<string>, name: string): number {
  return stems(name).filter((stem) => words.has(stem)).length
}

/** What counts of a text or of a CamelCase or snake_case name; words of one or two letters are in too many names. */
function stems(text: string): string[] {
  return wordsOf(text).flatMap((word) => (word.length < 3 ? [] : [stem(word)]))
}
