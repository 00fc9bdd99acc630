import type { Schemas } from '../../../client/api-types.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronRight, ListChecks } from 'lucide-react'
import { useState } from 'react'
import type { Items } from '../../../client/api.ts'
import { useGet } from '../../app/data.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { Choice, Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useMoves } from '../../ui/use-keys.ts'
import { useWords } from '../../locales/words.tsx'
import { usePeople } from './grantees.ts'

type Execution = Schemas['Execution'] & { readonly userId: string; readonly username?: string }

const TONES: Readonly<Record<string, string>> = {
  running: 'tone-accent',
  succeeded: 'tone-ok',
  failed: 'tone-bad',
  skipped: '',
}

/** Maximum number of tool calls loaded. */
const MAX_CALLS = 100

/** Tool calls of all users: which agent ran which tool on which source. J and K move, Enter opens. */
export function Executions() {
  const { words } = useWords()
  const nameOf = useAgentName()
  const { actor = '', status = '', userId = '' } = useSearch({ strict: false })
  const look = { actor, status, userId }
  const navigate = useNavigate()
  const setLook = (search: typeof look): void =>
    void navigate({ to: '/admin/$part', params: { part: 'executions' }, search, replace: true })
  const agents = useGet<Items<{ name: string }>>('/agents')
  const people = usePeople()
  const asked = new URLSearchParams(Object.entries(look).filter(([, value]) => value !== ''))
  const executions = useGet<Items<Execution>>(`/executions/all?limit=${MAX_CALLS}&${asked.toString()}`, true, 10_000)
  const list = useMoves()
  return (
    <Section title={words.executions.title} lead={words.executions.lead}>
      <div className="flex flex-wrap gap-2 border-b border-line px-4 py-3">
        <Choice
          label={words.executions.agent}
          value={look.actor}
          options={{
            '': words.executions.all,
            ...Object.fromEntries((agents.data?.items ?? []).map(({ name }) => [name, nameOf(name)])),
          }}
          say={(actor) => setLook({ ...look, actor })}
        />
        <Choice
          label={words.executions.state}
          value={look.status}
          options={{ '': words.executions.all, ...words.executions.status }}
          say={(status) => setLook({ ...look, status })}
        />
        {(people.data?.items.length ?? 0) === 0 ? null : (
          <Choice
            label={words.executions.person}
            value={look.userId}
            options={{
              '': words.executions.all,
              ...Object.fromEntries(people.data!.items.map(({ userId, displayName }) => [userId, displayName])),
            }}
            say={(userId) => setLook({ ...look, userId })}
          />
        )}
      </div>
      <Fetched query={executions} lines={8}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={ListChecks} title={words.executions.none} />
          ) : (
            <>
              <ul ref={list}>
                {items.map((execution) => (
                  <Entry key={`${execution.runId} ${execution.key}`} execution={execution} />
                ))}
              </ul>
              {items.length < MAX_CALLS ? null : (
                <p className="px-4 py-3 text-12 text-text-3">{words.executions.cut({ n: MAX_CALLS })}</p>
              )}
            </>
          )
        }
      </Fetched>
    </Section>
  )
}

function Entry({ execution }: { execution: Execution }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const [isOpen, setOpen] = useState(false)
  const { runId, actor, status, input, output, error, startedAt, endedAt, userId, username } = execution
  const took = endedAt === undefined ? undefined : Date.parse(endedAt) - Date.parse(startedAt)
  const task = input as { text?: string } | undefined
  // A task without its own text is the whole question.
  const text = task === undefined ? words.executions.role : (task.text ?? words.executions.question)
  const state = words.executions.status[status as keyof typeof words.executions.status] ?? status
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        data-move
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-left text-13 hover:bg-surface-2"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`flex-none text-text-3 transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <span className="flex w-40 items-center gap-2">
          <AgentMark actor={actor} />
          <span className="cut">{nameOf(actor)}</span>
        </span>
        <span className={`cut min-w-40 flex-1 ${task?.text === undefined ? 'text-text-3' : ''}`} title={text}>
          {text}
        </span>
        <span className={`badge ${TONES[status] ?? ''}`}>{state}</span>
        <span className="cut w-24 text-text-2" title={username ?? userId}>
          {username ?? userId}
        </span>
        <span className="num w-16 text-right text-text-2">{took === undefined ? '' : formats.duration(took)}</span>
        <span className="num w-36 text-right text-12 text-text-3">{formats.date(Date.parse(startedAt))}</span>
      </button>
      {isOpen ? (
        <div className="flex flex-col gap-2 px-4 pb-4">
          <p className="text-12 text-text-3">
            {words.executions.run} <code className="mono">{runId}</code>
          </p>
          {error === undefined ? null : <p className="banner tone-bad">{error}</p>}
          <Value name={words.step.input} value={input} />
          <Value name={words.step.output} value={output} />
        </div>
      ) : null}
    </li>
  )
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (value === undefined) return null
  return (
    <div>
      <h3 className="mb-1 text-12 text-text-3">{name}</h3>
      <pre className="code max-h-80 overflow-y-auto" tabIndex={0}>
        {JSON.stringify(value, undefined, 2)}
      </pre>
    </div>
  )
}
