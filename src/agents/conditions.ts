const LITERAL = String.raw`(?:DATE\s+|TIMESTAMP\s+)?(?:'(?:[^']|'')*'|-?\d+(?:\.\d+)?\b|TRUE\b|FALSE\b|NULL\b)`
const CONDITION = new RegExp(
  String.raw`(?<column>(?:"[^"]+"|\x60[^\x60]+\x60|[\w.])+(?:\([^()]*\))?)\s*(?<operator>=|<>|!=|>=|<=|<|>|\b(?:NOT\s+)?(?:LIKE|ILIKE|IN|BETWEEN)\b|\bIS(?:\s+NOT)?\b)\s*(?<value>${LITERAL}(?:\s+AND\s+${LITERAL})?|\(\s*${LITERAL}(?:\s*,\s*${LITERAL})*\s*\))`,
  'giu',
)

/** The conditions of a query: comparisons of a column with values. */
export function conditionsOf(line: string): string[] {
  return [...line.slice(line.search(/\bWHERE\b|\bHAVING\b/i)).matchAll(CONDITION)].map(({ groups }) => {
    const { column, operator, value } = groups!
    const plain = column!.replace(/["\x60]/g, '').replace(/(?<![\w.])\w+\./g, '')
    return `${plain} ${operator!.toUpperCase()} ${value!.replace(/^(?:DATE|TIMESTAMP)\s+/i, '')}`
  })
}
