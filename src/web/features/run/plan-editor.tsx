import { Play, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { isCircular, moveTask, addTask, connectTasks, removeTask, type Draft } from '../../run/plan-edit.ts'
import type { RunView } from '../../run/run-log.ts'
import { stepsOfPlan } from '../../run/steps.ts'
import { Segments } from '../../ui/segments.tsx'
import { SendKeys } from '../../ui/send-keys.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Countdown } from '../approvals/countdown.tsx'
import { PlanGraph } from './plan-graph.tsx'
import { AddTask, TaskRow } from './plan-task.tsx'
import { Button } from '../../ui/button.tsx'

interface PlanEditorProps {
  readonly view: RunView
  /** Text of a task that has none of its own. */
  readonly question: string
  /** The edited plan so far; if absent, the plan of the run. */
  readonly initial?: Draft | undefined
  /** When editing ends. */
  readonly until?: number | undefined
  /** Label of the submit button, and whether it can be pressed without changes. */
  readonly label: string
  readonly allowUnchanged: boolean
  readonly isPending?: boolean
  readonly error?: Error | null
  /** Called with the changed tasks, or undefined if nothing changed. */
  readonly send: (changed: Draft | undefined) => void
  /** Called on each change while the editor is open; with null if nothing is changed. */
  readonly share?: (changed: Draft | null) => void
  readonly close: () => void
  /** Content for the current draft. */
  readonly footer?: (draft: Draft) => ReactNode
}

/**
 * The plan of a run as an editable graph and list. It takes effect when it is sent; the server returns an error if it
 * is invalid.
 */
export function PlanEditor(props: PlanEditorProps) {
  const {
    view,
    question,
    initial,
    until,
    label,
    allowUnchanged,
    isPending = false,
    error,
    share,
    close,
    footer,
  } = props
  const { words } = useWords()
  const storedTasks = view.state.plan!.plan.tasks
  const { draft, edit, undo } = useDraft(storedTasks, initial)
  const [selected, select] = useState<string | undefined>()
  const [status, setStatus] = useState<{ readonly text: string; readonly isBad?: true } | undefined>()
  const [fresh, setFresh] = useState<string | undefined>()
  const [isGraph, setGraph] = useState(false)
  const [dragged, drag] = useState<string | undefined>()
  const list = useRef<HTMLOListElement>(null)
  const steps = useMemo(() => stepsOfPlan(draft, view), [draft, view])
  const isChanged = JSON.stringify(draft) !== JSON.stringify(storedTasks)
  const send = (): void => props.send(isChanged ? draft : undefined)
  const shared = isChanged ? draft : null
  useEffect(() => share?.(shared), [share, shared])
  const refusal = (from: string, to: string): string | undefined =>
    isCircular(draft, from, to) ? words.planEdit.circle : undefined
  const connect = (from: string, to: string): void => {
    const text = refusal(from, to)
    setStatus(text === undefined ? undefined : { text, isBad: true })
    edit(connectTasks(draft, from, to))
  }
  const remove = (id: string): void => {
    edit(removeTask(draft, id))
    select(undefined)
    setStatus({ text: words.planEdit.removed })
    list.current?.focus()
  }
  const undoEdit = (): void => {
    undo?.()
    setStatus(undefined)
  }
  const add = (agent: string): void => {
    const after = addTask(draft, agent)
    edit(after)
    setFresh(after.at(-1)!.id)
  }
  const emptyTask = draft.findIndex(({ text }) => text?.trim() === '')
  const problemOf = (): string | undefined => {
    if (emptyTask >= 0) return words.planEdit.noWords({ n: emptyTask + 1 })
    return draft.length === 0 ? words.planEdit.noTask : undefined
  }
  const problem = problemOf()
  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={(event) => {
        const isField = /^(?:TEXTAREA|INPUT|SELECT)$/.test((event.target as HTMLElement).tagName)
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && problem === undefined) send()
        if (isField) return
        if (event.key.toLowerCase() === 'z' && (event.metaKey || event.ctrlKey)) undoEdit()
        if ((event.key === 'Delete' || event.key === 'Backspace') && selected !== undefined) remove(selected)
      }}
    >
      <div
        className={`flex-col border-b border-line md:flex md:h-64 md:flex-none ${isGraph ? 'flex min-h-0 flex-1' : 'hidden'}`}
      >
        <PlanGraph
          steps={steps}
          select={select}
          connect={connect}
          refusal={refusal}
          {...(selected === undefined ? {} : { selected })}
        />
      </div>
      <div className="flex flex-none flex-wrap items-center max-md:order-first gap-x-3 gap-y-1 border-b border-line px-3 py-1.5">
        <Segments
          className="md:hidden"
          value={isGraph ? 'graph' : 'list'}
          options={[
            ['list', words.planEdit.asList],
            ['graph', words.planEdit.asGraph],
          ]}
          change={(view) => setGraph(view === 'graph')}
        />
        <span
          className={`min-w-0 text-12 ${status?.isBad === true ? 'font-medium text-bad' : 'text-text-2'} ${status === undefined ? 'max-md:hidden' : 'max-md:order-last max-md:basis-full'}`}
          role="status"
        >
          {status?.text ?? words.planEdit.hint}
        </span>
        {until === undefined ? null : (
          <span className="ml-auto flex-none text-12 text-text-2">
            <span className="md:sr-only">{words.planEdit.left}</span> <Countdown until={until} />
          </span>
        )}
        <Button
          icon={Undo2}
          label={words.planEdit.undo}
          className={`btn-ghost btn-sm ${until === undefined ? 'ml-auto' : ''}`}
          disabled={undo === undefined}
          onClick={undoEdit}
        />
      </div>
      <ol
        ref={list}
        className={`min-h-0 flex-1 overflow-y-auto p-3 ${isGraph ? 'max-md:hidden' : ''}`}
        aria-label={words.planEdit.tasks}
        tabIndex={-1}
      >
        {draft.map((task, at) => (
          <li
            key={task.id}
            className={`card mb-2 flex flex-col gap-2 p-3 ${task.id === selected ? 'border-accent!' : ''}`}
            onFocus={() => select(task.id)}
            onDragOver={(event) => {
              if (dragged !== undefined) event.preventDefault()
            }}
            onDrop={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              edit(moveTask(draft, dragged, at - draft.findIndex(({ id }) => id === dragged)))
            }}
          >
            <TaskRow
              tasks={draft}
              at={at}
              state={steps[at]!.state === 'todo' ? null : <StateIcon state={steps[at]!.state} />}
              isNew={task.id === fresh}
              question={question}
              edit={edit}
              connect={connect}
              remove={() => remove(task.id)}
              drag={drag}
            />
          </li>
        ))}
        <li>
          <AddTask add={add} />
        </li>
      </ol>
      <footer className="flex flex-none flex-col gap-2 border-t border-line bg-surface px-4 py-3">
        <ErrorBanner error={error} isInText />
        {problem === undefined ? footer?.(draft) : <p className="text-12 text-warn">{problem}</p>}
        <div className="flex items-center gap-2">
          <Button label={words.planEdit.leave} className="btn-ghost" onClick={close} />
          <Button
            icon={Play}
            label={label}
            className="btn-primary ml-auto"
            disabled={isPending || problem !== undefined || (!allowUnchanged && !isChanged)}
            onClick={send}
          >
            <SendKeys />
          </Button>
        </div>
      </footer>
    </div>
  )
}

/** The user's draft with undo. Without changes it is the plan of the run. */
function useDraft(stands: Draft, initial?: Draft) {
  const [history, setHistory] = useState<readonly Draft[]>(initial === undefined ? [stands] : [stands, initial])
  const draft = history.at(-1)!
  useEffect(() => setHistory((all) => (all.length === 1 ? [stands] : all)), [stands])
  const edit = (after: Draft): void => {
    if (after !== draft) setHistory([...history, after])
  }
  return { draft, edit, undo: history.length === 1 ? undefined : () => setHistory(history.slice(0, -1)) }
}
