import type { ColumnSchema, DatabaseSchema } from '../../src/databases/schema.ts'
import type { Dice } from './world.ts'

/** A query that is wrong in one way, or right in another wording. */
export interface Mutant {
  readonly kind: string
  readonly sql: string
}

/** What a change of a query may draw on. */
interface Ground {
  readonly d: Dice
  /** Another column that is read in the same place, of the same kind. */
  readonly other: (name: string) => string | undefined
  /** A column of the tables of the query. */
  readonly column: (isFit: (column: ColumnSchema) => boolean) => string | undefined
  /** A value that the data have in it. */
  readonly value: (column: string) => string | undefined
}

type Change = (sql: string, ground: Ground) => string | undefined

const NAME = String.raw`(?:\b\w+\.)?\b[A-Za-z_]\w*\b`
const re = (source: string): RegExp => new RegExp(source.replaceAll('NAME', NAME), 'gi')

/** Changes one of the places that fit; undefined where there is none. */
function at(pattern: string, by: (found: RegExpMatchArray, ground: Ground) => string | undefined): Change {
  return (sql, ground) => {
    const places = [...sql.matchAll(re(pattern))]
    if (places.length === 0) return undefined
    const place = ground.d.pick(places)
    const put = by(place, ground)
    return put === undefined ? undefined : sql.slice(0, place.index) + put + sql.slice(place.index + place[0].length)
  }
}

const isText = ({ kind, holds, primaryKey }: ColumnSchema): boolean => kind === 'text' && !holds && !primaryKey
const isNumber = ({ kind, primaryKey }: ColumnSchema): boolean => kind === 'number' && !primaryKey
const isDate = ({ kind, holds }: ColumnSchema): boolean => kind.startsWith('date') || holds !== undefined

/** Where a condition may be added, before what may follow it. */
const added = (word: 'AND' | 'OR', sql: string, condition: string): string | undefined => {
  const where = /\bWHERE\b((?:(?!\b(?:GROUP|ORDER|LIMIT)\b|\)\s*$)[^()]|\([^()]*\))*)/i.exec(sql)
  if (where !== null) {
    const own = where[1]!.trimEnd()
    return (
      sql.slice(0, where.index) + `WHERE (${own.trim()}) ${word} ${condition}` + sql.slice(where.index + 5 + own.length)
    )
  }
  if (word === 'OR' || (sql.match(/\bSELECT\b/gi)?.length ?? 0) > 1) return undefined
  const end = /\s*\b(?:GROUP BY|ORDER BY|LIMIT)\b/i.exec(sql)?.index ?? sql.length
  return `${sql.slice(0, end)} WHERE ${condition}${sql.slice(end)}`
}

