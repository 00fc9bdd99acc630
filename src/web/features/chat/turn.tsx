import { Check, ChevronRight, Copy, Info, ListTree, RefreshCw } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { RunView } from '../../run/run-log.ts'
import { sourcesOf } from '../../run/sources.ts'
import { stepsOf, type Step } from '../../run/steps.ts'
import { AgentMark } from '../../ui/agent-mark.tsx'
import { Loading, Trouble } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useWords } from '../../words/words.tsx'
import { ApprovalCard } from '../approvals/approval-card.tsx'
import { SourceChip } from '../run/sources.tsx'
import { useNow } from '../../ui/use-now.ts'
import { TraceStep } from '../run/trace.tsx'
import { Judge } from './judge.tsx'
import { Markdown } from './markdown.tsx'

const ResultTable = lazy(() => import('./result-table.tsx'))

interface TurnProps {
  readonly question: string
  readonly view: RunView | undefined
  readonly trouble: Error | undefined
  /** The mark that is open beside the answer. */
  readonly openSource: number | undefined
  readonly showSource: (n: number) => void
  readonly askAgain: () => void
}

/** A question and what became of it: the work, the answer, what it rests on. */
export function Turn({ question, view, trouble, openSource, showSource, askAgain }: TurnProps) {
  const steps = useMemo(() => (view === undefined ? [] : stepsOf(view)), [view])
  return (
    <article className="flex flex-col gap-4" aria-label={question}>
      <p className="ml-auto max-w-[85%] rounded-2xl rounded-br-md bg-surface-3 px-4 py-2.5 text-15 whitespace-pre-wrap wrap-anywhere">
        {question}
      </p>
      {trouble === undefined ? null : <Trouble error={trouble} />}
      {view === undefined ? (
        trouble === undefined ? (
          <Loading />
        ) : null
      ) : (
        <>
          <Work steps={steps} view={view} />
          {[...view.state.openApprovals.values()].map((open) => (
            <ApprovalCard key={open.approvalId} approvalId={open.approvalId} asked={view.asked.get(open.approvalId)} />
          ))}
          <Answer view={view} openSource={openSource} showSource={showSource} askAgain={askAgain} />
          {view.isOver ? <Judge runId={view.state.runId} /> : null}
        </>
      )}
    </article>
  )
}

/** One line of what is being done, which opens into the steps. */
function Work({ steps, view }: { steps: readonly Step[]; view: RunView }) {
  const { words, formats } = useWords()
  const [isOpen, setOpen] = useState(false)
  const now = useNow(!view.isOver)
  const current = steps.filter(({ isReplaced }) => !isReplaced)
  const done = current.filter(({ state }) => state === 'done').length
  const agents = [...new Set(current.filter(({ job }) => job?.task !== undefined).map(({ actor }) => actor))]
  const { startedAt, endedAt } = view.state
  const took = (endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt)
  return (
    <section className="card overflow-hidden">
      <button
        type="button"
        className="flex min-h-10 w-full items-center gap-2 px-3 py-1.5 text-13 hover:bg-surface-2"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`text-text-3 transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <b className="font-semibold whitespace-nowrap">
          {words.step.count(view.isOver ? current.length : done, current.length)}
        </b>
        <span className="whitespace-nowrap text-text-2">· {formats.duration(Math.max(0, took))}</span>
        <span className="hidden items-center gap-1 sm:flex">
          {agents.slice(0, 5).map((agent) => (
            <AgentMark key={agent} actor={agent} />
          ))}
        </span>
        <span className="segs ml-auto hidden sm:flex" aria-hidden>
          {current.slice(0, 12).map(({ id, state }) => (
            <i key={id} data-state={state} />
          ))}
        </span>
        <span className="ml-auto sm:ml-2">
          <StatusBadge status={view.status} answered={view.answered} />
        </span>
      </button>
      {isOpen ? (
        <ol className="border-t border-line">
          {steps.map((step) => (
            <TraceStep key={step.id} step={step} view={view} />
          ))}
        </ol>
      ) : null}
    </section>
  )
}

type AnswerProps = Pick<TurnProps, 'openSource' | 'showSource' | 'askAgain'> & { readonly view: RunView }

function Answer({ view, openSource, showSource, askAgain }: AnswerProps) {
  const { words } = useWords()
  const { answer, error } = view.state
  const sources = useMemo(() => sourcesOf(view), [view])
  const mark = useCallback(
    (n: number) => {
      const citation = sources.find((one) => one.n === n)
      if (citation === undefined) return undefined
      return (
        <button
          type="button"
          className="cite"
          aria-pressed={openSource === n}
          aria-label={`${words.answer.sources} ${n}: ${citation.source.name}`}
          title={citation.source.excerpt ?? citation.source.name}
          onClick={() => showSource(n)}
        >
          {n}
        </button>
      )
    },
    [sources, openSource, showSource, words],
  )
  const sql = sources.find(({ source }) => source.kind === 'database')?.source.detail
  return (
    <>
      {view.text === '' ? null : (
        <div aria-live={view.isOver ? 'off' : 'polite'} aria-busy={!view.isOver}>
          <Markdown text={view.text} mark={mark} />
        </div>
      )}
      {error === undefined ? null : <Trouble error={new Error(error.message)} />}
      {answer?.data === undefined ? null : (
        <Suspense>
          <ResultTable table={answer.data} {...(sql === undefined ? {} : { sql })} />
        </Suspense>
      )}
      {view.state.exhausted === undefined ? null : <p className="banner tone-warn">{view.state.exhausted.message}</p>}
      {answer?.reason === undefined ? null : (
        <p className="flex items-start gap-2 text-13 text-text-2">
          <Info size={16} aria-hidden className="mt-0.5 flex-none" />
          {words.answer.byRules(answer.reason)}
        </p>
      )}
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
      {view.isOver ? <Actions view={view} askAgain={askAgain} /> : null}
    </>
  )
}

function Actions({ view, askAgain }: { view: RunView; askAgain: () => void }) {
  const { words } = useWords()
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
    // Where the page may not write to it, the text can still be marked by hand.
    navigator.clipboard.writeText(view.text).catch(() => setCopied(false))
  }
  return (
    <div className="flex items-center gap-1">
      <button type="button" className="btn btn-ghost btn-sm" onClick={copy}>
        {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        {isCopied ? words.answer.copied : words.answer.copy}
      </button>
      <button type="button" className="btn btn-ghost btn-sm" onClick={askAgain}>
        <RefreshCw size={16} aria-hidden />
        {words.answer.again}
      </button>
      <Link className="btn btn-ghost btn-sm" to="/runs/$runId" params={{ runId: view.state.runId }}>
        <ListTree size={16} aria-hidden />
        {words.answer.openRun}
      </Link>
    </div>
  )
}
