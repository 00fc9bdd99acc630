import { given } from '../../core/given.ts'
import { describeConditions, ofThings } from './explain.ts'
import type { Measure } from '../reading.ts'
import { forEach } from './groups.ts'
import { answersOf, setAgainst, type Compared } from './plan-pair.ts'
import { planPart, printPart, type Part } from './plan-several.ts'
import type { Planned } from './planned.ts'
import { brokenDown, type Understood } from './plan.ts'
import { indent, printSelect } from './select.ts'

/**
 * One figure for each group at two times, with the change. The rows of both times stand one below the other and are folded into
 * one row for each group, so that a group of one time alone is not lost.
 */
export function planCompared(asked: readonly [Understood, Understood]): Planned {
  const { context } = asked[0]
  const { dialect } = context.catalogue
  const parts = asked.map((one): Part & { readonly measure: Measure } => {
    const { measure, groups } = brokenDown(one)
    return { ...planPart(one.context, one.reading.conditions, measure, groups), measure }
  }) as [Part & { readonly measure: Measure }, Part]
  const [{ figure, groups, measure }] = parts
  const isAdded = isSum(measure, figure.row !== undefined)
  const folded = printSelect({
    columns: [
      ...groups.flatMap((_, i) => [{ sql: `key_${i + 1}` }, { sql: `label_${i + 1}` }]),
      ...parts.map((_, i) => ({ sql: foldedFigure(i, isAdded), alias: `figure_${i + 1}` })),
    ],
    from: `(\n${indent(parts.map((part, i) => printPart(part, columnsOf(part, i))).join('\nUNION ALL\n'))}\n  ) AS both_times`,
    groupBy: groups.flatMap((_, i) => [`key_${i + 1}`, `label_${i + 1}`]),
  })
  const labels = groups.map((g, i): Compared => ({ sql: `label_${i + 1}`, role: 'label', title: g.title }))
  const figures = parts.map(({ figure: { title, role, unit } }, i): Compared => {
    const where = describeConditions(asked[i]?.reading.conditions ?? []).replace(/^,/, '')
    const said = ofThings(title, title.replace('number of ', ''), where)
    return { sql: `figure_${i + 1}`, role, title: said, ...given({ unit }) }
  }) as [Compared, Compared]
  const columns = setAgainst(dialect, 'change', figures, labels)
  const titles = groups.map((g) => g.title).join(' and ')
  context.assumptions.add(
    isAdded
      ? `a ${titles} without any at one of the two times counts as 0 there, without any at both it is not shown; from 0 there is no percentage`
      : `a ${titles} without any at one of the two times has no ${figure.title} there`,
  )
  return {
    sql: printSelect({
      columns,
      from: `(\n${indent(folded)}\n  ) AS compared`,
      orderBy: [
        'CASE WHEN figure_2 IS NULL THEN 1 ELSE 0 END',
        'figure_2 DESC',
        ...groups.flatMap((_, i) => [`label_${i + 1}`, `key_${i + 1}`]),
      ],
      limit: context.maxRows,
    }),
    shape: 'grouped',
    explanation: `Computes the ${figures.map(({ title }) => title).join(' and the ')} from ${figure.source}${forEach(groups)}, and the change.`,
    list: { noun: 'row', nouns: 'rows', where: '', limit: context.maxRows },
    columns: answersOf(columns),
    times: columns.slice(groups.length, groups.length + 2).map(({ name }) => name),
  }
}

/** The figure of one part in its own column, and which of the two it is. */
function columnsOf({ figure, scope }: Part, part: number): readonly { readonly sql: string; readonly alias: string }[] {
  const figures = [1, 2].map((n) => ({ sql: n === part + 1 ? figure.sql(scope) : 'NULL', alias: `figure_${n}` }))
  return [...figures, { sql: String(part + 1), alias: 'part' }]
}

/** Of a sum or a count there is 0 where there are no rows; of rows without a value the sum is as unknown as ever. */
function foldedFigure(part: number, isAdded: boolean): string {
  const figure = `MAX(figure_${part + 1})`
  const lacks = part === 0 ? 'MIN(part) > 1' : 'MAX(part) < 2'
  return isAdded ? `CASE WHEN ${lacks} THEN 0 ELSE ${figure} END` : figure
}

function isSum(measure: Measure, addsUp: boolean): boolean {
  if (measure.kind === 'column') return measure.aggregate === 'sum'
  return measure.kind === 'metric' ? addsUp : measure.kind !== 'average' && measure.kind !== 'days'
}
