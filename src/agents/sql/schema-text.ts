import type { DatabaseSchema, TableSchema } from '../../databases/schema.ts'

/** Beyond this many tables only those that the question seems to be about are described column by column. */
const DESCRIBED_TABLES = 40

/**
 * A database in words for a model: an overview of all tables, and the columns of those that matter (SPEC P5, "table
 * overview, then schema where needed").
 */
export function describeSchema(schema: DatabaseSchema, question: string): string {
  const chosen = relevantTables(schema, question)
  const others = schema.tables.filter((table) => !chosen.includes(table))
  return [
    `Dialect: ${schema.dialect}`,
    ...chosen.map(describeTable),
    ...(others.length === 0 ? [] : [`Further tables: ${others.map(tableName).join(', ')}`]),
  ].join('\n')
}

function describeTable(table: TableSchema): string {
  const columns = table.columns.map((column) => {
    const marks = [column.primaryKey ? 'primary key' : '', column.comment ?? ''].filter(Boolean).join('; ')
    return `  ${column.name} ${column.type}${marks === '' ? '' : ` (${marks})`}`
  })
  const keys = table.foreignKeys.map(
    (key) => `  (${key.columns.join(', ')}) references ${key.table} (${key.referencedColumns.join(', ')})`,
  )
  const rows = table.approximateRows === undefined ? '' : `, about ${table.approximateRows} rows`
  const comment = table.comment === undefined ? '' : `: ${table.comment}`
  return [`${table.kind} ${tableName(table)}${rows}${comment}`, ...columns, ...keys].join('\n')
}

export function tableName(table: TableSchema): string {
  return table.schema === undefined ? table.name : `${table.schema}.${table.name}`
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

/** Lower-case words of a text or of a CamelCase or snake_case name, plural endings cut. */
function stems(text: string): string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return words.map((word) => word.replace(/(?:ies|es|s|y)$/, ''))
}
