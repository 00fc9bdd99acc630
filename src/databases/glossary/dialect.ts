import type { Dialect, TableSchema } from '../schema.ts'

/** Steps of time that dates are cut to. */
export type Grain = 'year' | 'quarter' | 'month' | 'week' | 'weekday' | 'day'

const RESERVED: ReadonlySet<string> = new Set(
  (
    'all alter analyze and any array as asc between by case cast check collate column condition constraint create cross current_date current_time ' +
    'current_timestamp current_user database databases default delete desc describe distinct div do drop else end except exists explain false ' +
    'fetch for foreign from full function grant group grouping groups having if in index inner insert intersect interval into is join key keys ' +
    'lateral leading left like limit lines load lock match mod natural not null offset on or order outer over partition primary rank range read ' +
    'references release rename replace return right row rows schema select set show some table then to trailing trigger true union unique unlock ' +
    'update usage use user using values when where window with write year_month placing analyse only ' +
    'freeze ilike isnull notnull overlaps similar verbose tablesample binary leave loop signal system'
  ).split(' '),
)

/** Writes an identifier, quoted only where the dialect needs it. */
export function quoteIdentifier(name: string, dialect: Dialect): string {
  const simple = dialect === 'postgres' ? /^[a-z_][a-z0-9_]*$/ : /^[A-Za-z_][A-Za-z0-9_]*$/
  if (simple.test(name) && !RESERVED.has(name.toLowerCase())) return name
  return dialect === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`
}

/** Writes a string literal. MySQL reads backslashes as escapes. */
export function quoteLiteral(text: string, dialect: Dialect): string {
  const safe = dialect === 'mysql' ? text.replaceAll('\\', '\\\\') : text
  return `'${safe.replaceAll("'", "''")}'`
}

export function tableName(table: TableSchema, dialect: Dialect): string {
  const name = quoteIdentifier(table.name, dialect)
  return table.schema === undefined ? name : `${quoteIdentifier(table.schema, dialect)}.${name}`
}

/** Joins two texts with a blank. */
export function concatNames(
  parts: readonly { readonly sql: string; readonly nullable: boolean }[],
  dialect: Dialect,
): string {
  const safe = parts.map((p) => (p.nullable ? `COALESCE(${p.sql}, '')` : p.sql))
  if (dialect === 'mysql') return `CONCAT(${safe.join(", ' ', ")})`
  return safe.join(" || ' ' || ")
}

/** The day of the week as a number, Monday first. */
export function weekdayNumber(column: string, dialect: Dialect): string {
  if (dialect === 'postgres') return `CAST(EXTRACT(ISODOW FROM ${column}) AS integer)`
  if (dialect === 'mysql') return `(WEEKDAY(${column}) + 1)`
  return `((CAST(STRFTIME('%w', ${column}) AS INTEGER) + 6) % 7 + 1)`
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The Monday that a week begins with, as YYYY-MM-DD. */
function weekStart(column: string, dialect: Dialect): string {
  if (dialect === 'postgres') return `TO_CHAR(DATE_TRUNC('week', ${column}), 'YYYY-MM-DD')`
  if (dialect === 'mysql') return `DATE_FORMAT(DATE_SUB(${column}, INTERVAL WEEKDAY(${column}) DAY), '%Y-%m-%d')`
  return `DATE(${column}, '-6 days', 'weekday 1')`
}

/** A date cut to its year, quarter, month, week or day: a number for years, a name for weekdays, else text that sorts in order of time. */
export function truncateDate(column: string, grain: Grain, dialect: Dialect): string {
  if (grain === 'week') return weekStart(column, dialect)
  if (grain === 'weekday') {
    const cases = WEEKDAYS.map((day, i) => `WHEN ${i + 1} THEN '${day}'`)
    return `CASE ${weekdayNumber(column, dialect)} ${cases.join(' ')} END`
  }
  if (dialect === 'postgres') {
    if (grain === 'year') return `CAST(EXTRACT(YEAR FROM ${column}) AS integer)`
    const format = { quarter: 'YYYY-"Q"Q', month: 'YYYY-MM', day: 'YYYY-MM-DD' }[grain]
    return `TO_CHAR(${column}, '${format}')`
  }
  if (dialect === 'mysql') {
    if (grain === 'year') return `YEAR(${column})`
    if (grain === 'quarter') return `CONCAT(YEAR(${column}), '-Q', QUARTER(${column}))`
    return `DATE_FORMAT(${column}, '${grain === 'month' ? '%Y-%m' : '%Y-%m-%d'}')`
  }
  if (grain === 'year') return `CAST(STRFTIME('%Y', ${column}) AS INTEGER)`
  if (grain === 'quarter') {
    return `STRFTIME('%Y', ${column}) || '-Q' || ((CAST(STRFTIME('%m', ${column}) AS INTEGER) + 2) / 3)`
  }
  return `STRFTIME('${grain === 'month' ? '%Y-%m' : '%Y-%m-%d'}', ${column})`
}

export function booleanLiteral(value: boolean, isBoolean: boolean, dialect: Dialect): string {
  if (dialect === 'postgres' && isBoolean) return value ? 'TRUE' : 'FALSE'
  return value ? '1' : '0'
}

/** Rounds money to cents. PostgreSQL has no ROUND of binary floats to decimals. */
export function roundMoney(sql: string, isFloat: boolean, dialect: Dialect): string {
  return dialect === 'postgres' && isFloat ? `ROUND(CAST(${sql} AS numeric), 2)` : `ROUND(${sql}, 2)`
}
