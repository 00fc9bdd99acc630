import { Link } from '@tanstack/react-router'
import { GitFork } from 'lucide-react'
import { Fragment } from 'react'
import type { RunSummary } from '../../app/types.ts'
import { AgentMark } from '../../ui/agent-mark.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useMoves } from '../../ui/use-keys.ts'
import { useWords } from '../../locales/words.tsx'

const ANSWERED = { answered: 'all', partly: 'partly', declined: 'nothing' } as const
/** Maximum number of agent marks per run. */
const MAX_MARKS = 4

interface RunsTableProps {
  /** Newest first. */
  readonly items: readonly RunSummary[]
  readonly ticked: readonly string[]
  readonly tick: (runId: string) => void
}

/** Runs grouped by start day: question, outcome, agents, duration and cost. */
export function RunsTable({ items, ticked, tick }: RunsTableProps) {
  const { words, formats } = useWords()
  const list = useMoves<HTMLTableSectionElement>()
  const dayOf = ({ createdAt }: RunSummary): string => formats.calendarDay(Date.parse(createdAt), Date.now())
  // Hide token and cost columns if no run has a value.
  const has = { tokens: items.some(({ tokens = 0 }) => tokens > 0), cost: items.some(({ costUsd = 0 }) => costUsd > 0) }
  const columns = 6 + Number(has.tokens) + Number(has.cost)
  return (
    <div className="card overflow-hidden">
      <table className="table">
        <thead>
          <tr>
            <th className="w-8">
              <span className="sr-only">{words.compare.action}</span>
            </th>
            <th>{words.runsLook.both}</th>
            <th className="hidden lg:table-cell">{words.runsLook.agents}</th>
            <th className="hidden lg:table-cell">{words.runs.status}</th>
            <th className="r hidden lg:table-cell">{words.compare.time}</th>
            {has.tokens ? <th className="r hidden xl:table-cell">{words.panel.tokens}</th> : null}
            {has.cost ? <th className="r hidden xl:table-cell">{words.panel.cost}</th> : null}
            <th className="r hidden lg:table-cell">{words.runs.started}</th>
          </tr>
        </thead>
        <tbody ref={list}>
          {items.map((run, at) => (
            <Fragment key={run.runId}>
              {at > 0 && dayOf(items[at - 1]!) === dayOf(run) ? null : (
                <tr>
                  <th colSpan={columns} scope="rowgroup" className="h-8!">
                    {dayOf(run)}
                  </th>
                </tr>
              )}
              <Row run={run} isTicked={ticked.includes(run.runId)} tick={tick} has={has} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly run: RunSummary
  readonly isTicked: boolean
  readonly tick: (runId: string) => void
  readonly has: { readonly tokens: boolean; readonly cost: boolean }
}

function Row({ run, isTicked, tick, has }: RowProps) {
  const { words, formats } = useWords()
  const { runId, question, strategy, status, outcome, gist, agents = [], createdAt } = run
  const { workMs, tokens = 0, costUsd = 0, forkOf } = run
  const work = workMs === undefined ? undefined : formats.duration(workMs)
  const started = Date.parse(createdAt)
  const facts = [
    ...(work === undefined ? [] : [work]),
    ...(tokens > 0 ? [words.facts.tokens({ n: formats.compact(tokens) })] : []),
    ...(costUsd > 0 ? [formats.money(costUsd)] : []),
    formats.time(started),
  ]
  const marks = agents.slice(0, MAX_MARKS).map((agent) => <AgentMark key={agent} actor={agent} />)
  const badge = <StatusBadge status={status} {...(outcome === undefined ? {} : { answered: ANSWERED[outcome] })} />
  return (
    <tr>
      <td className="align-top! lg:align-middle!">
        <input
          type="checkbox"
          className="mt-0.5 block size-4 accent-accent lg:mt-0"
          aria-label={`${words.compare.action}: ${question}`}
          checked={isTicked}
          onChange={() => tick(runId)}
        />
      </td>
      <td className="w-full max-w-0 align-top! lg:align-middle!">
        <Link
          to="/runs/$runId"
          params={{ runId }}
          data-move
          className="line-clamp-6 font-medium wrap-anywhere lg:line-clamp-1"
          title={question}
        >
          {forkOf === undefined ? null : (
            <GitFork size={14} className="mr-1 inline text-text-3" aria-label={words.compare.fields['forkOf']} />
          )}
          {question}
        </Link>
        {gist === undefined ? null : (
          <span lang="en" className="cut block text-12 text-text-2" title={gist}>
            {gist}
          </span>
        )}
        <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-text-2 lg:hidden">
          {badge}
          {marks}
          <span className="num">{facts.join(' · ')}</span>
        </span>
      </td>
      <td className="hidden lg:table-cell">
        <span className="flex gap-1">{marks}</span>
      </td>
      <td className="hidden lg:table-cell">{badge}</td>
      <td className="r hidden whitespace-nowrap text-text-2 lg:table-cell">{work}</td>
      {has.tokens ? (
        <td className="r hidden text-text-2 xl:table-cell">{tokens > 0 ? formats.compact(tokens) : null}</td>
      ) : null}
      {has.cost ? (
        <td className="r hidden whitespace-nowrap text-text-2 xl:table-cell">
          {costUsd > 0 ? formats.money(costUsd) : null}
        </td>
      ) : null}
      <td
        className="r hidden whitespace-nowrap text-text-2 lg:table-cell"
        title={`${formats.date(started)} · ${words.runs.strategy}: ${strategy}`}
      >
        {formats.time(started)}
      </td>
    </tr>
  )
}
