import type { EvalCase } from '../src/evaluation/cases.ts'
import { setsOf, totalsOf, type CaseResult } from '../src/evaluation/results.ts'

const SINGLE = ['pipeline', 'graph', 'supervisor', 'review'] as const
const AUTO = 'auto'
export const NAMES = [...SINGLE, AUTO] as const

/** Each of the cases once for each strategy. */
export function casesByStrategy(cases: readonly EvalCase[]): readonly EvalCase[] {
  return NAMES.flatMap((strategy) => cases.map((one) => ({ ...one, id: `${one.id}:${strategy}`, strategy })))
}

/** What came of the same cases by each strategy. */
export interface Measured {
  readonly label: string
  readonly byStrategy: ReadonlyMap<string, readonly CaseResult[]>
}

/** Whether `auto` has at least as many right as the best of the others, and at most as many wrong. */
export function isAutoBest({ byStrategy }: Measured): boolean {
  const totals = (name: string) => totalsOf(byStrategy.get(name) ?? [])
  const singles = SINGLE.map(totals)
  const best = Math.max(...singles.map(({ right }) => right))
  const fewest = Math.min(...singles.filter(({ right }) => right === best).map(({ wrong }) => wrong))
  const { right, wrong } = totals(AUTO)
  return right >= best && wrong <= fewest
}

/** The sets of which cases are not there for each strategy, or others than are asked. */
export function missingIn({ byStrategy }: Measured, asked: readonly EvalCase[]): readonly string[] {
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
export function comparisonPage(measured: readonly Measured[]): string {
  const parts = measured.flatMap(({ label, byStrategy }) => {
    const all = [...byStrategy].map(([name, cases]) => {
      const { cases: count, right, declined, wrong, failed, calls } = totalsOf(cases)
      return [`\`${name}\``, count, right, declined, wrong, failed, calls]
    })
    const sets = setsOf(byStrategy.get(AUTO) ?? []).map(({ set }) => [
      `\`${set}\``,
      ...NAMES.map((name) => {
        const { right, declined, wrong, calls } = totalsOf(byStrategy.get(name)!.filter((one) => one.set === set))
        return `${right} / ${declined} / ${wrong}, ${calls}`
      }),
    ])
    return [
      `## All sets, ${label}`,
      table(['strategy', 'cases', 'right', 'declined', 'wrong', 'failed', 'calls of models'], all),
      `Each set: right / declined / wrong, calls.`,
      table(['set', ...NAMES.map((name) => `\`${name}\``)], sets),
    ]
  })
  const head = ['# The questions by every strategy', 'Written by `npm run eval -- --strategies`.']
  return `${[...head, ...parts].join('\n\n')}\n`
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const aligned = head.map((_cell, at) => (at === 0 ? '---' : '---:'))
  return [line(head), `|${aligned.join('|')}|`, ...rows.map(line)].join('\n')
}
