import type { Effects } from '../../../databases/gate/index.ts'
import type { KnownWords } from '../../../question-to-sql/parse/known-words.ts'
import { qualifiedName, type Attribute } from '../../../terms/catalogue.ts'
import { searchableColumns, type ValueLookup } from '../../../terms/value-lookup.ts'
import { namesColumn } from './added.ts'
import { countedIn } from './multiplied.ts'

const OF_DIFFERENT = /\b(?:different|distinct|unique|various|separate|individual)\b/i

/**
 * What a query computes or counts by columns that nobody named, as sentences.
 * @param called the names of tables and columns that it has, in lower case
 */
export function otherFiguresIn(known: KnownWords, { aggregates }: Effects, called: ReadonlySet<string>) {
  const { catalogue, text } = known
  const counted = new Set(countedIn(known, 1))
  const isCounting = aggregates.some(({ name }) => name === 'count')
  const found = aggregates.flatMap<{ readonly flaw?: string; readonly note?: string }>(
    ({ name, columns: [column, ...more], isDistinct }) => {
      const read = catalogue.entities.filter(({ table }) => called.has(table.name.toLowerCase()))
      const meant = read.flatMap(({ attributes }) => attributes.filter((one) => isCalled(one, column)))
      if (meant.length === 0 || more.length > 0 || namesColumn(known, column!)) return []
      const isKey = meant.every((one) => one.isKey)
      if (/^(?:sum|total|avg)$/.test(name)) {
        if (isKey) return [{ flaw: `the query computes with “${column}”, which only numbers rows` }]
        // “How many articles were sold” adds up what each line has of them, which is another table.
        const isOwn = meant.some(({ entity, column: own }) => counted.has(entity) && own.kind === 'number')
        return isOwn && !isCounting && name !== 'avg' ? [{ note: `“${column}” is added up to count` }] : []
      }
      if (name !== 'count' || counted.size === 0) return []
      const isOfCounted = ({ entity, column: own, isKey: isOwnKey }: Attribute): boolean =>
        (isOwnKey && counted.has(entity) && entity.keys.some((key) => key.column === own)) ||
        entity.edges.some(
          ({ kind, fromColumns, to }) => kind === 'one' && fromColumns.includes(own.name) && counted.has(to),
        )
      if (isDistinct && !OF_DIFFERENT.test(text) && !meant.some(isOfCounted))
        return [{ note: `different values of “${column}” are counted` }]
      const isGiven = !isDistinct && !isKey && meant.some((one) => one.column.nullable)
      return isGiven ? [{ note: `only rows with a value in “${column}” are counted` }] : []
    },
  )
  return {
    flaws: found.flatMap(({ flaw = [] }) => flaw),
    notes: found.flatMap(({ note = [] }) => note),
  }
}

/** Texts that are looked for where no row has them, though another column does: a town among the countries. */
export async function misplacedIn(
  { catalogue }: KnownWords,
  { conditions }: Effects,
  called: ReadonlySet<string>,
  lookup: ValueLookup,
): Promise<string[]> {
  const columns = searchableColumns(catalogue)
  const places = columns.map(({ entity, column }) => ({ table: qualifiedName(entity), column: column.name }))
  const notes: string[] = []
  for (const {
    operator,
    columns: [name, ...more],
    values,
    isOut,
  } of conditions) {
    const own = columns.filter((one) => isCalled(one, name) && called.has(one.entity.table.name.toLowerCase()))
    if (operator !== '=' || isOut || more.length > 0 || own.length === 0) continue
    const words = values.filter((value) => typeof value === 'string').filter((value) => /^\p{L}[^%_*]*$/u.test(value))
    for (const [at, hits] of (await lookup(words, places)).entries()) {
      const others = hits.filter(({ column }) => column.toLowerCase() !== name)
      if (others.length > 0 && others.length === hits.length)
        notes.push(`“${words[at]}” is looked for in “${name}”, where no row has it, and not in “${others[0]!.column}”`)
    }
  }
  return notes
}

function isCalled({ column }: Attribute, name: string | undefined): boolean {
  return column.name.toLowerCase() === name
}
