/** Characters of JSON that are kept of an answer; records of lists. */
const MAX_CHARS = 200_000
const MAX_RECORDS = 1_000
const MAX_STRING = 2_000

/**
 * Makes a value fit the log: long texts and lists are cut, and said to be. What does not fit even then is kept as the
 * beginning of its JSON text.
 */
export function boundJson(value: unknown): { json: unknown; isCut: boolean } {
  let isCut = false
  const cut = (node: unknown, records: number): unknown => {
    if (typeof node === 'string') {
      if (node.length <= MAX_STRING) return node
      isCut = true
      return `${node.slice(0, MAX_STRING)}…`
    }
    if (Array.isArray(node)) {
      if (node.length > records) isCut = true
      return node.slice(0, records).map((inner) => cut(inner, records))
    }
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, cut(inner, records)]))
  }
  for (let records = MAX_RECORDS; records >= 10; records = Math.floor(records / 2)) {
    const json = cut(value, records)
    if (JSON.stringify(json).length <= MAX_CHARS) return { json, isCut }
  }
  return { json: `${JSON.stringify(value).slice(0, MAX_STRING)}…`, isCut: true }
}
