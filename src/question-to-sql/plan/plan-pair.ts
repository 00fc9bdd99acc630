import { given } from '../../core/given.ts'
import { uniqueNames } from '../../core/table.ts'
import type { Dialect } from '../../databases/schema.ts'
import { quoteName, roundMoney } from '../../terms/dialect.ts'
import { ofThings } from '../say/explain.ts'
import type { AnswerColumn, LinkedQuery } from '../types.ts'
import type { Pair } from '../parse/pair.ts'
import type { Planned } from './planned.ts'
import { refuse } from '../refusal.ts'
import { aliasOf } from './scope.ts'
import { indent } from './select.ts'

/** Longer names are cut by PostgreSQL and refused by MySQL. */
const LONGEST_NAME = 60

/** Two figures beside each other, each a query of its own, and the change from one to the other or their ratio. */
export function planPair(dialect: Dialect, { kind }: Pair, asked: readonly LinkedQuery[]): Planned {
  const figures = asked.map(({ shape, where = '', columns: [column, ...others] }, i) => {
    if (column === undefined || others.length > 0 || (shape !== 'count' && shape !== 'aggregate'))
      return refuse('I can compare two figures, and not lists or breakdowns. Please ask for each of them by itself.')
    const title = ofThings(column.title, column.title.replace('number of ', ''), where)
    return { ...column, title, sql: `figure_${i + 1}.${quoteName(column.name, dialect)}` }
  })
  const [a, b] = figures.map(({ sql }) => sql)
  const made = (title: string, sql: string, as: Pick<AnswerColumn, 'role' | 'unit'>) => {
    return { ...as, title, sql: roundMoney(sql, true, dialect) }
  }
  const [own] = figures
  const result =
    kind === 'ratio'
      ? made(kind, `1.0 * ${a} / NULLIF(${b}, 0)`, { role: 'number' })
      : made(kind, `${b} - ${a}`, { role: own?.role ?? 'number', ...given({ unit: own?.unit }) })
  // Of nothing, or of a loss, there is no percentage.
  const percent =
    kind === 'ratio' ? `100.0 * ${a} / NULLIF(${b}, 0)` : `CASE WHEN ${a} > 0 THEN 100.0 * (${b} - ${a}) / ${a} END`
  const columns = [...figures, result, made(`${kind} in percent`, percent, { role: 'percent' })]
  const names = uniqueNames(
    columns.map(({ title }) =>
      aliasOf(title)
        .replaceAll(/[^a-z0-9_]/g, '')
        .slice(0, LONGEST_NAME),
    ),
  )
  const shown = columns.map(({ sql }, i) => `  ${sql} AS ${quoteName(names[i] ?? '', dialect)}`)
  const from = asked.map(({ sql }, i) => `(\n${indent(sql)}\n  ) AS figure_${i + 1}`)
  return {
    sql: `SELECT\n${shown.join(',\n')}\nFROM ${from.join('\nCROSS JOIN ')}`,
    shape: 'aggregate',
    explanation: `${asked.map((one) => one.explanation).join(' ')} Then computes ${kind === 'ratio' ? 'their ratio' : 'the change'}.`,
    columns: columns.map(({ role, title, unit }, i) => ({ name: names[i] ?? '', role, title, ...given({ unit }) })),
  }
}
