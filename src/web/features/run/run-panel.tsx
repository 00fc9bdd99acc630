import { ChevronUp, GitFork, ListTree, BookOpen, Pencil, X } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useMayChange } from '../../app/session.ts'
import type { Draft } from '../../run/plan-edit.ts'
import type { RunView } from '../../run/run-log.ts'
import { citedSources } from '../../run/sources.ts'
import { confirmationIn, type Step } from '../../run/steps.ts'
import { useWords } from '../../locales/words.tsx'
import { PlanEditor } from './plan-editor.tsx'
import { PlanEstimate } from './plan-estimate.tsx'
import { PlanAndTimes } from './plan-and-times.tsx'
import { Sources } from './sources.tsx'
import { draftKey, useStart } from './start-plan.ts'
import { Trace } from './trace.tsx'
import { Button, IconButton } from '../../ui/button.tsx'

export type PanelTab = 'plan' | 'trace' | 'sources'

/** Side panel of an answer. `source` and `step` are the last ones selected. */
export interface PanelState {
  readonly tab: PanelTab
  readonly source?: number
  readonly step?: string
}

interface RunPanelProps {
  readonly view: RunView
  readonly steps: readonly Step[]
  readonly state: PanelState
  readonly change: (state: PanelState) => void
  readonly close: () => void
  /** Where it is a sheet of half the height, which may be made a whole one. */
  readonly grow?: (() => void) | undefined
}

/** Plan, trace and sources of one run. */
export function RunPanel({ view, steps, state, change, close, grow }: RunPanelProps) {
  const { words, formats } = useWords()
  const { usage } = view.state
  const tokens = usage.inputTokens + usage.outputTokens
  const sources = citedSources(view).length
  const tabs = [
    ['plan', GitFork, words.panel.plan, undefined],
    ['trace', ListTree, words.panel.trace, undefined],
    ['sources', BookOpen, words.panel.sources, sources],
  ] as const
  const selected = state.step === undefined ? {} : { selected: state.step }
  const select = (step: string): void => change({ ...state, step })
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex h-12 flex-none items-center gap-1 border-b border-line bg-surface px-2">
        {tabs.map(([tab, Icon, label, count]) => (
          <button
            key={tab}
            type="button"
            className="tab"
            aria-pressed={state.tab === tab}
            onClick={() => change({ ...state, tab })}
          >
            <Icon size={16} aria-hidden />
            {label}
            {count === undefined ? null : <span className="mono text-11 text-text-3">{count}</span>}
          </button>
        ))}
        <span className="ml-auto" />
        {grow === undefined ? null : <IconButton icon={ChevronUp} label={words.panel.whole} onClick={grow} />}
        <IconButton icon={X} label={words.app.close} onClick={close} />
      </header>
      {state.tab === 'plan' ? (
        <Plan view={view} leave={close}>
          <PlanAndTimes steps={steps} view={view} select={select} {...selected} />
          <dl className="grid flex-none grid-cols-3 gap-3 border-t border-line bg-surface px-4 py-3">
            <Figure label={words.panel.modelCalls} value={formats.number(usage.calls)} />
            <Figure label={words.panel.tokens} value={formats.number(tokens)} />
            <Figure label={words.panel.cost} value={formats.money(usage.costUsd)} />
          </dl>
        </Plan>
      ) : null}
      {state.tab === 'trace' ? <Trace steps={steps} view={view} {...selected} /> : null}
      {state.tab === 'sources' ? (
        <Sources view={view} open={state.source} select={(source) => change({ ...state, source })} />
      ) : null}
    </div>
  )
}

interface PlanProps extends Pick<RunPanelProps, 'view'> {
  readonly leave: () => void
  readonly children: ReactNode
}

/** The plan; its editor while it waits for approval or the user wants to change it. */
function Plan({ view, leave, children }: PlanProps) {
  const { words } = useWords()
  const mayChange = useMayChange()
  const isAsked = confirmationIn(view) !== undefined
  const [isOpen, setOpen] = useState(isAsked)
  useEffect(() => {
    if (isAsked) setOpen(true)
  }, [isAsked])
  const canChange = mayChange && !view.isOver && view.state.plan !== undefined
  const done = (): void => {
    setOpen(false)
    // If it covers the conversation, the user wants to see that next.
    if (matchMedia('(width < 64rem)').matches) leave()
  }
  if (isOpen && canChange) return <PlanOfRun view={view} close={done} />
  return (
    <>
      {canChange ? (
        <p className="flex flex-none justify-end border-b border-line bg-surface px-4 py-1.5">
          <Button label={words.planEdit.change} icon={Pencil} className="btn-sm" onClick={() => setOpen(true)} />
        </p>
      ) : null}
      {children}
    </>
  )
}

/** The plan of a run that waits for approval or is active. Changes to it apply to the run. */
function PlanOfRun({ view, close }: { view: RunView; close: () => void }) {
  const { words } = useWords()
  const confirmation = confirmationIn(view)
  const start = useStart(view, close)
  const { runId, request } = view.state
  return (
    <PlanEditor
      view={view}
      question={request.question}
      until={confirmation === undefined ? undefined : view.asked.get(confirmation)?.expiresAt}
      label={confirmation === undefined ? words.planEdit.apply : words.planEdit.start}
      allowUnchanged={confirmation !== undefined}
      isPending={start.isPending}
      error={start.error}
      send={(changed) => start.mutate(changed)}
      share={useShared(runId)}
      close={close}
      footer={(draft) => <PlanEstimate tasks={draft} view={view} />}
    />
  )
}

/**
 * Shares the draft with the plan card in the conversation while the editor is open, so that the card shows and starts
 * it.
 */
function useShared(runId: string): (draft: Draft | null) => void {
  const client = useQueryClient()
  const share = useCallback((draft: Draft | null) => void client.setQueryData(draftKey(runId), draft), [client, runId])
  useEffect(() => () => share(null), [share])
  return share
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-12 text-text-2">{label}</dt>
      <dd className="num text-14 font-semibold">{value}</dd>
    </div>
  )
}