/** How queries of a model go wrong. */
const WRONG: Readonly<Record<string, Change>> = {
  'order column': at(String.raw`(?<=\bORDER BY )(NAME)(?= DESC| ASC|\s*LIMIT|$)`, ([, name], { other, column }) => {
    return other(name!) ?? column(isNumber)
  }),
  direction: at(
    String.raw`(?<=\bORDER BY )(\w+\([^()]*\)|NAME)( DESC)?`,
    ([, by, down]) => `${by}${down ? '' : ' DESC'}`,
  ),
  extreme: at(String.raw`\b(max|min)(?=\()`, ([, name]) => (name!.toLowerCase() === 'max' ? 'min' : 'max')),
  'text column': at(
    String.raw`(NAME)(?= (?:=|<>|LIKE) '\p{L})`.replace(String.raw`\p{L}`, '[A-Za-z]'),
    ([, name], { other }) => other(name!),
  ),
  'join column': (sql, ground) =>
    at(String.raw`(?<=\bON NAME = )(NAME)`, ([, name], { other }) => other(name!))(sql, ground),
  'limit one': (sql) => (/\bLIMIT \d+\s*$/i.test(sql) ? undefined : `${sql} LIMIT 1`),
  'limit number': at(String.raw`(?<=\bLIMIT )([2-9]|1\d)\b`, ([, n], { d }) =>
    String(Number(n) + (d.chance(0.5) ? 1 : -1)),
  ),
  having: at(String.raw`(?<=\bGROUP BY )(NAME|\d)(?!.*\bHAVING\b)`, ([whole]) => `${whole} HAVING count(*) > 1`),
  'having number': at(String.raw`(?<=count\(\*\) )>(?= \d)`, () => '>='),
  or: (sql, { column, value }) => {
    const name = column(isText)
    const own = name === undefined ? undefined : value(name)
    return own === undefined ? undefined : added('OR', sql, `${name} = '${own}'`)
  },
  and: (sql, { column, value }) => {
    const name = column(isText)
    const own = name === undefined ? undefined : value(name)
    return own === undefined ? undefined : added('AND', sql, `${name} = '${own}'`)
  },
  'and number': (sql, { column, value }) => {
    const name = column(isNumber)
    const own = name === undefined ? undefined : value(name)
    return own === undefined ? undefined : added('AND', sql, `${name} > ${own}`)
  },
  'and given': (sql, { column }) => {
    const name = column(({ nullable }) => nullable)
    return name === undefined ? undefined : added('AND', sql, `${name} IS NOT NULL`)
  },
  'count distinct': (sql, ground) =>
    at(String.raw`count\(\*\)`, (_, { column }) => {
      const name = column(({ primaryKey }) => !primaryKey)
      return name === undefined ? undefined : `count(DISTINCT ${name})`
    })(sql, ground),
  'count all': at(String.raw`count\(DISTINCT (NAME)\)`, ([, name]) => `count(${name})`),
  'select distinct': at(String.raw`^SELECT (?!DISTINCT|count|sum|avg|round|max|min)`, () => 'SELECT DISTINCT '),
  'count given': at(String.raw`count\(\*\)`, (_, { column }) => {
    const name = column(({ nullable }) => nullable)
    return name === undefined ? undefined : `count(${name})`
  }),
  'count to sum': at(String.raw`count\(\*\)`, (_, { column }) => {
    const name = column(isNumber)
    return name === undefined ? undefined : `sum(${name})`
  }),
  aggregate: at(String.raw`\b(sum|avg)(?=\(NAME\))`, ([, name], { d }) => {
    return d.pick(['sum', 'avg', 'max', 'count'].filter((one) => one !== name!.toLowerCase()))
  }),
  'summed column': at(String.raw`(?<=\b(?:sum|avg)\()(NAME)(?=\))`, ([, name], { other }) => other(name!)),
  period: at(String.raw`(?<=')((?:19|20)\d\d)(?=[-%])`, ([, year], { d }) =>
    String(Number(year) + (d.chance(0.5) ? 1 : -1)),
  ),
  'period end': at(String.raw`(?<=')((?:19|20)\d\d)-(\d\d)-(\d\d)(?=')`, ([, y, m, day], { d }) => {
    const moved = new Date(Date.UTC(Number(y), Number(m) - 1, Number(day) + (d.chance(0.5) ? 1 : -1)))
    return moved.toISOString().slice(0, 10)
  }),
  'date column': at(String.raw`(NAME)(?= (?:LIKE|BETWEEN|>=|<) '(?:19|20))`, ([, name], { other }) => other(name!)),
  'group column': at(String.raw`(?<=^SELECT )(NAME)(?=, .*\bGROUP BY 1\b)`, ([, name], { other, column }) => {
    return other(name!) ?? column(isText)
  }),
  'shown column': at(String.raw`(?<=^SELECT )(NAME)(?= FROM)`, ([, name], { other }) => other(name!)),
  bound: at(String.raw`(?<= )([<>])(?= \d)`, ([sign]) => `${sign}=`),
  'bound column': at(String.raw`(NAME)(?= [<>] \d)`, ([, name], { other }) => other(name!)),
  dropped: at(String.raw`\bWHERE (?:(?!\b(?:GROUP|ORDER|LIMIT)\b)[^()])+`, ([whole]) =>
    (/\s$/.test(whole) ? '' : ' ').trim(),
  ),
  negated: at(
    String.raw` (?:(=)|(<>)|IS (NULL)|IS (NOT NULL)|(NOT IN)|(IN))(?= '| \(SELECT|\s*$| GROUP| AND)`,
    (found) => {
      const which = found.slice(1).findIndex((one) => one !== undefined)
      return [' <>', ' =', ' IS NOT NULL', ' IS NULL', ' IN', ' NOT IN'][which]
    },
  ),
  value: at(String.raw`(?<=(NAME) = )'([A-Za-z][^']*)'`, ([, name, own], { value }) => {
    const other = value(name!)
    return other === undefined || other === own ? undefined : `'${other}'`
  }),
  'outer join': at(String.raw`\bLEFT JOIN\b`, () => 'JOIN'),
  offset: at(String.raw` OFFSET \d+`, () => ''),
}

