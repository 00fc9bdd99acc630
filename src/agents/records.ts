import { truncate, isObject } from '../shared/json.ts'
import type { Table } from '../domain/table.ts'

type Row = Readonly<Record<string, unknown>>

/** Names that services give to the list in their envelope. */
const LIST_NAMES = 'data items results records value values entries rows list content objects'.split(' ')
const MAX_COLUMNS = 40
const MAX_CELL = 500

/** Maximum number of fields beside a list that describe the list, such as a region or a date, and form no record. */
const MAX_REMARKS = 2

/** The list of records in a response: the response itself, or the one list in its envelope, up to two levels deep. */
export function recordsOf(json: unknown): readonly Row[] | undefined {
  if (Array.isArray(json)) return toRows(json)
  if (!isObject(json)) return undefined
  const list = remarks(json) <= MAX_REMARKS ? listIn(json) : undefined
  if (list !== undefined) return toRows(list)
  const inner = ['data', 'result', 'response', '_embedded', 'payload'].map((name) => json[name]).find(isObject)
  return inner === undefined ? undefined : recordsOf(inner)
}

function listIn(envelope: Row): readonly unknown[] | undefined {
  const lists = Object.entries(envelope).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const named = LIST_NAMES.map((name) => lists.find(([key]) => key.toLowerCase() === name)).find((found) => found)
  if (named !== undefined) return named[1]
  const records = lists.filter(([, list]) => list.length > 0 && list.every(isObject))
  if (records.length === 1) return records[0]![1]
  return lists.length === 1 && remarks(envelope) === 0 ? lists[0]![1] : undefined
}

/**
 * An envelope has a few fields about pages and counts beside its list; an order with its lines has many more, and is no
 * list.
 */
function remarks(json: Row): number {
  const plain = Object.entries(json).filter(([, value]) => typeof value !== 'object' || value === null)
  return plain.filter(
    ([key]) =>
      !/page|count|total|limit|offset|next|prev|cursor|more|links?|meta|size|status|object|url|kind/i.test(key),
  ).length
}

function toRows(list: readonly unknown[]): readonly Row[] | undefined {
  if (list.every(isObject)) return list
  return list.every((entry) => typeof entry !== 'object') ? list.map((value) => ({ value })) : undefined
}

/** A table of records. Records within records become columns of their own, `customer.name`; lists become texts. */
export function tableOfRecords(records: readonly Row[], isCut: boolean): Table {
  const rows = records.map((record) => flat(record))
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS)
  return {
    columns,
    rows: rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))),
    rowCount: rows.length,
    ...(isCut ? { truncated: true } : {}),
  }
}

function flat(record: Row, prefix = '', depth = 0): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(record)) {
    if (isObject(value) && depth < 2) Object.assign(row, flat(value, `${prefix}${key}.`, depth + 1))
    else row[prefix + key] = typeof value === 'object' && value !== null ? cellText(value) : value
  }
  return row
}

function cellText(value: object): string {
  const isPlainList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object')
  const text = isPlainList ? value.join(', ') : JSON.stringify(value)
  return truncate(text, MAX_CELL)
}
