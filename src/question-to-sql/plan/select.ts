/** A SELECT as its parts; expressions are SQL already. */
export interface Select {
  readonly distinct?: boolean
  readonly columns: readonly { readonly sql: string; readonly alias?: string }[]
  readonly from: string
  readonly joins?: readonly string[]
  /** Said twice they count once. */
  readonly where?: readonly string[]
  readonly groupBy?: readonly string[]
  readonly having?: string | undefined
  readonly orderBy?: readonly string[]
  readonly limit?: number
}

/** Prints a SELECT over several lines, for people to read. */
export function printSelect(select: Select): string {
  const { distinct, from, joins = [], having, limit } = select
  const columns = select.columns.map((c) => (c.alias === undefined ? c.sql : `${c.sql} AS ${c.alias}`))
  const head = distinct ? 'SELECT DISTINCT' : 'SELECT'
  const [where, groupBy, orderBy] = [select.where, select.groupBy, select.orderBy].map((parts) => [...new Set(parts)])
  const line = (word: string, parts: readonly string[] = [], joint = ', '): string[] =>
    parts.length === 0 ? [] : [`${word} ${parts.join(joint)}`]
  return [
    columns.length === 1 ? `${head} ${columns[0]}` : `${head}\n${columns.map((c) => `  ${c}`).join(',\n')}`,
    `FROM ${from}`,
    ...joins,
    ...line('WHERE', where, '\n  AND '),
    ...line('GROUP BY', groupBy),
    ...line('HAVING', having === undefined ? [] : [having]),
    ...line('ORDER BY', orderBy),
    ...line('LIMIT', limit === undefined ? [] : [String(limit)]),
  ].join('\n')
}

/** Indents a query that stands inside another. */
export function indent(sql: string): string {
  return sql
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}

/** How rows are placed: over all, or anew within each group; equals share a place. */
export interface Ranked {
  readonly within?: readonly string[]
  readonly orderBy: readonly string[]
  /** Places that are kept: the first unless told. */
  readonly places?: number | undefined
  /** The one place that is kept (the second highest, say); equal rows share a place. */
  readonly only?: number | undefined
}

/** A SELECT of which only the first places are kept; the outer order may use `ranking_place`. */
export function printRanked(
  select: Omit<Select, 'orderBy' | 'limit'>,
  ranked: Ranked,
  orderBy: readonly string[],
  limit: number,
): string {
  const { places = 1 } = ranked
  const within = (ranked.within ?? []).length > 0 ? `PARTITION BY ${ranked.within?.join(', ')} ` : ''
  const by = ranked.only === undefined ? 'RANK' : 'DENSE_RANK'
  const place = { sql: `${by}() OVER (${within}ORDER BY ${ranked.orderBy.join(', ')})`, alias: 'ranking_place' }
  const inner = printSelect({ ...select, columns: [...select.columns, place] })
  const kept = ranked.only ?? places
  return printSelect({
    columns: select.columns.map((c) => ({ sql: c.alias ?? c.sql })),
    from: `(\n${indent(inner)}\n  ) AS ranked`,
    where: [`ranking_place ${ranked.only === undefined && kept > 1 ? '<=' : '='} ${kept}`],
    orderBy,
    limit,
  })
}
