import type { Table } from '../../core/table.ts'

/** How queries go wrong without an error, by what such a query looks like. */
const RISKS: readonly (readonly [form: RegExp, doubt: string])[] = [
  [/\bNOT\s+IN\s*\(\s*(?:SELECT|WITH)\b/i, 'NOT IN of a subquery finds nothing when that holds a NULL.'],
  [/\bUNION\b(?!\s+ALL\b)/i, 'UNION drops rows that are equal.'],
  [/\b(?:CROSS|NATURAL|FULL)\s+(?:OUTER\s+)?JOIN\b/i, 'The join may pair rows that do not belong together.'],
  [
    /\bFROM\s+[\w".`]+(?:\s+(?:AS\s+)?(?!(?:LEFT|INNER|JOIN|WHERE|GROUP|ORDER|LIMIT)\b)\w+)?\s*,/i,
    'Tables are joined by a comma.',
  ],
  [/\bBETWEEN\b/i, 'BETWEEN takes in both of its bounds, and of a time only the first moment of the last day.'],
]
const JOIN = /\bJOIN\b/gi
/** Of rows that a join may have repeated. */
const ADDS_UP = /\b(?:SUM|AVG|TOTAL)\s*\(|\bCOUNT\s*\(\s*(?!DISTINCT\b)/i

/** Why a query wants a second look before it runs; undefined for an ordinary one. Texts in it count as words of it, which costs a look. */
export function doubtOfQuery(sql: string): string | undefined {
  const risk = RISKS.find(([form]) => form.test(sql))
  if (risk !== undefined) return risk[1]
  const joins = sql.match(JOIN)?.length ?? 0
  return joins > 1 && ADDS_UP.test(sql) ? 'With several joins a row may be counted several times.' : undefined
}

/** Why a result wants a second look at its query: it is empty, or holds nothing but empty cells or zeros. */
export function doubtOfResult({ rows }: Table): string | undefined {
  if (rows.length === 0) return 'It found no rows.'
  const cells = rows.flatMap((row) => Object.values(row))
  if (cells.every((cell) => cell === null)) return 'All that it found is NULL.'
  if (cells.every((cell) => cell === null || Number(cell) === 0)) return 'All that it found is zero.'
  return undefined
}
