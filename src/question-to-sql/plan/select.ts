/** A SELECT as its parts; expressions are SQL already. */
export interface Select {
  readonly distinct?: boolean
  readonly columns: readonly { readonly sql: string; readonly alias?: string }[]
  readonly from: string
  readonly joins: readonly string[]
  readonly where: readonly string[]
  readonly groupBy: readonly string[]
  readonly having?: string
  readonly orderBy: readonly string[]
  readonly limit?: number
}

/** Prints a SELECT over several lines, for people to read. */
export function printSelect(select: Select): string {
  const columns = select.columns.map((c) => (c.alias === undefined ? c.sql : `${c.sql} AS ${c.alias}`))
  const head = select.distinct ? 'SELECT DISTINCT' : 'SELECT'
  return [
    columns.length === 1 ? `${head} ${columns[0]}` : `${head}\n${columns.map((c) => `  ${c}`).join(',\n')}`,
    `FROM ${select.from}`,
    ...select.joins,
    ...(select.where.length > 0 ? [`WHERE ${select.where.join('\n  AND ')}`] : []),
    ...(select.groupBy.length > 0 ? [`GROUP BY ${select.groupBy.join(', ')}`] : []),
    ...(select.having === undefined ? [] : [`HAVING ${select.having}`]),
    ...(select.orderBy.length > 0 ? [`ORDER BY ${select.orderBy.join(', ')}`] : []),
    ...(select.limit === undefined ? [] : [`LIMIT ${select.limit}`]),
  ].join('\n')
}

/** Indents a query that stands inside another. */
export function indent(sql: string): string {
  return sql
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}

/** How rows are numbered: over all, or anew within each group. */
export interface Ranked {
  /** RANK gives equals the same place; ROW_NUMBER takes them in order. */
  readonly by: 'RANK' | 'ROW_NUMBER'
  readonly within: readonly string[]
  readonly orderBy: readonly string[]
  /** Places that are kept. */
  readonly places: number
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
  const within = ranked.within.length > 0 ? `PARTITION BY ${ranked.within.join(', ')} ` : ''
  const by = ranked.only === undefined ? ranked.by : 'DENSE_RANK'
  const place = { sql: `${by}() OVER (${within}ORDER BY ${ranked.orderBy.join(', ')})`, alias: 'ranking_place' }
  const inner = printSelect({ ...select, columns: [...select.columns, place], orderBy: [] })
  return printSelect({
    columns: select.columns.map((c) => ({ sql: c.alias ?? c.sql })),
    from: `(\n${indent(inner)}\n  ) AS ranked`,
    joins: [],
    where: [
      ranked.only !== undefined
        ? `ranking_place = ${ranked.only}`
        : ranked.places === 1
          ? 'ranking_place = 1'
          : `ranking_place <= ${ranked.places}`,
    ],
    groupBy: [],
    orderBy: [...new Set(orderBy)],
    limit,
  })
}
