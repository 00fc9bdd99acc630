import type { Table } from '../../core/table.ts'
import { stem } from '../../language/tokens.ts'
import type { GivenTable } from '../python/given-data.ts'
import { subtract } from './rational.ts'
import { Unclear } from './read.ts'
import type { Finding } from './wording.ts'
import { numberOf, sameName } from './table-rules.ts'

const COMPARE =
  /^(?:compare|check|reconcile|match|verify|audit|hold) (?:(?:all|each|every|of|the|our) )*([a-z_ ]+?) (?:against|with|to|and) (?:(?:all|each|every|its|their|the|our) )*([a-z_ ]+?)(?: (?:and|to) (?:list|show|find|report|name) (?:the |all |every )*(?:deviations?|differences?|mismatche?s?))?$/

/** Deviations in the answer; all of them are in its table. */
const MOST_TOLD = 30

/** Columns that say of each row which one it is, or when somebody wrote it: two tables need not agree in them. */
const OWN =
  /^(?:id|uuid|name|title|notes?|remarks?|comments?|description|status|state|(?:created|updated|modified)(?:_?(?:at|on|by))?)$/i

const IDENTIFIER = /(?:^|_)(?:id|no|nr|number|code|key|ref|reference|sku|iban)$/i

/**
 * “Compare the invoices with the contracts”: each row of the first table with the row of the second that it names, in all
 * columns that both have. Values that differ, and rows that name none, are deviations.
 * @throws Unclear when the tables allow more than one way, or none
 */
export function deviations(text: string, tables: readonly GivenTable[]): Finding | undefined {
  const match = COMPARE.exec(text)
  if (match === null) return undefined
  const [some, others] = [named(match[1]!, tables), named(match[2]!, tables)]
  if (some === undefined || others === undefined || some === others) return undefined
  const { finding } = compareTables(some, others)
  return finding
}

/** How two tables were compared, and what was found. */
export interface Comparison {
  readonly finding: Finding
  /** The column that says of each row of the first table which one it is, and the one that names a row of the second. */
  readonly label: string
  readonly key: string
  /** Columns of the first table that both have, which were compared. */
  readonly columns: readonly string[]
}

/**
 * @param only columns of the first table to look at; all that both have when absent
 * @throws Unclear when the tables allow more than one way, or none
 */
export function compareTables(some: GivenTable, others: GivenTable, only?: readonly string[]): Comparison {
  for (const { name, table } of [some, others]) {
    if (table.truncated === true)
      throw new Unclear(
        `The table of ${name} was cut off after ${table.rows.length} rows, so deviations would be missed; no query reads more at once, so let it read less, such as one month.`,
      )
    if (table.rows.length === 0) throw new Unclear(`The table of ${name} has no rows, so there is nothing to compare.`)
  }
  const [key, otherKey] = keysOf(some, others)
  const columns = comparedColumns(some.table, others.table, key, otherKey).filter(
    ([own]) => only?.includes(own) ?? true,
  )
  const byKey = new Map(others.table.rows.map((row) => [plain(row[otherKey]), row]))
  const label = some.table.columns[0]!
  const found = some.table.rows.map((row): Readonly<Record<string, unknown>>[] => {
    const about = { [label]: row[label], ...(label === key ? {} : { [key]: row[key] }) }
    const other = isEmpty(row[key]) ? undefined : byKey.get(plain(row[key]))
    if (other === undefined) {
      return [{ ...about, column: key, found: row[key] ?? null, expected: `one of the ${others.name}` }]
    }
    return columns
      .filter(([own, its]) => !isSame(row[own], other[its]))
      .map(([own, its]) => ({ ...about, column: own, found: row[own] ?? null, expected: other[its] ?? null }))
  })
  const rows = found.flat()
  const deviant = found.filter((ones) => ones.length > 0).length
  const looked = columns.map(([own]) => own)
  const how = `Compared by ${key} in ${looked.join(', ')}.`
  const of = `${some.table.rows.length} ${some.name}`
  const lines = rows
    .slice(0, MOST_TOLD)
    .map((row) => `${show(row[label])}: ${row['column']} is ${show(row['found'])}, not ${show(row['expected'])}`)
  const more = rows.length > MOST_TOLD ? [`and ${rows.length - MOST_TOLD} more in the table`] : []
  const finding = {
    answer:
      rows.length === 0
        ? `None of the ${of} deviates from the ${others.name}. ${how}`
        : `${deviant} of the ${of} ${deviant === 1 ? 'deviates' : 'deviate'} from the ${others.name}: ${[...lines, ...more].join('; ')}. ${how}`,
    code: `[row for row in ${some.name} if any(row[c] != ${others.name}[row["${key}"]][c] for c in ${JSON.stringify(looked)})]`,
    value: deviant,
    ...(rows.length === 0 ? {} : { table: { columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows } }),
  }
  return { finding, label, key, columns: looked }
}

