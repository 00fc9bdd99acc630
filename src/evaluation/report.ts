import { escapeHtml } from '../shared/escape-html.ts'
import {
  ENOUGH_CASES,
  changesBetween,
  totalsBySet,
  sumTotals,
  sortWorstFirst,
  type CaseResult,
  type EvalRun,
  type Totals,
  type TurnResult,
} from './results.ts'

/**
 * An evaluation as one HTML file without external resources and scripts: totals, changes, sets, and all cases, worst
 * first.
 */
export function htmlReport(run: EvalRun, before?: EvalRun): string {
  const { files, startedAt, strategy, models, cases } = run
  const named = Object.entries(models).map(([actor, model]) => (actor === 'default' ? model : `${actor}: ${model}`))
  const subtitle = [startedAt.slice(0, 16).replace('T', ' '), `strategy ${strategy ?? 'by default'}`, ...named]
  const totals = sumTotals(cases)
  const sorted = sortWorstFirst(cases, ({ verdict }) => verdict)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evaluation: ${escapeHtml(files.join(', '))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Evaluation of ${escapeHtml(files.join(', '))}</h1>
<p class="dim">${escapeHtml(subtitle.join(' · '))}</p>
${tiles(totals, before && sumTotals(before.cases))}
${before === undefined ? '' : comparison(before, run)}
<h2>Sets</h2>
${setsTable(cases)}
<h2>Cases</h2>
${sorted.map(caseHtml).join('\n')}
</main>
</body>
</html>
`
}

function tiles(totals: Totals, before: Totals | undefined): string {
  const tile = (name: string, value: string, was: string | undefined, css = ''): string =>
    `<div class="tile ${css}"><b>${value}</b><span>${name}${was === undefined || was === value ? '' : `, was ${was}`}</span></div>`
  const all = [
    ...(['wrong', 'declined', 'right'] as const).map((name) =>
      tile(name, String(totals[name]), before && String(before[name]), name),
    ),
    ...(totals.failed > 0 ? [tile('failed', String(totals.failed), before && String(before.failed), 'failed')] : []),
    tile('right of all', percent(totals.score), before && percent(before.score)),
    tile('cost', dollars(totals.costUsd), before && dollars(before.costUsd)),
    tile('model calls', String(totals.calls), before && String(before.calls)),
    ...(totals.cases < ENOUGH_CASES
      ? [tile('fastest case', seconds(totals.fastMs), before && seconds(before.fastMs))]
      : [tile('median time', seconds(totals.medianMs), before && seconds(before.medianMs))]),
    tile(
      totals.cases < ENOUGH_CASES ? 'slowest case' : 'time of the slowest 5 %',
      seconds(totals.slowMs),
      before && seconds(before.slowMs),
    ),
  ]
  return `<div class="tiles">${all.join('')}</div>`
}

function comparison(before: EvalRun, after: EvalRun): string {
  const changes = changesBetween(before, after)
  const rows = changes.map(({ id, set, before: was, after: is }) => [
    escapeHtml(set),
    escapeHtml(id),
    was === undefined ? '–' : mark(was),
    is === undefined ? '–' : mark(is),
  ])
  const since = `Compared with ${escapeHtml(before.startedAt.slice(0, 16).replace('T', ' '))}, strategy ${escapeHtml(before.strategy ?? 'by default')}`
  const body = rows.length === 0 ? '<p>No case has another verdict.</p>' : table(['Set', 'Case', 'Before', 'Now'], rows)
  return `<h2>What changed</h2><p class="dim">${since}</p>${body}`
}

function setsTable(cases: readonly CaseResult[]): string {
  const rows = totalsBySet(cases).map(({ set, totals }) => [
    escapeHtml(set),
    ...[totals.cases, totals.right, totals.declined, totals.wrong, totals.failed].map(String),
    percent(totals.score),
    dollars(totals.costUsd),
    seconds(totals.medianMs),
  ])
  return table(['Set', 'Cases', 'Right', 'Declined', 'Wrong', 'Failed', 'Right of all', 'Cost', 'Median time'], rows)
}

/** Cells are HTML. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? `<th scope="row">${cell}</th>` : `<td>${cell}</td>`)).join('')
  return `<div class="wide"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cells(row)}</tr>`)
    .join('')}</tbody></table></div>`
}

function caseHtml({ id, set, verdict, turns, error, reference = [] }: CaseResult): string {
  const question = turns.map((turn) => turn.question).join(' → ')
  return `<details${verdict === 'wrong' ? ' open' : ''}><summary>${mark(verdict)} <span class="dim">${escapeHtml(`${set} ${id}`)}</span> ${escapeHtml(question)}</summary>
${error === undefined ? turns.map(turnHtml).join('') : `<p>${escapeHtml(error)}</p>`}
${reference.map((one) => `<p class="dim">Expected by: <code>${escapeHtml(one)}</code></p>`).join('')}
</details>`
}

function turnHtml({
  question,
  answer,
  checks,
  notes,
  agents = [],
  detail = [],
  calls,
  costUsd,
  latencyMs,
}: TurnResult): string {
  const facts = [...agents, `${calls} model calls`, dollars(costUsd), seconds(latencyMs)]
  return `<section><h3>${escapeHtml(question)}</h3>
<blockquote>${escapeHtml(answer)}</blockquote>
<ul>${checks.map(({ scorer, expected, passed, why }) => `<li class="${passed ? 'right' : 'wrong'}"><b>${passed ? '✓' : '✗'} ${scorer}</b> ${escapeHtml(expected)}${why === undefined ? '' : `: ${escapeHtml(why)}`}</li>`).join('')}</ul>
${detail.map((text) => `<pre>${escapeHtml(text)}</pre>`).join('')}
${notes.map((note) => `<p class="dim">${escapeHtml(note)}</p>`).join('')}
<p class="dim">${escapeHtml(facts.join(' · '))}</p></section>`
}

function mark(verdict: string): string {
  return `<span class="mark ${verdict}">${verdict}</span>`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9dce1, #3a3f47); --dim: light-dark(#5c6470, #a2a9b4); --raised: light-dark(#f5f6f8, #22262c); --good: light-dark(#176b3a, #6fd39a); --bad: light-dark(#b3261e, #ff9c94); --warn: light-dark(#7a5200, #f0c26a) }
body { margin: 0; font: 0.95rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #17191d); color: light-dark(#1a1d21, #e8eaed) }
main { max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem } h3 { font-size: 1rem; margin: 1rem 0 .3rem }
.dim { color: var(--dim) } .right { color: var(--good) } .wrong { color: var(--bad) } .declined, .failed { color: var(--warn) }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0 }
.tile { display: grid; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised) }
.tile b { font-size: 1.4rem; font-variant-numeric: tabular-nums } .tile span { color: var(--dim); font-size: .85rem }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: .3rem .7rem; border-bottom: 1px solid var(--line) } th:first-child { text-align: left } tbody th { font-weight: normal } thead th { color: var(--dim); font-weight: 600 }
details { border-bottom: 1px solid var(--line); padding: .45rem 0 } summary { cursor: pointer; overflow-wrap: anywhere } details > section, details > p { margin-left: 1rem }
.mark { display: inline-block; min-width: 4.6rem; font-weight: 600 }
blockquote { margin: .3rem 0; padding: .5rem .8rem; border-left: 3px solid var(--line); background: var(--raised); white-space: pre-wrap; overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .6rem; background: var(--raised); border-radius: .4rem } code { overflow-wrap: anywhere } ul { list-style: none; padding: 0; margin: .4rem 0 }
`
