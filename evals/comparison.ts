import type { EvalCase } from '../src/evaluation/cases.ts'
import { totalsBySet, sumTotals, type CaseResult } from '../src/evaluation/results.ts'

const SINGLE = ['pipeline', 'graph', 'supervisor', 'review'] as const
const AUTO = 'auto'
export const NAMES = [...SINGLE, AUTO] as const

/** Each of the cases once for each strategy. */
export function casesByStrategy(cases: readonly EvalCase[]): readonly EvalCase[] {
  return NAMES.flatMap((strategy) => cases.map((one) => ({ ...one, id: `${one.id}:${strategy}`, strategy })))
}

/** What came of the same cases by each strategy. */
export type Measured = ReadonlyMap<string, readonly CaseResult[]>

/** Whether `auto` has at least as many right as the best of the others, and at most as many wrong. */
export function isAutoBest(measured: Measured): boolean {
  const totals = (name: string) => sumTotals(measured.get(name) ?? [])
  const singles = SINGLE.map(totals)
  const best = Math.max(...singles.map(({ right }) => right))
  const fewest = Math.min(...singles.filter(({ right }) => right === best).map(({ wrong }) => wrong))
  const { right, wrong } = totals(AUTO)
  return right >= best && wrong <= fewest
}

/** The sets of which cases are not there for each strategy, or others than are asked. */
export function missingIn(byStrategy: Measured, asked: readonly EvalCase[]): readonly string[] {
  const idsOf = (cases: readonly { readonly id: string }[]): string =>
    cases
      .map(({ id }) => id)
      .toSorted()
      .join()
  const sets = [...new Set(asked.map(({ set }) => set))]
  return sets.filter((set) => {
    const measured = [...byStrategy.values()].flat().filter((one) => one.set === set)
    return idsOf(measured) !== idsOf(casesByStrategy(asked.filter((one) => one.set === set)))
  })
}

/** The page `evals/strategies.md`. */
export function comparisonPage(measured: Measured): string {
  const all = [...measured].map(([name, cases]) => {
    const { cases: count, right, declined, wrong, failed } = sumTotals(cases)
    return [`\`${name}\``, count, right, declined, wrong, failed]
  })
  const sets = totalsBySet(measured.get(AUTO) ?? []).map(({ set }) => [
    `\`${set}\``,
    ...NAMES.map((name) => {
      const { right, declined, wrong } = sumTotals(measured.get(name)!.filter((one) => one.set === set))
      return `${right} / ${declined} / ${wrong}`
    }),
  ])
  const parts = [
    '# The questions by every strategy, without a model',
    'Written by `npm run eval -- --strategies`.',
    '## All sets',
    table(['strategy', 'cases', 'right', 'declined', 'wrong', 'failed'], all),
    'Each set: right / declined / wrong.',
    table(['set', ...NAMES.map((name) => `\`${name}\``)], sets),
  ]
  return `${parts.join('\n\n')}\n`
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const aligned = head.map((_cell, at) => (at === 0 ? '---' : '---:'))
  return [line(head), `|${aligned.join('|')}|`, ...rows.map(line)].join('\n')
}
