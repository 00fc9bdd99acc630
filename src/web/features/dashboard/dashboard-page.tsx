import { Link, useSearch } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import type { Items } from '../../../client/api.ts'
import { useGet } from '../../app/data.ts'
import { useIsAdmin, useMayChange } from '../../app/session.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { DayBars, DayLine } from './day-chart.tsx'
import {
  usageByDay,
  runsByName,
  latencies,
  runOutcome,
  peopleOf,
  quantile,
  startOfDay,
  rankedTotals,
  sumOf,
  type PersonTotal,
  type PersonUsage,
  type RunCount,
  type RunUsage,
  type Total,
} from './totals.ts'
import { LinkButton } from '../../ui/button.tsx'

const PERIODS = [1, 7, 28, 90] as const

/** Outcomes and usage of the user's runs, by day, agent and model. Each figure links to its runs. */
export default function DashboardPage() {
  const { words } = useWords()
  const mayChange = useMayChange()
  const isAdmin = useIsAdmin()
  const { days: param } = useSearch({ from: '/dashboard' })
  const days = PERIODS.find((one) => String(one) === param) ?? 28
  // The range is fixed when the page opens.
  const [now] = useState(Date.now)
  const from = new Date(startOfDay(now, days - 1)).toISOString()
  const usage = useGet<{ items: readonly RunUsage[]; isCut: boolean }>(`/runs/usage?from=${encodeURIComponent(from)}`)
  return (
    <Page
      title={words.dashboard.title}
      lead={isAdmin ? words.dashboard.leadOfAdmin : words.dashboard.lead}
      actions={
        <nav className="seg ml-auto" aria-label={words.dashboard.period}>
          {PERIODS.map((one) => (
            <Link
              key={one}
              to="/dashboard"
              search={{ days: String(one) }}
              aria-current={one === days ? 'true' : undefined}
            >
              {words.dashboard.days({ n: one })}
            </Link>
          ))}
        </nav>
      }
    >
      <Fetched query={usage} lines={8}>
        {({ items, isCut }) =>
          items.length === 0 ? (
            <Empty icon={ChartColumn} title={words.dashboard.none}>
              {mayChange ? (
                <LinkButton label={words.nav.newChat} className="btn-primary mt-3" to="/" />
              ) : (
                words.session.readOnly
              )}
            </Empty>
          ) : (
            <Figures runs={items} days={days} from={from} now={now} isCut={isCut} />
          )
        }
      </Fetched>
    </Page>
  )
}

interface FiguresProps {
  readonly runs: readonly RunUsage[]
  readonly days: number
  readonly from: string
  readonly now: number
  readonly isCut: boolean
}