/** The same in other words. */
const RIGHT: Readonly<Record<string, Change>> = {
  cte: (sql) => (/^WITH/i.test(sql) ? undefined : `WITH found AS (${sql}) SELECT * FROM found`),
  subquery: (sql) => `SELECT * FROM (${sql}) AS found`,
  'in list': at(String.raw`(?<=NAME) = ('[A-Za-z][^']*')`, ([, value]) => ` IN (${value})`),
  'case aside': at(
    String.raw`(NAME) = '([A-Za-z][^']*)'`,
    ([, name, value]) => `lower(${name}) = '${value!.toLowerCase()}'`,
  ),
  'year of': at(String.raw`(NAME) LIKE '(\d{4})%'`, ([, name, year]) => `strftime('%Y', ${name}) = '${year}'`),
  'days of': at(String.raw`(NAME) LIKE '(\d{4})%'`, ([, name, year]) => {
    return `${name} >= '${year}-01-01' AND ${name} < '${Number(year) + 1}-01-01'`
  }),
  between: at(
    String.raw`(NAME) LIKE '(\d{4})%'`,
    ([, name, year]) => `date(${name}) BETWEEN '${year}-01-01' AND '${year}-12-31'`,
  ),
  'count one': at(String.raw`count\(\*\)`, () => 'COUNT(1)'),
  'not exists': at(String.raw`\bNOT IN \(SELECT (NAME) FROM (\w+)\)`, ([, name, table]) => {
    return `NOT IN (SELECT ${name} FROM ${table} WHERE ${name} IS NOT NULL)`
  }),
  aliased: at(
    String.raw`(?<=^SELECT )((?:round\()?(?:count|sum|avg)\([^()]*\)(?:, 2\))?)(?= FROM)`,
    ([, figure]) => `${figure} AS result`,
  ),
  ordered: (sql) => (/\bORDER BY\b|\bLIMIT\b/i.test(sql) ? undefined : `${sql} ORDER BY 1`),
  unrounded: at(String.raw`round\(((?:sum|avg)\([^()]*\)), 2\)`, ([, inner]) => inner),
}

/** Changes of a query, each kind at most once; which place and what is put there is drawn. */
export function mutantsOf(
  sql: string,
  schema: DatabaseSchema,
  d: Dice,
  value: (table: string, column: string) => string | undefined,
  isRight = false,
): readonly Mutant[] {
  const words = new Set((sql.match(/\w+/g) ?? []).map((word) => word.toLowerCase()))
  const tables = schema.tables.filter(({ name }) => words.has(name.toLowerCase()))
  const tableOf = (name: string) => {
    const bare = name.split('.').at(-1)!.toLowerCase()
    return tables.find(({ columns }) => columns.some((one) => one.name.toLowerCase() === bare))
  }
  const isOnly = (column: string): boolean => {
    return tables.filter(({ columns }) => columns.some(({ name }) => name === column)).length === 1
  }
  const ground: Ground = {
    d,
    other: (name) => {
      const [bare, ...alias] = name.split('.').reverse()
      const columns = tableOf(name)?.columns ?? []
      const own = columns.find((one) => one.name.toLowerCase() === bare!.toLowerCase())
      if (own === undefined) return undefined
      const isLike = (one: ColumnSchema): boolean => (isDate(own) ? isDate(one) : own.kind === one.kind && !isDate(one))
      const fit = columns.filter((one) => one !== own && isLike(one) && (alias.length > 0 || isOnly(one.name)))
      return fit.length === 0 ? undefined : [...alias, d.pick(fit).name].join('.')
    },
    column: (isFit) => {
      const fit = tables.flatMap(({ columns }) => columns.filter((one) => isFit(one) && isOnly(one.name)))
      return fit.length === 0 ? undefined : d.pick(fit).name
    },
    value: (column) => {
      const table = tableOf(column)
      const own = table?.columns.find(({ name }) => name.toLowerCase() === column.split('.').at(-1)!.toLowerCase())
      return table === undefined || own === undefined ? undefined : value(table.name, own.name)
    },
  }
  return Object.entries(isRight ? RIGHT : WRONG).flatMap(([kind, change]) => {
    const changed = change(sql, ground)
    return changed === undefined || changed === sql ? [] : [{ kind, sql: changed }]
  })
}
