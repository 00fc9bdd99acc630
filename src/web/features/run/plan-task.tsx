import { ArrowDown, ArrowUp, GripVertical, Trash2, X } from 'lucide-react'
import { disconnectTasks, moveTask, possibleDependencies, changeTask, type Draft } from '../../run/plan-edit.ts'
import { AgentMark } from '../../ui/agent-mark.tsx'
import { useWords } from '../../locales/words.tsx'
import { NotReady, useAgentLabel } from '../agents/not-ready.tsx'
import { useAgents } from '../chat/use-agents.ts'
import { IconButton } from '../../ui/button.tsx'

const SMALL = { className: 'size-7!', size: 14 } as const

interface TaskRowProps {
  readonly tasks: Draft
  readonly at: number
  readonly state: React.ReactNode
  /** Focus its text, which is typed next. */
  readonly isNew: boolean
  /** Text of a task that has none of its own. */
  readonly question: string
  readonly edit: (tasks: Draft) => void
  readonly connect: (from: string, to: string) => void
  readonly remove: () => void
  /** Called with its ID when it is dragged to another place, and with undefined at the end. */
  readonly drag: (id: string | undefined) => void
}

export function TaskRow({ tasks, at, state, isNew, question, edit, connect, remove, drag }: TaskRowProps) {
  const { words } = useWords()
  const { id, agent, text, dependsOn } = tasks[at]!
  const numberOf = (one: string): number => tasks.findIndex((task) => task.id === one) + 1
  const before = possibleDependencies(tasks, id)
  const lack = useAgents().find(({ name }) => name === agent)?.unavailable
  return (
    <>
      <div className="flex items-center gap-1.5">
        {/* The arrows do the same without a pointer. */}
        <span
          className="cursor-grab text-text-3 pointer-coarse:hidden"
          draggable
          aria-hidden
          onDragStart={() => drag(id)}
          onDragEnd={() => drag(undefined)}
        >
          <GripVertical size={14} />
        </span>
        <span className="mono w-5 text-text-3">{at + 1}</span>
        <AgentMark actor={agent} />
        <AgentChoice
          label={`${words.planEdit.agent} ${at + 1}`}
          value={agent}
          choose={(to) => edit(changeTask(tasks, id, { agent: to }))}
        />
        <span className="ml-auto">{state}</span>
        <IconButton
          {...SMALL}
          icon={ArrowUp}
          label={`${words.planEdit.up}: ${at + 1}`}
          onClick={() => edit(moveTask(tasks, id, -1))}
          disabled={at === 0}
        />
        <IconButton
          {...SMALL}
          icon={ArrowDown}
          label={`${words.planEdit.down}: ${at + 1}`}
          onClick={() => edit(moveTask(tasks, id, 1))}
          disabled={at === tasks.length - 1}
        />
        <IconButton {...SMALL} icon={Trash2} label={`${words.planEdit.remove}: ${at + 1}`} onClick={remove} />
      </div>
      <textarea
        className="input field-sizing-content min-h-9!"
        rows={1}
        autoFocus={isNew}
        aria-label={`${words.planEdit.words} ${at + 1}`}
        value={text ?? question}
        onChange={(event) => edit(changeTask(tasks, id, { text: event.target.value }))}
      />
      {lack === undefined ? null : <NotReady agent={agent} why={lack} />}
      <div className="flex flex-wrap items-center gap-1.5 text-12 text-text-2">
        {dependsOn.length === 0 ? words.planEdit.atOnce : words.planEdit.after}
        {dependsOn.map((one) => (
          <span key={one} className="chip pr-1 pointer-coarse:h-11">
            {words.planEdit.task({ n: numberOf(one) })}
            <IconButton
              {...SMALL}
              icon={X}
              label={`${words.planEdit.notAfter}: ${numberOf(one)}`}
              onClick={() => edit(disconnectTasks(tasks, one, id))}
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
                {words.planEdit.task({ n: numberOf(one.id) })}
              </option>
            ))}
          </select>
        )}
      </div>
    </>
  )
}

function AgentChoice({ label, value, choose }: { label: string; value: string; choose: (agent: string) => void }) {
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

export function AddTask({ add }: { add: (agent: string) => void }) {
  const { words } = useWords()
  return (
    <span className="flex items-center gap-2 text-text-2">
      <AgentChoice label={words.planEdit.add} value="" choose={add} />
    </span>
  )
}
