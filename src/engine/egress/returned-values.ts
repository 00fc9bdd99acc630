const MAX_VALUES = 20_000

/**
 * Values that a destination returned: strings and numbers of its output, and of texts the lines and the pieces between
 * spaces and punctuation, since many services answer in prose. Each choice among them costs bits, so a long text makes
 * each of its pieces dearer.
 */
export function valuesIn(output: unknown): ReadonlySet<string> {
  const values = new Set<string>()
  const add = (value: string): void => {
    if (value !== '' && values.size < MAX_VALUES) values.add(value)
  }
  const visit = (value: unknown): void => {
    if (typeof value === 'number') add(String(value))
    if (typeof value === 'string') {
      add(value)
      for (const piece of value.split(/\n/)) add(piece.trim())
      for (const piece of value.split(/[\s"'`“”,;()[\]{}<>|]+/)) add(piece.replace(/[.:!?]+$/, ''))
    }
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner)
  }
  visit(output)
  return values
}
