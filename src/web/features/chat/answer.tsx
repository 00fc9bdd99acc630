import { Info } from 'lucide-react'
import { useCallback, useContext, useMemo } from 'react'
import { chartsIn, filesIn, formatOf } from '../../../client/run.ts'
import type { RunView } from '../../run/run-log.ts'
import { citedSources } from '../../run/sources.ts'
import { apiError, Loading, RunError, ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { SourceChip } from '../run/sources.tsx'
import { Actions, type Again } from './actions.tsx'
import { Cite } from './cite.tsx'
import { Facts, Clause } from './facts.tsx'
import { Feedback } from './feedback.tsx'
import { Files } from './files.tsx'
import { Words } from './markdown.tsx'
import { OfferContext } from './offered-question.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { withUnsupportedFigures } from './unsupported-figures.tsx'

const ResultTable = lazyComponent(() => import('./result-table.tsx'), <Loading />)
const ChartCard = lazyComponent(() => import('./chart-card.tsx'), <Loading />)

/** Of a team that was built: for other readers of the answer. Here its page draws it. */
const DIAGRAM = /\s*```mermaid\n[^]*?\n```/g
/** The beginning of an incomplete citation mark. */
const HALF_A_MARK = /\[\d{0,3}$/

export interface AnswerProps {
  readonly view: RunView
  /** The citation open in the side panel. */
  readonly openSource: number | undefined
  readonly showSource: (n: number) => void
  /** Absent as long as it cannot be asked again. */
  readonly again: ((how: Again) => void) | undefined
}

function displayedText({ text, state }: RunView, isWritten: boolean): string {
  const figures = state.answer?.text === text ? (state.answer.checks?.figures ?? []) : []
  const complete = isWritten ? withUnsupportedFigures(text, figures) : text.replace(HALF_A_MARK, '')
  return [...state.jobs.values()].some(({ actor }) => actor === 'architect') ? complete.replace(DIAGRAM, '') : complete
}

/** The answer with its sources, cost and actions. */
export function Answer({ view, openSource, showSource, again }: AnswerProps) {
  const { words } = useWords()
  const { answer, error } = view.state
  const sources = useMemo(() => citedSources(view), [view])
  const isWritten = view.isOver || answer !== undefined
  const charts = useMemo(() => (isWritten ? chartsIn(view.state) : []), [isWritten, view])
  const files = useMemo(() => (isWritten ? filesIn(view.state) : []), [isWritten, view])
  const mark = useCallback(
    (n: number) => {
      const citation = sources.find((one) => one.n === n)
      // Citations can be resolved once the answer is complete.
      if (citation === undefined) return isWritten ? undefined : <span className="cite">{n}</span>
      return <Cite shown={{ ...citation, n }} isOpen={openSource === n} press={() => showSource(n)} />
    },
    [sources, openSource, showSource, isWritten],
  )
  const offer = useContext(OfferContext)
  // Of a question that was not answered, the notices say why.
  const fallbackReason = answer?.by === 'fallback' && answer.isAnswered !== false ? answer.reason : undefined
  const reasoning = answer?.reasoningTrace ?? ''
  const queried = sources.find(({ source }) => source.kind === 'database')?.source
  return (
    <>
      {view.text === '' ? null : (
        <div aria-live={view.isOver ? 'off' : 'polite'} aria-busy={!view.isOver}>
          <OfferContext value={answer?.by === 'model' ? undefined : offer}>
            <Words text={displayedText(view, isWritten)} mark={mark} format={formatOf(view.state)} />
          </OfferContext>
        </div>
      )}
      {error === undefined ? null : <ErrorBanner error={apiError(error)} isInText />}
      {charts.map((chart) => (
        <ChartCard key={chart.title} chart={chart} />
      ))}
      <Files runId={view.state.runId} files={files} />
      {answer?.data === undefined ? null : (
        <ResultTable
          table={answer.data}
          sql={queried?.detail}
          database={queried?.name}
          {...(charts.length === 0 ? {} : { first: 'table' as const })}
        />
      )}
      {reasoning === '' || reasoning === answer?.text ? null : (
        <details>
          <summary className="cursor-pointer text-12 text-accent-text">{words.answer.reasoning}</summary>
          <div className="mt-2 text-13 text-text-2">
            <Words text={reasoning} mark={mark} format={formatOf(view.state)} />
          </div>
        </details>
      )}
      {view.state.exhausted === undefined ? null : (
        <div className="banner tone-warn">
          <div>
            <RunError error={{ type: 'BudgetExceeded', message: view.state.exhausted.message }} />
          </div>
        </div>
      )}
      {fallbackReason === undefined ? null : (
        <p className="flex items-start gap-2 text-13 text-text-2">
          <Info size={16} aria-hidden className="mt-0.5 flex-none" />
          <span>
            {words.answer.notByModel} <Clause sentence={fallbackReason} />
          </span>
        </p>
      )}
      {view.isOver ? <Facts view={view} /> : null}
      {sources.length === 0 ? null : (
        <div className="flex flex-wrap gap-2">
          {sources.map((source) => (
            <SourceChip
              key={source.id}
              shown={source}
              isOn={source.id === openSource}
              press={() => showSource(source.id)}
            />
          ))}
        </div>
      )}
      {view.isOver ? (
        <div className="no-print -ml-2 flex flex-wrap items-center gap-1">
          <Actions view={view} again={again} />
          {answer === undefined ? null : <Feedback runId={view.state.runId} />}
        </div>
      ) : null}
    </>
  )
}
