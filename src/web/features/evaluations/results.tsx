import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleStop } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Choice } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
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

interface Props {
  readonly items: readonly Evaluation[]
  readonly shown: Evaluation
  readonly before: Evaluation | undefined
  readonly mayChange: boolean
}

/** One evaluation, optionally compared with an earlier one: totals, by set, and by case. */
export function Results({ items, shown, before, mayChange }: Props) {
  const spoken = useWords()
  const { words } = spoken
  const navigate = useNavigate()
  const { set } = useSearch({ strict: false }) as { set?: string }
  const options = Object.fromEntries(items.map((one) => [one.evaluationId, named(one, spoken)]))
  const others = Object.fromEntries(Object.entries(options).filter(([id]) => id !== shown.evaluationId))
  const look = (change: { shown?: string; against?: string }) =>
    void navigate({
      to: '/evaluations',
      search: { shown: shown.evaluationId, against: before?.evaluationId ?? '', set: set ?? '', ...change },
    })
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <div className="min-w-0 basis-full md:basis-80">
          <Choice
            label={words.evaluations.shown}
            value={shown.evaluationId}
            options={options}
            say={(one) => look({ shown: one })}
          />
        </div>
        <div className="min-w-0 basis-full md:basis-80">
          <Choice
            label={words.evaluations.against}
            value={before?.evaluationId ?? ''}
            options={{ '': words.evaluations.nothing, ...others }}
            say={(one) => look({ against: one })}
          />
        </div>
        {mayChange ? <What shown={shown} /> : null}
      </div>
      <Progress shown={shown} />
      <Tiles shown={shown} before={before} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,4fr)]">
        <SetBars shown={shown} before={before} chosen={set} />
        <ResultCases shown={shown} before={before} set={set} />
      </div>
    </>
  )
}

/** Label of an evaluation: start time, strategy and model. */
function named({ startedAt, strategy, model }: Evaluation, { formats }: Localization): string {
  return [formats.date(Date.parse(startedAt)), strategy, model].filter((one) => one !== undefined).join(' · ')
}

/** Cancels a running evaluation, or deletes a finished one. */
function What({ shown: { evaluationId, status } }: Pick<Props, 'shown'>) {
  const { words } = useWords()
  const [isSure, setSure] = useState(false)
  const path = `/evaluations/${encodeURIComponent(evaluationId)}`
  const cancel = useChange(() => api.post(`${path}/cancel`), '/evaluations')
  const remove = useChange(() => api.delete(path), '/evaluations')
  const error = cancel.error ?? remove.error
  return (
    <>
      {status === 'running' ? (
        <button type="button" className="btn h-9" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          <CircleStop size={16} aria-hidden />
          {words.evaluations.stop}
        </button>
      ) : (
        <button type="button" className="btn btn-danger h-9" disabled={remove.isPending} onClick={() => setSure(true)}>
          {words.evaluations.remove}
        </button>
      )}
      {error === null ? null : <Trouble error={error} isInText />}
      {isSure ? (
        <ConfirmDialog action={words.evaluations.remove} yes={() => remove.mutate()} close={() => setSure(false)}>
          {words.evaluations.sure}
        </ConfirmDialog>
      ) : null}
    </>
  )
}

function Progress({ shown: { status, asked, totals } }: Pick<Props, 'shown'>) {
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

const ENOUGH_CASES = 20

function Tiles({ shown, before }: Pick<Props, 'shown' | 'before'>) {
  const { words, formats } = useWords()
  const [is, was] = [shown.totals, before?.totals]
  const share = (n: number, all: number): string => (all === 0 ? '–' : `${formats.number((100 * n) / all, 1)} %`)
  const verdicts = VERDICTS.filter((one) => one !== 'failed' || is.failed > 0 || (was?.failed ?? 0) > 0)
  const [fast, slow] = [formats.duration(is.fastMs), formats.duration(is.slowMs)]
  // Of a few cases each counts for itself.
  const few = [
    words.evaluations.time,
    is.cases < 2 ? slow : words.evaluations.fromTo({ fast, slow }),
    undefined,
    words.evaluations.counted({ n: is.cases }),
  ] as const
  const many = [
    words.evaluations.median,
    formats.duration(is.medianMs),
    was && formats.duration(was.medianMs),
    words.evaluations.slow({ time: slow }),
  ] as const
  const tiles: readonly (readonly [string, string, string | undefined, string])[] = [
    ...verdicts.map(
      (one) =>
        [
          words.evaluations.verdict[one],
          share(is[one], is.cases),
          was && share(was[one], was.cases),
          words.evaluations.of({ n: formats.number(is[one]), all: formats.number(is.cases) }),
        ] as const,
    ),
    is.cases < ENOUGH_CASES ? few : many,
    [
      words.evaluations.cost,
      formats.money(is.costUsd),
      was && formats.money(was.costUsd),
      words.evaluations.calls({ n: is.calls }),
    ],
  ]
  return (
    <dl className="card mb-4 flex flex-wrap overflow-hidden">
      {tiles.map(([name, figure, then, more]) => (
        <div key={name} className="-mr-px -mb-px min-w-36 flex-1 border-r border-b border-line px-4 py-3">
          <dt className="text-12 text-text-3">{name}</dt>
          <dd>
            <span className="num flex flex-wrap items-baseline gap-x-2 text-20 font-semibold">
              {figure}
              {then === undefined ? null : (
                <span className="text-12 font-normal text-text-2">{words.evaluations.was({ before: then })}</span>
              )}
            </span>
            <span className="num text-12 text-text-2">{more}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The cases, of both evaluations where there are two. */
function ResultCases({ shown, before, set }: Pick<Props, 'shown' | 'before'> & { set: string | undefined }) {
  const id = encodeURIComponent(shown.evaluationId)
  // Refetch a running evaluation for each finished case: the fragment changes the query key and is not sent to the
  // server.
  const at = shown.status === 'running' ? `#${shown.totals.cases}` : ''
  const one = useGet<{ cases: readonly CaseResult[] }>(`/evaluations/${id}${at}`, before === undefined)
  const both = useGet<{ cases: readonly Pair[] }>(
    `/evaluations/compare?${new URLSearchParams({ before: before?.evaluationId ?? '', after: shown.evaluationId })}${at}`,
    before !== undefined,
  )
  const isOf = (pair: Pair): boolean => set === undefined || set === '' || pair.set === set
  if (before !== undefined) {
    return (
      <Fetched query={both}>
        {({ cases }) => <CaseTable key={set} pairs={cases.filter(isOf)} set={set} isCompared />}
      </Fetched>
    )
  }
  return (
    <Fetched query={one}>
      {({ cases }) => (
        <CaseTable
          key={set}
          pairs={cases.map((after): Pair => ({ set: after.set, id: after.id, after })).filter(isOf)}
          set={set}
          isCompared={false}
        />
      )}
    </Fetched>
  )
}
