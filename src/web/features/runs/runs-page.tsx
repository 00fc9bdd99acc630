import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, ArrowUp, GitCompareArrows, X } from 'lucide-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
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
  const { search = '', status, outcome, strategy = '', from = '', until = '' } = looked
  const { status: _status, outcome: _outcome, ...rest } = looked
  // “Finished” with any outcome is not offered as a choice, but is accepted in a URL.
  const shown = outcome ?? status
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const changeFilter = (more: typeof looked): void =>
    void navigate({ to: '/runs', search: { ...looked, ...more }, replace: true })
  const [ticked, setTicked] = useState<readonly string[]>([])
  const tick = (runId: string): void =>
    setTicked(ticked.includes(runId) ? ticked.filter((one) => one !== runId) : [...ticked, runId].slice(-2))
  const params = new URLSearchParams(
    Object.entries(looked).flatMap(([name, said]) =>
      [said].flat().flatMap((value) => (value.trim() === '' ? [] : [[name, value.trim()]])),
    ),
  )
  const query = useDeferredValue(params.toString())
  const runs = usePagedList<RunSummary>(`/runs?limit=50&${query}`, 10_000)
  const { items, newCount, showNew } = useStableList(runs, query)
  const recount = useRenew(['/runs/counts'])
  const isFiltered = query !== ''
  const at = (time: string): string => (Number.isNaN(Date.parse(time)) ? time : formats.date(Date.parse(time)))
  // What a link of another page asks for: seen here, and taken away by a press.
  const timeText = (): string => {
    if (from === '') return words.runsLook.until({ when: at(until) })
    if (until === '') return words.runsLook.since({ when: at(from) })
    return words.runsLook.between({ from: at(from), until: at(until) })
  }
  const filters = [
    ...(from === '' && until === '' ? [] : [{ text: timeText(), without: { ...looked, from: '', until: '' } }]),
    ...(strategy === '' ? [] : [{ text: `${words.runs.strategy}: ${strategy}`, without: { ...looked, strategy: '' } }]),
  ]
  return (
    <Page
      title={words.runs.title}
      actions={
        <>
          {newCount === 0 ? null : (
            <Button
              icon={ArrowUp}
              label={words.runsLook.fresh({ n: formats.number(newCount) })}
              className="btn-sm"
              onClick={() => {
                showNew()
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
          <SearchField label={words.runs.search} value={search} onChange={(text) => changeFilter({ search: text })} />
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
        {filters.map(({ text, without }) => (
          <Link
            key={text}
            to="/runs"
            search={without}
            replace
            className="chip"
            aria-label={words.runsLook.without({ filter: text })}
            aria-current
          >
            {text}
            <X size={12} aria-hidden />
          </Link>
        ))}
      </div>
      <PartChoices agents={looked.agent ?? []} model={looked.model ?? ''} changeFilter={changeFilter} />
      <RunsOverTime query={query} from={from} until={until} look={changeFilter} />
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
      <More query={runs} />
    </Page>
  )
}

interface PartChoicesProps {
  readonly agents: readonly string[]
  readonly model: string
  readonly changeFilter: (more: { readonly agent?: readonly string[]; readonly model?: string }) => void
}

/** Filter by agent: agents of the user's runs, and those in the URL. */
function PartChoices({ agents: selected, model, changeFilter }: PartChoicesProps) {
  const { words } = useWords()
  const nameOf = useAgentName()
  const { agents = [], models = [] } = useGet<Schemas['RunParts']>('/runs/parts', true, 30_000).data ?? {}
  // Strategies have a planner each: for people it is one.
  const byName = new Map<string, readonly string[]>()
  for (const one of agents) byName.set(nameOf(one), [...(byName.get(nameOf(one)) ?? []), one])
  const filterText = [...new Set(selected.map(nameOf))].join(', ')
  if (selected.length > 0) byName.set(filterText, selected)
  const askedModels = model === '' || models.includes(model) ? models : [...models, model]
  if (byName.size + askedModels.length === 0) return null
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <Choice
        label={words.filter.agent}
        isQuiet
        value={filterText}
        options={{
          '': words.runsLook.anyAgent,
          ...Object.fromEntries([...byName.keys()].toSorted().map((name) => [name, name])),
        }}
        onChange={(name) => changeFilter({ agent: byName.get(name) ?? [] })}
      />
      {askedModels.length === 0 ? null : (
        <Choice
          label={words.runsLook.model}
          isQuiet
          value={model}
          options={{ '': words.runsLook.anyModel, ...Object.fromEntries(askedModels.map((one) => [one, one])) }}
          onChange={(value) => changeFilter({ model: value })}
        />
      )}
    </div>
  )
}

/**
 * Holds back runs that start while the list is on the page, so that it does not move. Another filter shows all runs.
 */
function useStableList(
  { data = [], isFetchedAfterMount, isPlaceholderData }: UseInfiniteQueryResult<readonly RunSummary[]>,
  filter: string,
) {
  const [state, setState] = useState<{ readonly filter: string; readonly newest: string } | undefined>()
  const [first] = data
  const isFirst = first !== undefined && isFetchedAfterMount && !isPlaceholderData && state?.filter !== filter
  if (isFirst) setState({ filter, newest: first.createdAt })
  const newest = state?.filter === filter ? state.newest : undefined
  const items = newest === undefined ? data : data.filter(({ createdAt }) => createdAt <= newest)
  return {
    items,
    /** Number of runs that are held back. */
    newCount: data.length - items.length,
    showNew: () => setState(first === undefined ? undefined : { filter, newest: first.createdAt }),
  }
}
