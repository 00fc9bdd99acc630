import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, ArrowUp, GitCompareArrows, X } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import { useGet, usePagedList, useRenew } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import type { RunSummary } from '../../app/types.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { Choice, SearchField } from '../../ui/field.tsx'
import { Fetched, More, Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { RunsOverTime } from './runs-over-time.tsx'
import { RunsTable } from './runs-table.tsx'
import { useHeldRuns } from './use-held-runs.ts'
import { orderedRange } from './time-range.ts'
import { Button, LinkButton } from '../../ui/button.tsx'

/** Outcome or status of a run, and its query parameters. */
const STATES = {
  answered: { outcome: 'answered' },
  partly: { outcome: 'partly' },
  declined: { outcome: 'declined' },
  failed: { status: 'failed' },
  waiting: { status: 'waiting' },
  running: { status: 'running' },
  cancelled: { status: 'cancelled' },
} as const

/** All runs of the user, newest first, with search and filters. J and K move, X ticks, Enter opens. */
export default function RunsPage() {
  const { words, formats } = useWords()
  const looked = useSearch({ from: '/runs' })
  const { search = '', status, outcome, strategy = '' } = looked
  const { from = '', until = '' } = orderedRange(looked)
  const { status: _status, outcome: _outcome, ...rest } = looked
  // “Finished” with any outcome is not offered as a choice, but is accepted in a URL.
  const shown = outcome ?? status
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const look = (more: typeof looked): void =>
    void navigate({ to: '/runs', search: { ...looked, ...more }, replace: true })
  const [ticked, setTicked] = useState<readonly string[]>([])
  const tick = (runId: string): void =>
    setTicked(ticked.includes(runId) ? ticked.filter((one) => one !== runId) : [...ticked, runId].slice(-2))
  const asked = new URLSearchParams(
    Object.entries(orderedRange(looked)).flatMap(([name, said]) =>
      [said].flat().flatMap((value) => (value.trim() === '' ? [] : [[name, value.trim()]])),
    ),
  )
  const query = useDeferredValue(asked.toString())
  const runs = usePagedList<RunSummary>(`/runs?limit=50&${query}`, 10_000)
  const { items, fresh, showAll } = useHeldRuns(runs, query)
  const recount = useRenew('/runs/counts')
  const isFiltered = query !== ''
  const at = (time: string): string => (Number.isNaN(Date.parse(time)) ? time : formats.date(Date.parse(time)))
  // What a link of another page asks for: seen here, and taken away by a press.
  const time =
    from === ''
      ? until === ''
        ? undefined
        : words.runsLook.until({ when: at(until) })
      : until === ''
        ? words.runsLook.since({ when: at(from) })
        : words.runsLook.between({ from: at(from), until: at(until) })
  const other = [
    ...(time === undefined ? [] : [{ told: time, rest: { ...looked, from: '', until: '' } }]),
    ...(strategy === '' ? [] : [{ told: `${words.runs.strategy}: ${strategy}`, rest: { ...looked, strategy: '' } }]),
  ]
  return (
    <Page
      title={words.runs.title}
      actions={
        <>
          {fresh === 0 ? null : (
            <Button
              icon={ArrowUp}
              label={words.runsLook.fresh({ n: formats.number(fresh) })}
              className="btn-sm"
              onClick={() => {
                showAll()
                void recount()
              }}
            />
          )}
          {ticked.length === 2 ? (
            <LinkButton
              icon={GitCompareArrows}
              label={words.compare.action}
              className="btn-primary btn-sm ml-auto"
              to="/runs/compare"
              search={{ a: ticked[0]!, b: ticked[1]! }}
            />
          ) : ticked.length === 1 ? (
            <span className="ml-auto text-12 text-text-3">{words.compare.tickAnother}</span>
          ) : null}
        </>
      }
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <div className="w-full lg:w-90">
          <SearchField label={words.runs.search} value={search} say={(text) => look({ search: text })} />
        </div>
        <Link to="/runs" search={{ ...rest, search }} replace className="chip" aria-current={shown === undefined}>
          {words.runs.all}
        </Link>
        {Object.entries(STATES).map(([name, state]) => (
          <Link
            key={name}
            to="/runs"
            search={{ ...rest, search, ...state }}
            replace
            className="chip"
            aria-current={shown === name}
          >
            {words.runs.state[name as keyof typeof STATES]}
          </Link>
        ))}
        {other.map(({ told, rest: others }) => (
          <Link
            key={told}
            to="/runs"
            search={others}
            replace
            className="chip"
            aria-label={words.runsLook.without({ filter: told })}
            aria-current
          >
            {told}
            <X size={12} aria-hidden />
          </Link>
        ))}
      </div>
      <PartChoices agents={looked.agent ?? []} model={looked.model ?? ''} look={look} />
      <RunsOverTime query={query} from={looked.from ?? ''} until={looked.until ?? ''} look={look} />
      <Fetched query={runs} lines={8}>
        {() =>
          items.length === 0 ? (
            <Empty icon={Activity} title={isFiltered ? words.runs.noMatch : words.runs.none}>
              {isFiltered ? (
                <LinkButton label={words.runsLook.showAll} className="mt-3" to="/runs" search={{}} replace />
              ) : mayChange ? (
                words.runs.noneHint
              ) : (
                words.session.readOnly
              )}
            </Empty>
          ) : (
            <RunsTable items={items} ticked={ticked} tick={tick} />
          )
        }
      </Fetched>
      <More of={runs} />
    </Page>
  )
}

interface PartChoicesProps {
  readonly agents: readonly string[]
  readonly model: string
  readonly look: (more: { readonly agent?: readonly string[]; readonly model?: string }) => void
}

/** Filter by agent: agents of the user's runs, and those in the URL. */
function PartChoices({ agents: asked, model, look }: PartChoicesProps) {
  const { words } = useWords()
  const nameOf = useAgentName()
  const { agents = [], models = [] } = useGet<Schemas['RunParts']>('/runs/parts', true, 30_000).data ?? {}
  // Strategies have a planner each: for people it is one.
  const byName = new Map<string, readonly string[]>()
  for (const one of agents) byName.set(nameOf(one), [...(byName.get(nameOf(one)) ?? []), one])
  const filterText = [...new Set(asked.map(nameOf))].join(', ')
  if (asked.length > 0) byName.set(filterText, asked)
  const askedModels = model === '' || models.includes(model) ? models : [...models, model]
  if (byName.size + askedModels.length === 0) return null
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <Choice
        label={words.executions.agent}
        isQuiet
        value={filterText}
        options={{
          '': words.runsLook.anyAgent,
          ...Object.fromEntries([...byName.keys()].toSorted().map((name) => [name, name])),
        }}
        say={(name) => look({ agent: byName.get(name) ?? [] })}
      />
      {askedModels.length === 0 ? null : (
        <Choice
          label={words.runsLook.model}
          isQuiet
          value={model}
          options={{ '': words.runsLook.anyModel, ...Object.fromEntries(askedModels.map((one) => [one, one])) }}
          say={(value) => look({ model: value })}
        />
      )}
    </div>
  )
}
