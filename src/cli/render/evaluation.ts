import { changesBetween, totalsBySet, sumTotals, type EvalRun, type Totals } from '../../evaluation/results.ts'
import type { Output } from '../output.ts'
import { printList } from './table.ts'
import { safeLine } from './text.ts'
import { duration } from './units.ts'

const COLUMNS = ['set', 'cases', 'right', 'declined', 'wrong', 'failed', 'score', 'calls', 'cost', 'median'] as const

/** Prints a table of the sets, the wrong cases, and the changes since an earlier evaluation. */
export function printEvaluation(out: Output, run: EvalRun, before?: EvalRun): void {
  const sets = totalsBySet(run.cases)
  const rows = [
    ...sets.map(({ set, totals }) => rowOf(set, totals)),
    ...(sets.length > 1 ? [rowOf('together', sumTotals(run.cases))] : []),
    ...(before === undefined ? [] : [rowOf('before', sumTotals(before.cases))]),
  ]
  const isNeeded = (column: string): boolean => column !== 'failed' || rows.some(({ failed }) => failed > 0)
  printList(out, COLUMNS.filter(isNeeded), rows)
  const bad = run.cases.filter(({ verdict }) => verdict === 'wrong' || verdict === 'failed')
  for (const { set, id, verdict, turns, error } of bad) {
    const turn = turns.find((one) => one.verdict === verdict) ?? turns.at(-1)!
    out.line()
    out.line(out.style.red(`${verdict}: ${set} ${id}: ${safeLine(turn.question)}`))
    out.line(`  ${safeLine(error ?? turn.answer)}`)
    for (const { scorer, why, passed } of turn.checks) if (!passed) out.line(`  ${scorer}: ${safeLine(why ?? '')}`)
  }
  if (before === undefined) return
  const changes = changesBetween(before, run)
  out.line()
  if (changes.length === 0) return out.line('No result changed.')
  printList(
    out,
    ['set', 'id', 'before', 'now'],
    changes.map(({ set, id, before: was = '', after: now = '' }) => ({ set, id, before: was, now })),
  )
}

function rowOf(set: string, { score, costUsd, medianMs, ...totals }: Totals) {
  return {
    ...totals,
    set,
    score: `${(score * 100).toFixed(1)} %`,
    cost: `$${costUsd.toFixed(4)}`,
    median: duration(medianMs),
  }
}
