import type { Effects } from '../../../databases/gate/index.ts'
import type { KnownWords } from '../../../question-to-sql/parse/known-words.ts'

/** What is counted, and what of each something is told. */
const OF_WHAT = /\b(?:how many|(?:number|count) of|per|for each|by each|in each)\b/gi
const SPAN_OF_TIME = /^(?:hour|day|week|month|quarter|year)s?$/
/** Words between it and the noun: “how many of our large customers”. */
const BETWEEN = 3

/**
 * What was to be counted, or told of each, where the query reads neither the table nor a column that is called so: “how many
 * customers”, of a query that counts orders.
 * @param says whether the query has words in its names or values
 * @param called the names of tables and columns that it has, in lower case
 */
export function unsaidNouns(
  { text, tokens, names }: KnownWords,
  says: (words: string) => boolean,
  called: ReadonlySet<string>,
  aggregates: Effects['aggregates'] = [],
): string[] {
  // “How many articles were sold” adds up what each line has of them.
  const isAddedUp = aggregates.some(({ name }) => name === 'sum' || name === 'total')
  return [...text.matchAll(OF_WHAT)].flatMap(({ 0: said, index }) => {
    const first = tokens.findIndex(({ start }) => start >= index + said.length)
    const isEach = /^(?:per|for|by|in)/i.test(said)
    for (let at = first; at >= 0 && at < tokens.length && at <= first + (isEach ? 0 : BETWEEN); at++) {
      const entities = names.entitiesAt(at)
      const columns = names.attributesAt(at)
      const length = Math.max(entities[0]?.length ?? 0, isEach ? (columns?.length ?? 0) : 0)
      // “Per day” is no column, nor is what a word such as “of” or “open” stands for.
      if (isEach && SPAN_OF_TIME.test(tokens[at]!.lower)) return []
      if (length === 0 && columns === undefined) continue
      if (length === 0) return []
      const words = text.slice(tokens[at]!.start, tokens[at + length - 1]!.end)
      const isRead =
        entities.some(({ entity }) => called.has(entity.table.name.toLowerCase())) ||
        (columns?.candidates.some(({ attribute }) => called.has(attribute.column.name.toLowerCase())) ?? false)
      return isRead || says(words) || (isAddedUp && !isEach) ? [] : [isEach ? `${said} ${words}` : words]
    }
    return []
  })
}
