import { ArrowDown, ArrowUp, Play, Plus, Trash2, Undo2, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import {
  added,
  connected,
  disconnected,
  moved,
  possibleBefore,
  removed,
  reworded,
  type Draft,
} from '../../run/plan-edit.ts'
import type { RunView } from '../../run/run-log.ts'
import { stepsOfPlan } from '../../run/steps.ts'
import { AgentMark } from '../../ui/agent-mark.tsx'
import { SendKeys } from '../../ui/send-keys.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'
import { ErrorText } from '../../ui/states.tsx'
import { useWords } from '../../words/words.tsx'
import { Countdown } from '../approvals/countdown.tsx'
import { NotReady, useAgentLabel } from '../agents/not-ready.tsx'
import { useAgents } from '../chat/use-about.ts'
import { PlanGraph } from './plan-graph.tsx'

interface PlanEditorProps {
  readonly view: RunView
  /** What a task without words of its own is about. */
  readonly question: string
  /** What was made of the plan before; without it, the plan as it stands. */
  readonly begun?: Draft | undefined
  /** Until when it can be worked on. */
  readonly until?: number | undefined
  /** What is done with it, in words, and whether that makes sense with the plan as it stands. */
  readonly label: string
  readonly mayStand: boolean
  readonly isPending?: boolean
  readonly error?: Error | null
  /** Given the tasks where they are others than those that stand. */
  readonly send: (changed: Draft | undefined) => void
  /** Told of each change while this is open; of null where nothing is changed. */
  readonly share?: (changed: Draft | null) => void
  readonly close: () => void
}

/** The plan of a run as a graph and as a list, both of which can be worked on; it holds when it is sent, or the server says why not. */
export function PlanEditor(props: PlanEditorProps) {
  const { view, question, begun, until, label, mayStand, isPending = false, error = null, share, close } = props
  const { words } = useWords()
  const stands = view.state.plan!.plan.tasks
  const { draft, edit, undo } = useDraft(stands, begun)
  const [selected, select] = useState<string | undefined>()
  const [told, tell] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const steps = useMemo(() => stepsOfPlan(draft, view), [draft, view])
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stands)
  const send = (): void => props.send(isChanged ? draft : undefined)
  const shared = isChanged ? draft : null
  useEffect(() => share?.(shared), [share, shared])
  const connect = (from: string, to: string): void => {
    const after = connected(draft, from, to)
    tell(after === draft ? words.planEdit.circle : '')
    edit(after)
  }
  const remove = (id: string): void => {
    edit(removed(draft, id))
    tell(words.planEdit.removed)
    list.current?.focus()
  }
  const problem = draft.some(({ text }) => text?.trim() === '')
    ? words.planEdit.noWords
    : draft.length === 0
      ? words.planEdit.noTask
      : undefined
  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={(event) => {
        const isField = /^(?:TEXTAREA|INPUT|SELECT)$/.test((event.target as HTMLElement).tagName)
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && problem === undefined) send()
        if (isField) return
        if (event.key.toLowerCase() === 'z' && (event.metaKey || event.ctrlKey)) undo?.()
        if ((event.key === 'Delete' || event.key === 'Backspace') && selected !== undefined) remove(selected)
      }}
    >
      <div className="hidden h-64 flex-none border-b border-line md:flex md:flex-col">
        <PlanGraph steps={steps} select={select} connect={connect} {...(selected === undefined ? {} : { selected })} />
      </div>
      <div className="flex flex-none items-center gap-1 border-b border-line px-3 py-1.5">
        <span className="text-12 text-text-2" role="status">
          {told === '' ? <span className="hidden md:inline">{words.planEdit.hint}</span> : told}
        </span>
        <span className="ml-auto text-12 text-text-2" title={words.planEdit.left}>
          {until === undefined ? null : <Countdown until={until} />}
        </span>
        <button type="button" className="btn btn-ghost btn-sm" disabled={undo === undefined} onClick={() => undo?.()}>
          <Undo2 size={16} aria-hidden />
          {words.planEdit.undo}
        </button>
      </div>
      <ol ref={list} className="min-h-0 flex-1 overflow-y-auto p-3" aria-label={words.planEdit.tasks} tabIndex={-1}>
        {draft.map((task, at) => (
          <li
            key={task.id}
            className={`card mb-2 flex flex-col gap-2 p-3 ${task.id === selected ? 'border-accent!' : ''}`}
            onFocus={() => select(task.id)}
          >
            <TaskRow
              tasks={draft}
              at={at}
              state={<StateIcon state={steps[at]!.state} />}
              question={question}
              edit={edit}
              connect={connect}
              remove={() => remove(task.id)}
            />
          </li>
        ))}
        <li>
          <AddTask add={(agent) => edit(added(draft, agent))} />
        </li>
      </ol>
      <footer className="flex flex-none flex-col gap-2 border-t border-line bg-surface px-4 py-3">
        {error === null ? null : (
          <p className="banner tone-bad" role="alert">
            <ErrorText error={error} />
          </p>
        )}
        {problem === undefined ? null : <p className="text-12 text-warn">{problem}</p>}
        <div className="flex items-center gap-2">
          <button type="button" className="btn btn-ghost" onClick={close}>
            {words.planEdit.leave}
          </button>
          <button
            type="button"
            className="btn btn-primary ml-auto"
            disabled={isPending || problem !== undefined || (!mayStand && !isChanged)}
            onClick={send}
          >
            <Play size={16} aria-hidden />
            {label}
            <SendKeys />
          </button>
        </div>
      </footer>
    </div>
  )
}

