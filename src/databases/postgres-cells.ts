import { bytesCell, floatCell, jsonCell, numberCell, textCell, timestampCell } from './cells.ts'

const BOOL = 16
const BYTEA = 17
const INTEGERS = new Set([20, 21, 23, 26])
const FLOATS = new Set([700, 701])
const NUMERIC = 1700
const TIMESTAMPS = new Set([1114, 1184])
const JSONS = new Set([114, 3802])

/** Object ids of array types and of their elements, from pg_type.dat; they never change. */
const ELEMENT_OF: Readonly<Record<number, number>> = {
  1000: BOOL,
  1001: BYTEA,
  1005: 21,
  1007: 23,
  1016: 20,
  1021: 700,
  1022: 701,
  1231: NUMERIC,
  1115: 1114,
  1185: 1184,
  1182: 1082,
  1009: 25,
  1014: 1042,
  1015: 1043,
  2951: 2950,
  199: 114,
  3807: 3802,
  // Of these the elements are text: points, times, networks, intervals and ranges.
  1017: 600,
  1041: 869,
  1183: 1083,
  1187: 1186,
  1270: 1266,
  3905: 3904,
  3907: 3906,
  3909: 3908,
  3911: 3910,
  3913: 3912,
  3927: 3926,
}
/** Types that a database defines itself begin here. */
const FIRST_OWN = 16_384

/** Types whose element type must be looked up. */
export function ownTypes(types: readonly number[]): number[] {
  return types.filter((type) => type >= FIRST_OWN)
}

type Nested = string | null | Nested[]
export type ParseTextArray = (literal: string) => Nested[]
/** By the object id of the type. */
type ReadCell = (type: number, text: string) => unknown

/**
 * Makes the reader that turns a value in PostgreSQL's text format into a JSON cell; types it does not know stay text.
 * @param parseTextArray node-pg's own parser of array literals
 * @param ownElements elements of the array types that the database defines
 */
export function postgresCells(parseTextArray: ParseTextArray, ownElements: ReadonlyMap<number, number>): ReadCell {
  const read: ReadCell = (type, text) => {
    const element = ELEMENT_OF[type] ?? ownElements.get(type)
    if (element === undefined) return scalarCell(type, text)
    const cut = textCell(text)
    return cut === text ? items(element, parseTextArray(text)) : cut
  }
  const items = (element: number, values: Nested[]): unknown[] =>
    values.map((value) => {
      if (Array.isArray(value)) return items(element, value)
      return value === null ? null : read(element, value)
    })
  return read
}

function scalarCell(type: number, text: string): unknown {
  if (type === BOOL) return text === 't'
  if (type === BYTEA) return bytesCell(text.slice(2), ['\\x', ''])
  if (INTEGERS.has(type) || type === NUMERIC) return numberCell(text)
  if (FLOATS.has(type)) return floatCell(Number(text))
  if (TIMESTAMPS.has(type)) return timestampCell(text)
  if (JSONS.has(type)) return jsonCell(text)
  return textCell(text)
}
