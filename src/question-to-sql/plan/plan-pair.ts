import { uniqueNames } from '../../core/table.ts'
import { ofThings } from '../say/explain.ts'
import type { AnswerColumn, Linked } from '../types.ts'
import type { Dialect } from '../../databases/schema.ts'
import type { Pair } from '../parse/pair.ts'
import { quoteName, roundMoney } from '../../terms/dialect.ts'
import type { Planned } from './planned.ts'
import { refuse } from '../refusal.ts'
import { aliasOf } from './scope.ts'
import { indent } from './select.ts'

/** Longer names are cut by PostgreSQL and refused by MySQL. */
const LONGEST_NAME = 60

/** Two figures beside each other, each a query of its own, and the change from one to the other or their ratio. */
export function planPair(dialect: Dialect, { kind, questions }: Pair, asked: readonly [Linked, Linked]): Planned {
  const planned = asked.filter((one) => one.kind === 'query')
  const [first, second] = asked.map((one) => {
    const { columns: [column, ...others] = [], where = '', shape } = one.kind === 'query' ? one : {}
    if (column === undefined || others.length > 0 || (shape !== 'count' && shape !== 'aggregate'))
      return refuse('I can compare two figures, and not lists or breakdowns. Please ask for each of them by itself.')
    return { ...column, title: ofThings(column.title, column.title.replace('number of ', ''), where) }
  }) as [AnswerColumn, AnswerColumn]
  const { role, unit } = first
  // “ratio of cancelled orders to orders in 2025”: is the time that of both?
  const [said, alone] = questions.map((question) => question.split(/\s+/).length)
  if (kind === 'ratio' && planned[1]?.where !== '' && (said !== alone || planned[0]?.where === ''))
    return refuse('I do not see what is said of which of the two. Please ask for each of them by itself.')
  const [a, b] = [first, second].map(
    ({ name }, i) => `figure_${i + 1}.${quoteName(planned[i]?.columns[0]?.name ?? name, dialect)}`,
  ) as [string, string]
  const more = unit === undefined ? {} : { unit }
  const made: readonly (AnswerColumn & { readonly sql: string })[] =
    kind === 'ratio'
      ? [
          { name: 'ratio', role: 'number', title: 'ratio', sql: `1.0 * ${a} / NULLIF(${b}, 0)` },
          { name: 'ratio_percent', role: 'percent', title: 'ratio in percent', sql: `100.0 * ${a} / NULLIF(${b}, 0)` },
        ]
      : [
          { name: 'change', role, title: 'change', ...more, sql: `${b} - ${a}` },
          // Of nothing, or of a loss, there is no percentage.
          {
            name: 'change_percent',
            role: 'percent',
            title: 'change in percent',
            sql: `CASE WHEN ${a} > 0 THEN 100.0 * (${b} - ${a}) / ${a} END`,
          },
        ]
  const rounded = made.map((c) => ({ ...c, sql: roundMoney(c.sql, true, dialect) }))
  const columns = [{ ...first, sql: a }, { ...second, sql: b }, ...rounded]
  const names = uniqueNames(
    columns.map(({ title, name }, i) =>
      i < 2
        ? aliasOf(title)
            .replaceAll(/[^a-z0-9_]/g, '')
            .slice(0, LONGEST_NAME)
        : name,
    ),
  )
  const from = planned.map(({ sql }, i) => `(\n${indent(sql)}\n  ) AS figure_${i + 1}`)
  return {
    sql: `SELECT\n${columns.map(({ sql }, i) => `  ${sql} AS ${quoteName(names[i] ?? '', dialect)}`).join(',\n')}\nFROM ${from.join('\nCROSS JOIN ')}`,
    shape: 'aggregate',
    explanation: `${planned.map((p) => p.explanation).join(' ')} Then computes ${kind === 'ratio' ? 'their ratio' : 'the change'}.`,
    columns: columns.map(({ sql: _, ...column }, i) => ({ ...column, name: names[i] ?? column.name })),
  }
}
