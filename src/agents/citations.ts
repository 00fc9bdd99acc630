const MARK = /\[(\d+(?:\s*,\s*\d+)*)\]/g

/** Text of others without marks of the form [n], which stand for their own notes and would pass for our sources. */
export function withoutMarks(text: string): string {
  return text.replace(MARK, '')
}

/** An answer whose [n] are the places of the sources that it cites, in the order in which it cites them. */
export interface Cited<T> {
  readonly answer: string
  readonly sources: readonly T[]
}

/**
 * Keeps the sources that the answer cites and numbers them anew; a number without a source is taken out. An answer that
 * cites nothing keeps all sources.
 */
export function citedSources<T>(answer: string, sources: readonly T[]): Cited<T> {
  const order: number[] = []
  const text = answer.replace(MARK, (_mark, list: string) => {
    const known = list
      .split(',')
      .map(Number)
      .filter((n) => n >= 1 && n <= sources.length)
    for (const n of known) if (!order.includes(n)) order.push(n)
    return known.map((n) => `[${order.indexOf(n) + 1}]`).join('')
  })
  const tidy = text.replace(/ +(?=[.,;:!?](\s|$))/g, '').trim()
  return { answer: tidy, sources: order.length === 0 ? sources : order.map((n) => sources[n - 1]!) }
}
