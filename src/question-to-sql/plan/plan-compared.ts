import { given } from '../../core/given.ts'
import { describeConditions, ofThings } from './explain.ts'
import { forEach } from './groups.ts'
import { answersOf, setAgainst, type Compared } from './plan-pair.ts'
import { foldParts, planPart, type Part } from './plan-several.ts'
import type { Planned } from './planned.ts'
import { brokenDown, type Understood } from './plan.ts'
import { printSelect } from './select.ts'

/** One figure for each group at two times, with the change. */
export function planCompared(asked: readonly [Understood, Understood]): Planned {
  const { context } = asked[0]
  const { dialect } = context.catalogue
  const parts = asked.map((one) => {
    const { measure, groups } = brokenDown(one)
    return planPart({ context: one.context, dimensions: groups, conditions: one.reading.conditions }, measure)
  }) as [Part, Part]
  const [{ figure, groups, isAdded }] = parts
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
      from: foldParts(parts),
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
