import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, GitCompareArrows, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import type { RunSummary } from '../../app/types.ts'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useWords } from '../../words/words.tsx'

const STATUSES = ['running', 'waiting', 'finished', 'failed', 'cancelled'] as const

/** All runs of the person, the newest first, by words and by how they stand. */
export default function RunsPage() {
  const { words, formats } = useWords()
  const looked = useSearch({ from: '/runs' })
  const { search = '', status } = looked
  const navigate = useNavigate()
  const look = (more: typeof looked): void =>
    void navigate({ to: '/runs', search: { ...looked, ...more }, replace: true })
  const [ticked, setTicked] = useState<readonly string[]>([])
  const tick = (runId: string): void =>
    setTicked(ticked.includes(runId) ? ticked.filter((one) => one !== runId) : [...ticked, runId].slice(-2))
  const asked = new URLSearchParams(
    Object.entries(looked).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  )
  const query = useDeferredValue(asked.toString())
  const runs = useInfiniteQuery({
    queryKey: ['runs', query],
    queryFn: ({ pageParam, signal }) =>
      api.get<Items<RunSummary>>(
        `/runs?limit=50&${query}${pageParam === '' ? '' : `&cursor=${encodeURIComponent(pageParam)}`}`,
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: 10_000,
  })
  const isFiltered = query !== ''
  return (
    <Page
      title={words.runs.title}
      actions={
        ticked.length === 2 ? (
          <Link to="/runs/compare" search={{ a: ticked[0]!, b: ticked[1]! }} className="btn btn-primary btn-sm ml-auto">
            <GitCompareArrows size={14} aria-hidden />
            {words.compare.action}
          </Link>
        ) : ticked.length === 1 ? (
          <span className="ml-auto text-12 text-text-3">{words.compare.tickAnother}</span>
        ) : null
      }
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <label className="input max-w-90">
          <Search size={16} aria-hidden className="text-text-3" />
          <input
            className="min-w-0 flex-1 bg-transparent outline-none"
            type="search"
            value={search}
            placeholder={words.runs.search}
            aria-label={words.runs.search}
            onChange={(event) => look({ search: event.target.value })}
          />
        </label>
        <button
          type="button"
          className="chip"
          aria-pressed={status === undefined}
          onClick={() => void navigate({ to: '/runs', search: search === '' ? {} : { search }, replace: true })}
        >
          {words.runs.all}
        </button>
        {STATUSES.map((one) => (
          <button
            key={one}
            type="button"
            className="chip"
            aria-pressed={status === one}
            onClick={() => look({ status: one })}
          >
            {one === 'finished' ? words.status.done : words.status[one]}
          </button>
        ))}
      </div>
      <Fetched query={runs} lines={8}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items)
          return items.length === 0 ? (
            <Empty icon={Activity} title={isFiltered ? words.runs.noMatch : words.runs.none}>
              {isFiltered ? undefined : words.runs.noneHint}
            </Empty>
          ) : (
            <div className="card overflow-hidden">
              <table className="table">
                <thead>
                  <tr>
                    <th className="w-8">
                      <span className="sr-only">{words.compare.action}</span>
                    </th>
                    <th>{words.runs.question}</th>
                    <th className="hidden md:table-cell">{words.runs.strategy}</th>
                    <th>{words.runs.status}</th>
                    <th className="r hidden sm:table-cell">{words.runs.started}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ runId, question, strategy, status: state, createdAt }) => (
                    <tr key={runId}>
                      <td>
                        <input
                          type="checkbox"
                          className="block size-4 accent-accent"
                          aria-label={`${words.compare.action}: ${question}`}
                          checked={ticked.includes(runId)}
                          onChange={() => tick(runId)}
                        />
                      </td>
                      <td className="w-full max-w-0">
                        <Link to="/runs/$runId" params={{ runId }} className="cut block font-medium" title={question}>
                          {question}
                        </Link>
                      </td>
                      <td className="hidden text-text-2 md:table-cell">{strategy}</td>
                      <td>
                        <StatusBadge status={state} />
                      </td>
                      <td className="r hidden whitespace-nowrap text-text-2 sm:table-cell">
                        {formats.date(Date.parse(createdAt))}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }}
      </Fetched>
      {runs.hasNextPage ? (
        <button
          type="button"
          className="btn mx-auto mt-4 flex"
          disabled={runs.isFetchingNextPage}
          onClick={() => void runs.fetchNextPage()}
        >
          {words.runs.more}
        </button>
      ) : null}
    </Page>
  )
}
