import { given } from '../../core/given.ts'
import { uniqueNames } from '../../core/table.ts'
import type { Dialect } from '../../databases/schema.ts'
import { quoteName, roundMoney } from '../../terms/dialect.ts'
import { ofThings } from './explain.ts'
import type { AnswerColumn } from '../types.ts'
import type { Pair } from '../parse/pair.ts'
import type { Planned } from './planned.ts'
import { refuse } from '../refusal.ts'
import { planReading, type Understood } from './plan.ts'
import { aliasOf } from './scope.ts'
import { indent } from './select.ts'

/** Longer names are cut by PostgreSQL and refused by MySQL. */
const LONGEST_NAME = 60

/** A column of a comparison, not named yet. */
export type Compared = Omit<AnswerColumn, 'name'> & { readonly sql: string }

/** The two figures with the change from one to the other or their ratio, as columns; names that are taken are not given again. */
export function setAgainst(
  dialect: Dialect,
  kind: Pair['kind'],
  [first, second]: readonly [Compared, Compared],
  labels: readonly Compared[] = [],
): readonly (AnswerColumn & { readonly sql: string; readonly alias: string })[] {
  const [a, b] = [first.sql, second.sql]
  const made = (title: string, sql: string, as: Pick<AnswerColumn, 'role' | 'unit'>): Compared => {
    return { ...as, title, sql: roundMoney(sql, true, dialect) }
  }
  const result =
    kind === 'ratio'
      ? made(kind, `1.0 * ${a} / NULLIF(${b}, 0)`, { role: 'number' })
      : made(kind, `${b} - ${a}`, { role: first.role, ...given({ unit: first.unit }) })
  // Of nothing, or of a loss, there is no percentage.
  const percent =
    kind === 'ratio' ? `100.0 * ${a} / NULLIF(${b}, 0)` : `CASE WHEN ${a} > 0 THEN 100.0 * (${b} - ${a}) / ${a} END`
  const columns = [...labels, first, second, result, made(`${kind} in percent`, percent, { role: 'percent' })]
  const names = uniqueNames(
    columns.map(({ title }) =>
      aliasOf(title)
        .replaceAll(/[^a-z0-9_]/g, '')
        .slice(0, LONGEST_NAME),
    ),
  )
  return columns.map((column, i) => ({ ...column, name: names[i] ?? '', alias: quoteName(names[i] ?? '', dialect) }))
}

/** How the columns are spoken of in an answer. */
export function answersOf(columns: ReturnType<typeof setAgainst>): readonly AnswerColumn[] {
  return columns.map(({ role, title, unit, name }) => ({ name, role, title, ...given({ unit }) }))
}

/** Two figures beside each other, each a query of its own, and the change from one to the other or their ratio. */
export function planPair({ kind }: Pair, pair: readonly [Understood, Understood]): Planned {
  const { dialect } = pair[0].context.catalogue
  const asked = pair.map(({ context, reading }) => planReading(context, reading))
  const figures = asked.map(({ shape, where = '', columns: [column, ...others] }, i): Compared => {
    if (column === undefined || others.length > 0 || (shape !== 'count' && shape !== 'aggregate'))
      return refuse('I can compare two figures, and not lists or breakdowns. Please ask for each of them by itself.')
    const title = ofThings(column.title, column.title.replace('number of ', ''), where)
    return { ...column, title, sql: `figure_${i + 1}.${quoteName(column.name, dialect)}` }
  })
  const columns = setAgainst(dialect, kind, figures as [Compared, Compared])
  const from = asked.map(({ sql }, i) => `(\n${indent(sql)}\n  ) AS figure_${i + 1}`)
  return {
    sql: `SELECT\n${columns.map(({ sql, alias }) => `  ${sql} AS ${alias}`).join(',\n')}\nFROM ${from.join('\nCROSS JOIN ')}`,
    shape: 'aggregate',
    explanation: `${asked.map((one) => one.explanation).join(' ')} Then computes ${kind === 'ratio' ? 'their ratio' : 'the change'}.`,
    columns: answersOf(columns),
    ...(kind === 'change' ? { times: columns.slice(0, 2).map(({ name }) => name) } : {}),
  }
}