function named(words: string, tables: readonly GivenTable[]): GivenTable | undefined {
  const found = tables.filter(({ name }) => sameName(name, words))
  if (found.length > 1) throw new Unclear(`There are several tables of ${words}; say which is meant.`)
  return found[0]
}

/** The column of the first table that names a row of the second, and the one of the second that it names. */
function keysOf(some: GivenTable, others: GivenTable): readonly [string, string] {
  const noun = stem(others.name.toLowerCase())
  const unique = others.table.columns.filter((column) => {
    const values = others.table.rows.map((row) => row[column])
    return !values.some(isEmpty) && new Set(values.map(plain)).size === values.length
  })
  const pairs = some.table.columns.flatMap((own) =>
    unique.flatMap((its): { own: string; its: string; isNamed: boolean }[] => {
      const isNamed = names(own, noun)
      const isShort = isNamed && /^(?:id|no|nr|number|code|key|ref|reference)$/i.test(its)
      return sameName(own, its) || isShort ? [{ own, its, isNamed }] : []
    }),
  )
  // A price that no two contracts share would do as well, by its values.
  const isAnyNamed = some.table.columns.some((own) => names(own, noun))
  const fitting = pairs.filter(({ own, isNamed }) => (isAnyNamed ? isNamed : IDENTIFIER.test(own) && !OWN.test(own)))
  const [only, ...more] = fitting
  const all = `the columns of ${some.name} are ${some.table.columns.join(', ')}, those of ${others.name} ${others.table.columns.join(', ')}`
  if (only === undefined)
    throw new Unclear(`I cannot tell by which column ${some.name} name their ${others.name}: ${all}.`)
  if (more.length > 0) {
    const ways = fitting.map(({ own }) => own).join(' or ')
    throw new Unclear(`${some.name} may name their ${others.name} by ${ways}; leave all but one of them out.`)
  }
  return [only.own, only.its]
}

/** Whether a column is called after a thing: `contract_id`. */
function names(column: string, noun: string): boolean {
  return column
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => stem(word) === noun)
}

function comparedColumns(some: Table, others: Table, key: string, otherKey: string): (readonly [string, string])[] {
  const columns = some.columns.flatMap((own): (readonly [string, string])[] => {
    const its = others.columns.find((column) => sameName(column, own))
    return its === undefined || own === key || its === otherKey || OWN.test(own) ? [] : [[own, its]]
  })
  if (columns.length > 0) return columns
  throw new Unclear('The two tables have no column in common that could be compared.')
}

function isEmpty(cell: unknown): boolean {
  return cell === null || cell === undefined || cell === ''
}

/** As it is compared: blanks around it say nothing. */
function plain(cell: unknown): string {
  return typeof cell === 'string' ? cell.trim() : JSON.stringify(cell ?? null)
}

/** Numbers by their value, however they are written; all else as it stands. */
function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [numberOf(one), numberOf(other)]
  return a !== undefined && b !== undefined ? subtract(a, b).top === 0n : plain(one) === plain(other)
}

function show(cell: unknown): string {
  return isEmpty(cell) ? 'empty' : String(cell)
}