function Figures({ runs, days, from, now, isCut }: FiguresProps) {
  const { words, formats } = useWords()
  const isAdmin = useIsAdmin()
  const nameOf = useAgentName()
  const count = (outcome: string): number => runs.filter((run) => runOutcome(run) === outcome).length
  const share = (n: number): string => `${formats.number((100 * n) / runs.length, 1)} %`
  const took = latencies(runs)
  const [median, slow] = [quantile(took, 0.5), quantile(took, 0.95)]
  const countStatus = (status: RunUsage['status']): number => runs.filter((run) => run.status === status).length
  const tiles: readonly (readonly [string, string, string, { outcome?: string; status?: string }])[] = [
    [words.runs.title, formats.number(runs.length), '', {}],
    [words.runs.state.answered, share(count('answered')), formats.number(count('answered')), { outcome: 'answered' }],
    [words.runs.state.partly, share(count('partly')), formats.number(count('partly')), { outcome: 'partly' }],
    [words.runs.state.declined, share(count('declined')), formats.number(count('declined')), { outcome: 'declined' }],
    [words.runs.state.failed, share(count('failed')), formats.number(count('failed')), { status: 'failed' }],
    [words.runs.state.waiting, formats.number(countStatus('waiting')), '', { status: 'waiting' }],
    [words.panel.tokens, formats.compact(sumOf(runs, ({ used }) => used.tokens)), '', {}],
    [words.panel.cost, formats.money(sumOf(runs, ({ used }) => used.costUsd)), '', {}],
  ]
  const perDay = usageByDay(runs, days, now)
  // Strategies have a planner each: for people it is one.
  const byName = new Map(runs.flatMap(({ jobs }) => jobs.map(({ actor }) => [nameOf(actor), actor] as const)))
  const agents = rankedTotals(
    runs.flatMap(({ jobs }) =>
      jobs.map((job) => ({ ...job, name: nameOf(job.actor), hasFailed: job.status === 'failed' })),
    ),
  )
  const runsByAgent = runsByName(runs, (run) => run.agents, nameOf)
  const runsByModel = runsByName(runs, (run) => run.models.map(({ model }) => model))
  const models = rankedTotals(runs.flatMap((run) => run.models.map((one) => ({ ...one, name: one.model }))))
  const agentColumns: readonly Column<Total>[] = [
    {
      title: words.agents.title,
      cell: ({ name }) => (
        <span className="flex items-center gap-2">
          <AgentMark actor={byName.get(name) ?? name} />
          {name}
        </span>
      ),
    },
    {
      title: words.runs.title,
      isFigure: true,
      cell: ({ name }) => (
        <RunsLink name={name} count={runsByAgent.get(name)} search={{ from, agent: runsByAgent.get(name)?.by }} />
      ),
    },
    { title: words.dashboard.times, isFigure: true, cell: ({ times }) => formats.number(times) },
    {
      title: words.status.failed,
      isFigure: true,
      cell: ({ failed }) => <span className={failed > 0 ? 'text-bad' : ''}>{formats.number(failed)}</span>,
    },
    {
      title: words.dashboard.median,
      isFigure: true,
      cell: ({ median }) => (median === undefined ? '–' : formats.duration(median)),
    },
    { title: words.panel.tokens, isFigure: true, cell: ({ tokens }) => formats.compact(tokens) },
    { title: words.panel.cost, isFigure: true, cell: ({ costUsd }) => formats.money(costUsd) },
  ]
  const latencyLead =
    median === undefined || slow === undefined
      ? words.dashboard.noLatency
      : words.dashboard.quantiles({ median: formats.duration(median), slow: formats.duration(slow) })
  return (
    <>
      {isCut ? (
        <p className="banner tone-warn mb-4">{words.dashboard.cut({ n: formats.number(runs.length) })}</p>
      ) : null}
      <dl className="card mb-4 grid grid-cols-2 overflow-hidden lg:grid-cols-4 min-[88rem]:grid-cols-8">
        {tiles.map(([name, figure, more, look]) => (
          <div key={name} className="-mb-px flex flex-col justify-between border-b border-line px-4 py-3">
            <dt className="text-12 text-text-3">{name}</dt>
            <dd className="num flex flex-wrap items-baseline gap-x-2 text-20 font-semibold whitespace-nowrap">
              <Link to="/runs" search={{ from, ...look }} className="hover:underline">
                {figure}
              </Link>
              <span className="text-12 font-normal text-text-3">{more}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-x-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Section title={words.dashboard.perDay}>
          <DayBars days={perDay} />
        </Section>
        <Section title={words.dashboard.latency} lead={latencyLead}>
          <DayLine days={perDay} />
        </Section>
        <Section title={words.agents.title}>
          <DataTable label={words.agents.title} rows={agents} keyOf={({ name }) => name} columns={agentColumns} />
        </Section>
        <Section title={words.dashboard.models}>
          {models.length === 0 ? (
            <p className="px-4 py-5 text-13 text-text-2">{words.dashboard.noModels}</p>
          ) : (
            <ul>
              {models.map(({ name, tokens, costUsd }) => (
                <li key={name} className="line">
                  <code className="mono min-w-0 flex-1 wrap-anywhere">{name}</code>
                  <RunsLink name={name} count={runsByModel.get(name)} search={{ from, model: name }} isInWords />
                  <span className="num text-text-2">{words.facts.tokens({ n: formats.compact(tokens) })}</span>
                  <b className="num">{formats.money(costUsd)}</b>
                </li>
              ))}
            </ul>
          )}
        </Section>
      </div>
      {isAdmin ? <People from={from} /> : null}
    </>
  )
}

/** What everybody used, for who runs the installation; also of runs that were deleted since. */
function People({ from }: { from: string }) {
  const { words, formats } = useWords()
  const usage = useGet<Items<PersonUsage>>(`/usage/all?from=${from.slice(0, 10)}`)
  const columns: readonly Column<PersonTotal>[] = [
    {
      title: words.filter.person,
      cell: ({ name }) => name,
    },
    { title: words.runs.title, isFigure: true, cell: ({ runs }) => formats.number(runs) },
    { title: words.panel.modelCalls, isFigure: true, cell: ({ calls }) => formats.number(calls) },
    { title: words.panel.tokens, isFigure: true, cell: ({ tokens }) => formats.compact(tokens) },
    { title: words.panel.cost, isFigure: true, cell: ({ costUsd }) => formats.money(costUsd) },
  ]
  return (
    <Section title={words.dashboard.people} lead={words.dashboard.peopleLead}>
      <Fetched query={usage} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="px-4 py-5 text-13 text-text-2">{words.dashboard.noPeople}</p>
          ) : (
            <DataTable
              label={words.dashboard.people}
              rows={peopleOf(items)}
              keyOf={({ userId }) => userId}
              columns={columns}
            />
          )
        }
      </Fetched>
    </Section>
  )
}

interface RunsLinkProps {
  readonly name: string
  readonly count: RunCount | undefined
  readonly search: { readonly from: string; readonly agent?: readonly string[] | undefined; readonly model?: string }
  /** For use outside a table, where no header names the unit. */
  readonly isInWords?: boolean
}

/** How many runs something takes part in, and the way to them. */
function RunsLink({ name, count, search: { agent, ...search }, isInWords = false }: RunsLinkProps) {
  const { words, formats } = useWords()
  if (count === undefined) return null
  const n = formats.number(count.runs)
  const linkText = words.dashboard.runsWith({ name, n })
  return (
    <Link
      to="/runs"
      search={{ ...search, ...(agent === undefined ? {} : { agent }) }}
      className="num inline-block hover:underline"
      aria-label={linkText}
      title={linkText}
    >
      {isInWords ? words.runsLook.runs({ n, isOne: count.runs === 1 }) : n}
    </Link>
  )
}
