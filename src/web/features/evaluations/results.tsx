import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleStop } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { useChange, useDelete, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { ConfirmButton } from '../../ui/confirm-dialog.tsx'
import { useWords, type Localization } from '../../locales/words.tsx'
import { VERDICTS, type CaseResult } from './case.ts'
import { CaseTable } from './case-table.tsx'
import type { Evaluation } from './evaluations-page.tsx'
import { SetBars } from './set-bars.tsx'

export interface Pair {
  readonly set: string
  readonly id: string
  readonly before?: CaseResult | undefined
  readonly after?: CaseResult | undefined
}

/** An evaluation, and the earlier one that it is compared with. */
export interface Comparison {
  readonly evaluation: Evaluation
  readonly before: Evaluation | undefined
}

/** One evaluation, optionally compared with an earlier one: totals, by set, and by case. */
export function Results({ items, evaluation, before }: Comparison & { items: readonly Evaluation[] }) {
  const locale = useWords()
  const { words } = locale
  const navigate = useNavigate()
  const { set } = useSearch({ strict: false }) as { set?: string }
  const options = Object.fromEntries(items.map((one) => [one.evaluationId, labelOf(one, locale)]))
  const others = Object.fromEntries(Object.entries(options).filter(([id]) => id !== evaluation.evaluationId))
  const show = (change: { shown?: string; against?: string }) =>
    void navigate({
      to: '/evaluations',
      search: { shown: evaluation.evaluationId, against: before?.evaluationId ?? '', set: set ?? '', ...change },
    })
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <div className="min-w-0 basis-full md:basis-80">
          <Choice
            label={words.evaluations.shown}
            value={evaluation.evaluationId}
            options={options}
            onChange={(one) => show({ shown: one })}
          />
        </div>
        <div className="min-w-0 basis-full md:basis-80">
          <Choice
            label={words.evaluations.against}
            value={before?.evaluationId ?? ''}
            options={{ '': words.evaluations.nothing, ...others }}
            onChange={(one) => show({ against: one })}
          />
        </div>
        {useMayChange() ? <Action evaluation={evaluation} /> : null}
      </div>
      <Progress evaluation={evaluation} />
      <Tiles evaluation={evaluation} before={before} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,4fr)]">
        <SetBars evaluation={evaluation} before={before} chosen={set} />
        <ResultCases evaluation={evaluation} before={before} set={set} />
      </div>
    </>
  )
}

/** Label of an evaluation: start time, strategy and model. */
function labelOf({ startedAt, strategy, model }: Evaluation, { formats }: Localization): string {
  return [formats.date(startedAt), strategy, model].filter(Boolean).join(' · ')
}

/** Cancels a running evaluation, or deletes a finished one. */
function Action({ evaluation: { evaluationId, status } }: Pick<Comparison, 'evaluation'>) {
  const { words } = useWords()
  const path = `/evaluations/${encodeURIComponent(evaluationId)}`
  const cancel = useChange(() => api.post(`${path}/cancel`), '/evaluations')
  const remove = useDelete(path, '/evaluations')
  return (
    <>
      {status === 'running' ? (
        <Button label={words.evaluations.stop} icon={CircleStop} className="h-9" action={cancel} />
      ) : (
        <ConfirmButton
          label={words.evaluations.remove}
          className="btn-danger h-9"
          disabled={remove.isPending}
          consequences={words.evaluations.sure}
          yes={() => remove.mutate()}
        />
      )}
      <ErrorBanner error={cancel.error ?? remove.error} isInText />
    </>
  )
}

function Progress({ evaluation: { status, asked, totals } }: Pick<Comparison, 'evaluation'>) {
  const { words, formats } = useWords()
  if (status === 'done') return null
  const [done, all] = [formats.number(totals.cases), formats.number(asked)]
  return (
    <div className="mb-4 flex flex-col gap-1.5 text-13 text-text-2" role="status">
      {status === 'running'
        ? words.evaluations.under({ done, asked: all })
        : words.evaluations.cancelled({ done, asked: all })}
      <progress className="bar w-full" max={asked} value={totals.cases} aria-hidden />
    </div>
  )
}

interface Tile {
  readonly name: string
  readonly value: string
  /** The value of the earlier evaluation. */
  readonly earlier?: string | undefined
  readonly detail: string
}

function Tiles({ evaluation: { totals }, before }: Comparison) {
  const { words, formats } = useWords()
  const earlier = before?.totals
  const share = (n: number, all: number): string => (all === 0 ? '–' : `${formats.number((100 * n) / all, 1)} %`)
  const verdicts = VERDICTS.filter((one) => one !== 'failed' || totals.failed > 0 || (earlier?.failed ?? 0) > 0)
  const tiles: readonly Tile[] = [
    ...verdicts.map((one) => ({
      name: words.evaluations.verdict[one],
      value: share(totals[one], totals.cases),
      earlier: earlier && share(earlier[one], earlier.cases),
      detail: words.evaluations.of({ n: formats.number(totals[one]), all: formats.number(totals.cases) }),
    })),
    {
      name: words.evaluations.median,
      value: formats.duration(totals.medianMs),
      earlier: earlier && formats.duration(earlier.medianMs),
      detail: words.evaluations.slow({ time: formats.duration(totals.slowMs) }),
    },
    {
      name: words.evaluations.cost,
      value: formats.money(totals.costUsd),
      earlier: earlier && formats.money(earlier.costUsd),
      detail: words.evaluations.calls({ n: totals.calls }),
    },
  ]
  return (
    <dl className="card mb-4 flex flex-wrap overflow-hidden">
      {tiles.map(({ name, value, earlier: was, detail }) => (
        <div key={name} className="-mr-px -mb-px min-w-36 flex-1 border-r border-b border-line px-4 py-3">
          <dt className="text-12 text-text-3">{name}</dt>
          <dd>
            <span className="num flex flex-wrap items-baseline gap-x-2 text-20 font-semibold">
              {value}
              {was === undefined ? null : (
                <span className="text-12 font-normal text-text-2">{words.evaluations.was({ before: was })}</span>
              )}
            </span>
            <span className="num text-12 text-text-2">{detail}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The cases, of both evaluations where there are two. */
function ResultCases({ evaluation, before, set = '' }: Comparison & { set: string | undefined }) {
  const id = encodeURIComponent(evaluation.evaluationId)
  const isCompared = before !== undefined
  // Refetch a running evaluation for each finished case: the fragment changes the query key and is not sent to the
  // server.
  const fragment = evaluation.status === 'running' ? `#${evaluation.totals.cases}` : ''
  const compared = new URLSearchParams({ before: before?.evaluationId ?? '', after: evaluation.evaluationId })
  const path = isCompared ? `/evaluations/compare?${compared}` : `/evaluations/${id}`
  return (
    <Fetched query={useGet<{ cases: readonly (Pair | CaseResult)[] }>(`${path}${fragment}`)}>
      {({ cases }) => {
        const pairs = cases.map((one): Pair => ('verdict' in one ? { set: one.set, id: one.id, after: one } : one))
        const shownPairs = pairs.filter((pair) => set === '' || pair.set === set)
        return <CaseTable key={set} pairs={shownPairs} set={set} isCompared={isCompared} />
      }}
    </Fetched>
  )
}