/** What a person made of the plan so far. As long as they made nothing of it, it is the plan as it stands. */
function useDraft(stands: Draft, begun?: Draft) {
  const [history, setHistory] = useState<readonly Draft[]>(begun === undefined ? [stands] : [stands, begun])
  const draft = history.at(-1)!
  useEffect(() => setHistory((all) => (all.length === 1 ? [stands] : all)), [stands])
  const edit = (after: Draft): void => {
    if (after !== draft) setHistory([...history, after])
  }
  return { draft, edit, undo: history.length === 1 ? undefined : () => setHistory(history.slice(0, -1)) }
}

interface TaskRowProps {
  readonly tasks: Draft
  readonly at: number
  readonly state: React.ReactNode
  /** What a task without words of its own is about. */
  readonly question: string
  readonly edit: (tasks: Draft) => void
  readonly connect: (from: string, to: string) => void
  readonly remove: () => void
}

function TaskRow({ tasks, at, state, question, edit, connect, remove }: TaskRowProps) {
  const { words } = useWords()
  const { id, agent, text, dependsOn } = tasks[at]!
  const numberOf = (one: string): number => tasks.findIndex((task) => task.id === one) + 1
  const before = possibleBefore(tasks, id)
  const lack = useAgents().find(({ name }) => name === agent)?.unavailable
  return (
    <>
      <div className="flex items-center gap-1.5">
        <span className="mono w-5 text-text-3">{at + 1}</span>
        <AgentMark actor={agent} />
        <AgentChoice
          label={`${words.planEdit.agent} ${at + 1}`}
          value={agent}
          choose={(to) => edit(reworded(tasks, id, { agent: to }))}
        />
        <span className="ml-auto">{state}</span>
        <Small
          icon={ArrowUp}
          label={`${words.planEdit.up}: ${at + 1}`}
          press={() => edit(moved(tasks, id, -1))}
          isOff={at === 0}
        />
        <Small
          icon={ArrowDown}
          label={`${words.planEdit.down}: ${at + 1}`}
          press={() => edit(moved(tasks, id, 1))}
          isOff={at === tasks.length - 1}
        />
        <Small icon={Trash2} label={`${words.planEdit.remove}: ${at + 1}`} press={remove} />
      </div>
      <textarea
        className="input field-sizing-content min-h-9!"
        rows={1}
        aria-label={`${words.planEdit.words} ${at + 1}`}
        value={text ?? question}
        onChange={(event) => edit(reworded(tasks, id, { text: event.target.value }))}
      />
      {lack === undefined ? null : <NotReady agent={agent} why={lack} />}
      <div className="flex flex-wrap items-center gap-1.5 text-12 text-text-2">
        {dependsOn.length === 0 ? words.planEdit.atOnce : words.planEdit.after}
        {dependsOn.map((one) => (
          <span key={one} className="chip pr-1">
            {words.planEdit.task(numberOf(one))}
            <Small
              icon={X}
              label={`${words.planEdit.notAfter}: ${numberOf(one)}`}
              press={() => edit(disconnected(tasks, one, id))}
            />
          </span>
        ))}
        {before.length === 0 ? null : (
          <select
            className="chip border-dashed"
            aria-label={`${words.planEdit.addAfter}: ${at + 1}`}
            value=""
            onChange={(event) => connect(event.target.value, id)}
          >
            <option value="">+ {words.planEdit.addAfter}</option>
            {before.map((one) => (
              <option key={one.id} value={one.id}>
                {words.planEdit.task(numberOf(one.id))}
              </option>
            ))}
          </select>
        )}
      </div>
    </>
  )
}

interface AgentChoiceProps {
  readonly label: string
  readonly value: string
  readonly choose: (agent: string) => void
}

function AgentChoice({ label, value, choose }: AgentChoiceProps) {
  const labelOf = useAgentLabel()
  const names = new Set([...(value === '' ? [] : [value]), ...useAgents().map(({ name }) => name)])
  return (
    <select
      className="chip max-w-44"
      aria-label={label}
      value={value}
      onChange={(event) => {
        if (event.target.value !== '') choose(event.target.value)
      }}
    >
      {value === '' ? <option value="">+ {label}</option> : null}
      {[...names].map((name) => (
        <option key={name} value={name}>
          {labelOf(name)}
        </option>
      ))}
    </select>
  )
}

function AddTask({ add }: { add: (agent: string) => void }) {
  const { words } = useWords()
  return (
    <span className="flex items-center gap-2 text-text-2">
      <AgentChoice label={words.planEdit.add} value="" choose={add} />
    </span>
  )
}

interface SmallProps {
  readonly icon: typeof Plus
  readonly label: string
  readonly press: () => void
  readonly isOff?: boolean
}

function Small({ icon: Icon, label, press, isOff = false }: SmallProps) {
  return (
    <button
      type="button"
      className="btn btn-ghost btn-icon size-7!"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={press}
    >
      <Icon size={14} aria-hidden />
    </button>
  )
}
