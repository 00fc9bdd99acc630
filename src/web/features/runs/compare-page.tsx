import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeftRight, ArrowRight, GitFork } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import type { AnswerFormat, Task } from '../../../client/run.ts'
import type { RunSummary } from '../../app/types.ts'
import { STATES, stepsOfTasks } from '../../run/steps.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Words } from '../../words/en.ts'
import { useWords } from '../../words/words.tsx'
import { PlanInWords } from '../run/plan-in-words.tsx'
import { BothAnswers } from './both-answers.tsx'

interface Job {
  readonly key: string
  readonly actor: string
  readonly text?: string
  readonly isSame: boolean
  readonly a?: Outcome
  readonly b?: Outcome
}

interface Outcome {
  readonly status: string
  readonly answer?: string
  readonly error?: string
  readonly plan?: readonly Task[]
}

interface Comparison {
  readonly request: readonly string[]
  readonly isSamePlan: boolean
  readonly isSameAnswer: boolean
  readonly jobs: readonly Job[]
  readonly firstDifference?: string
}

interface Detail {
  readonly run: RunSummary
  readonly response: {
    readonly answer: string
    readonly metadata: {
      readonly format: AnswerFormat
      readonly models: readonly string[]
      readonly latencyMs: number
      readonly isAnswered: boolean
      readonly unanswered: readonly string[]
      readonly usage: {
        readonly calls: number
        readonly inputTokens: number
        readonly outputTokens: number
        readonly costUsd: number
      }
    }
  }
}

/** Two runs side by side: where they part, and what that made of time, cost and answer. */
export default function ComparePage() {
  const { words } = useWords()
  const { a = '', b = '' } = useSearch({ from: '/runs/compare' })
  const isWhole = a !== '' && b !== ''
  const comparison = useGet<Comparison>(`/runs/compare?${new URLSearchParams({ a, b })}`, isWhole)
  const one = useGet<Detail>(`/runs/${encodeURIComponent(a)}`, isWhole)
  const other = useGet<Detail>(`/runs/${encodeURIComponent(b)}`, isWhole)
  const title = (
    <>
      <Link to="/runs" className="font-normal text-text-3">
        {words.runs.title} ›
      </Link>{' '}
      {words.compare.action}
    </>
  )
  if (!isWhole) {
    return (
      <Page title={title}>
        <Empty icon={ArrowLeftRight} title={words.compare.tickTwo}>
          <Link to="/runs" className="btn btn-primary mt-3">
            {words.runs.title}
          </Link>
        </Empty>
      </Page>
    )
  }
  return (
    <Page
      title={title}
      actions={
        <Link to="/runs/compare" search={{ a: b, b: a }} className="btn btn-ghost btn-sm ml-auto">
          <ArrowLeftRight size={14} aria-hidden />
          {words.compare.swap}
        </Link>
      }
    >
      <Fetched query={comparison}>
        {(found) =>
          one.data === undefined || other.data === undefined ? null : <Both found={found} a={one.data} b={other.data} />
        }
      </Fetched>
    </Page>
  )
}

