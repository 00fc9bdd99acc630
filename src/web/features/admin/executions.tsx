import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronRight, ListChecks } from 'lucide-react'
import { useGet, type Answer, useEndpoint } from '../../app/data.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { Choice, Section } from '../../ui/field.tsx'
import { DisclosureRow, Cut } from '../../ui/list.tsx'
import { Banner, Empty } from '../../ui/states.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useMoves } from '../../ui/use-keys.ts'
import { useWords } from '../../locales/words.tsx'
import { usePersonNames } from './grantees.ts'

type Executions = Answer<'GET /executions/all'>

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
  const filter = { actor, status, userId }
  const navigate = useNavigate()
  const setFilter = (change: Partial<typeof filter>): void =>
    void navigate({
      to: '/admin/$part',
      params: { part: 'executions' },
      search: { ...filter, ...change },
      replace: true,
    })
  const agents = useEndpoint('/agents').data?.items ?? []
  const people = usePersonNames()
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  const list = useMoves()
  return (
    <Section title={words.executions.title} lead={words.executions.lead}>
      <div className="flex flex-wrap gap-2 border-b border-line px-4 py-3">
        <Choice
          label={words.executions.agent}
          value={actor}
          options={{
            '': words.executions.all,
            ...Object.fromEntries(agents.map(({ name }) => [name, nameOf(name)])),
          }}
          onChange={(value) => setFilter({ actor: value })}
        />
        <Choice
          label={words.executions.state}
          value={status}
          options={{ '': words.executions.all, ...words.executions.status }}
          onChange={(value) => setFilter({ status: value })}
        />
        {Object.keys(people).length === 0 ? null : (
          <Choice
            label={words.executions.person}
            value={userId}
            options={{ '': words.executions.all, ...people }}
            onChange={(value) => setFilter({ userId: value })}
          />
        )}
      </div>
      <Fetched query={useGet<Executions>(`/executions/all?limit=${MAX_CALLS}&${query}`, true, 10_000)} lines={8}>
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

function Entry({ execution }: { execution: Executions['items'][number] }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const { runId, actor, status, input, output, error, startedAt, endedAt, userId, username = userId } = execution
  const duration = endedAt === undefined ? '' : formats.duration(Date.parse(endedAt) - Date.parse(startedAt))
  const task = input as { text?: string } | undefined
  // A task without its own text is the whole question.
  const text = task === undefined ? words.executions.role : (task.text ?? words.executions.question)
  const state = words.executions.status[status as keyof typeof words.executions.status] ?? status
  const summary = (
    <>
      <ChevronRight
        size={14}
        aria-hidden
        className="flex-none text-text-3 transition-transform group-aria-expanded:rotate-90"
      />
      <span className="flex w-40 items-center gap-2 xl:w-52">
        <AgentMark actor={actor} />
        <span className="cut">{nameOf(actor)}</span>
      </span>
      <Cut text={text} className={`min-w-40 flex-1 ${task?.text === undefined ? 'text-text-3' : ''}`} />
      <span className={`badge ${TONES[status] ?? ''}`}>{state}</span>
      <Cut text={username} className="w-24 text-text-2 xl:w-44" />
      <span className="num w-16 text-right text-text-2">{duration}</span>
      <span className="num w-36 text-right text-12 text-text-3">{formats.date(startedAt)}</span>
    </>
  )
  return (
    <DisclosureRow summary={summary} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="flex flex-col gap-2 px-4 pb-4">
        <p className="text-12 text-text-3">
          {words.executions.run} <code className="mono">{runId}</code>
        </p>
        {error === undefined ? null : <Banner tone="bad" text={error} />}
        <Value name={words.step.input} value={input} />
        <Value name={words.step.output} value={output} />
      </div>
    </DisclosureRow>
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