function Both({ found, a, b }: { found: Comparison; a: Detail; b: Detail }) {
  const { words, formats } = useWords()
  const [used, usedThen] = [a.response.metadata, b.response.metadata]
  const figures = [
    [words.compare.time, formats.duration(used.latencyMs), formats.duration(usedThen.latencyMs)],
    [words.panel.cost, formats.money(used.usage.costUsd), formats.money(usedThen.usage.costUsd)],
    [words.panel.tokens, formats.compact(tokens(used)), formats.compact(tokens(usedThen))],
    [words.panel.modelCalls, formats.number(used.usage.calls), formats.number(usedThen.usage.calls)],
  ] as const
  const first = found.jobs.find(({ key }) => key === found.firstDifference)
  return (
    <>
      <dl className="card mb-4 grid grid-cols-2 overflow-hidden lg:grid-cols-4">
        {figures.map(([name, before, after]) => (
          <div key={name} className="border-line px-4 py-3 not-first:border-l">
            <dt className="text-12 text-text-3">{name}</dt>
            <dd className="num flex flex-wrap items-center gap-1.5 text-15 font-semibold">
              {before} <ArrowRight size={14} aria-hidden className="text-text-3" /> {after}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mb-4 grid gap-4 md:grid-cols-2">
        {([a, b] as const).map(({ run, response }, at) => (
          <section key={at} className="card flex min-w-0 flex-col gap-1 p-4">
            <h2 className="flex items-center gap-2 text-13 font-semibold">
              <span className="badge tone-accent">{'AB'[at]}</span>
              <Link to="/runs/$runId" params={{ runId: run.runId }} className="cut underline" title={run.question}>
                {run.question}
              </Link>
            </h2>
            <p className="flex flex-wrap items-center gap-2 text-12 text-text-2">
              <StatusBadge status={run.status} answered={answeredIn(response.metadata)} /> {run.strategy} ·{' '}
              {formats.date(Date.parse(run.createdAt))}
            </p>
          </section>
        ))}
      </div>
      {found.request.length === 0 ? null : (
        <p className="mb-4 text-13 text-text-2">
          {words.compare.asked(formats.list(found.request.map((field) => words.compare.fields[field] ?? field)))}
        </p>
      )}
      {first === undefined ? (
        <p className="banner tone-ok mb-4">{words.compare.same}</p>
      ) : (
        <FirstDifference job={first} runId={b.run.runId} />
      )}
      <Section
        title={words.runs.answer}
        lead={found.isSameAnswer ? words.compare.sameAnswer : words.compare.otherAnswer}
      >
        <BothAnswers a={a.response} b={b.response} />
      </Section>
      <Section title={words.compare.steps} lead={found.isSamePlan ? words.compare.samePlan : words.compare.otherPlan}>
        <ul>
          {found.jobs.map((job) => (
            <JobLine key={job.key} job={job} />
          ))}
        </ul>
      </Section>
    </>
  )
}

function FirstDifference({ job, runId }: { job: Job; runId: string }) {
  const { words } = useWords()
  const nameOf = useAgentName()
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const fork = useChange(async () => {
    const made = await api.post<{ runId: string }>(`/runs/${encodeURIComponent(runId)}/fork`, { from: job.key })
    await navigate({ to: '/runs/$runId', params: { runId: made.runId } })
  }, 'runs')
  return (
    <section className="card mb-4 overflow-hidden" aria-label={words.compare.first}>
      <header className="banner tone-warn items-center rounded-none border-0 border-b">
        <p className="min-w-0 flex-1">
          <b>{words.compare.first}:</b> {nameOf(job.actor)}
          {job.text === undefined ? null : `: ${job.text}`}
        </p>
        {mayChange && job.b !== undefined ? (
          <button type="button" className="btn btn-sm" disabled={fork.isPending} onClick={() => fork.mutate()}>
            <GitFork size={14} aria-hidden />
            {words.compare.fork}
          </button>
        ) : null}
      </header>
      {fork.error === null ? null : <Trouble error={fork.error} />}
      <div className="grid text-13 md:grid-cols-2">
        {([job.a, job.b] as const).map((one, at) => (
          <div key={at} className="border-line p-4 whitespace-pre-wrap wrap-anywhere md:not-first:border-l">
            {one?.plan !== undefined ? (
              <PlanInWords steps={stepsOfTasks(one.plan)} />
            ) : one === undefined ? (
              words.compare.notDone
            ) : (
              (one.answer ?? one.error ?? stateOf(one, words))
            )}
          </div>
        ))}
      </div>
    </section>
  )
}

function JobLine({ job: { actor, text, isSame, a, b } }: { job: Job }) {
  const { words } = useWords()
  const nameOf = useAgentName()
  return (
    <li className="line">
      <AgentMark actor={actor} />
      <span className="min-w-32 flex-1 basis-0">
        <b className="block">{nameOf(actor)}</b>
        {text === undefined ? null : (
          <span className="cut block text-12 text-text-2" title={text}>
            {text}
          </span>
        )}
      </span>
      <span className="text-12 text-text-2">
        {stateOf(a, words)} → {stateOf(b, words)}
      </span>
      <span className={`badge ${isSame ? '' : 'tone-warn'}`}>
        {isSame ? words.compare.isSame : words.compare.differs}
      </span>
    </li>
  )
}

function stateOf(one: Outcome | undefined, words: Words): string {
  return one === undefined ? '–' : words.step.state[STATES[one.status as keyof typeof STATES] ?? 'running']
}

function answeredIn({ isAnswered, unanswered }: Detail['response']['metadata']): 'all' | 'partly' | 'nothing' {
  if (!isAnswered) return 'nothing'
  return unanswered.length > 0 ? 'partly' : 'all'
}

function tokens({ usage }: Detail['response']['metadata']): number {
  return usage.inputTokens + usage.outputTokens
}
