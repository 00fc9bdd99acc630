import { Link, useSearch } from '@tanstack/react-router'
import { ArrowLeftRight, ArrowRight } from 'lucide-react'
import { useGet } from '../../app/data.ts'
import { workMs, type ResponseMetadata, type RunResponse } from '../../../client/run.ts'
import type { RunSummary } from '../../app/types.ts'
import { isShownStep } from '../../run/steps.ts'
import { useRun } from '../../run/use-run.ts'
import { Section } from '../../ui/field.tsx'
import { Fetched, Page, Subtitle } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Words } from '../../locales/texts.ts'
import type { Formats } from '../../locales/formats.ts'
import { useWords } from '../../locales/words.tsx'
import { BothAnswers, FirstDifference, JobLine, WhatDiffers, type Comparison } from './differences.tsx'
import { LinkButton } from '../../ui/button.tsx'

interface Detail {
  readonly run: RunSummary
  readonly response: RunResponse
}

/** Two runs side by side: where they part, and what that made of time, cost and answer. */
export default function ComparePage() {
  const { words } = useWords()
  const { a = '', b = '' } = useSearch({ from: '/runs/compare' })
  const isWhole = a !== '' && b !== ''
  const comparison = useGet<Comparison>(`/runs/compare?${new URLSearchParams({ a, b })}`, isWhole)
  const runA = useGet<Detail>(`/runs/${encodeURIComponent(a)}`, isWhole)
  const runB = useGet<Detail>(`/runs/${encodeURIComponent(b)}`, isWhole)
  const title = <Subtitle to="/runs" parent={words.runs.title} text={words.compare.action} />
  if (!isWhole) {
    return (
      <Page title={title}>
        <Empty icon={ArrowLeftRight} title={words.compare.tickTwo}>
          <LinkButton label={words.runs.title} className="btn-primary mt-3" to="/runs" />
        </Empty>
      </Page>
    )
  }
  return (
    <Page
      title={title}
      actions={
        <LinkButton
          icon={ArrowLeftRight}
          label={words.compare.swap}
          className="btn-ghost btn-sm ml-auto"
          to="/runs/compare"
          search={{ a: b, b: a }}
        />
      }
    >
      <Fetched query={comparison}>
        {(data) =>
          runA.data === undefined || runB.data === undefined ? null : (
            <Both comparison={data} a={runA.data} b={runB.data} />
          )
        }
      </Fetched>
    </Page>
  )
}

function Both({ comparison, a, b }: { comparison: Comparison; a: Detail; b: Detail }) {
  const { words, formats } = useWords()
  const [metadataA, metadataB] = [a.response.metadata, b.response.metadata]
  const [viewA, viewB] = [useRun(a.run.runId).view, useRun(b.run.runId).view]
  const workA = viewA === undefined ? metadataA.latencyMs : workMs(viewA.state)
  const workB = viewB === undefined ? metadataB.latencyMs : workMs(viewB.state)
  const figures = [
    [words.compare.time, workA, workB, formats.duration],
    [words.panel.cost, metadataA.usage.costUsd, metadataB.usage.costUsd, formats.money],
    [words.panel.tokens, tokens(metadataA), tokens(metadataB), formats.compact],
    [words.panel.modelCalls, metadataA.usage.calls, metadataB.usage.calls, (value: number) => formats.number(value)],
  ] as const
  const jobs = comparison.jobs.filter(isShownStep)
  const first = jobs.find(({ isSame }) => !isSame)
  return (
    <>
      <dl className="card mb-4 grid grid-cols-2 gap-px overflow-hidden bg-line! lg:grid-cols-4">
        {figures.map(([name, before, after, format]) => (
          <div key={name} className="bg-surface px-4 py-3">
            <dt className="text-12 text-text-3">{name}</dt>
            <dd className="num flex flex-wrap items-center gap-1.5 text-15 font-semibold">
              {format(before)} <ArrowRight size={14} aria-hidden className="text-text-3" /> {format(after)}
            </dd>
            <dd className="text-12 text-text-2">{changeOf(before, after, words, formats)}</dd>
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
      <WhatDiffers comparison={{ ...comparison, jobs }} />
      {first === undefined ? null : <FirstDifference job={first} runId={b.run.runId} />}
      <div {...(comparison.isSameAnswer ? {} : { 'data-difference': true, tabIndex: -1 })}>
        <Section
          title={words.runs.answer}
          lead={comparison.isSameAnswer ? words.compare.sameAnswer : words.compare.otherAnswer}
        >
          <BothAnswers a={a.response.answer} b={b.response.answer} />
        </Section>
      </div>
      <Section
        title={words.compare.steps}
        lead={comparison.isSamePlan ? words.compare.samePlan : words.compare.otherPlan}
      >
        <ul>
          {jobs.map((job) => (
            <JobLine key={job.key} job={job} isFirst={job === first} runId={b.run.runId} />
          ))}
        </ul>
      </Section>
    </>
  )
}

function answeredIn({ isAnswered, unanswered }: ResponseMetadata): 'all' | 'partly' | 'nothing' {
  if (!isAnswered) return 'nothing'
  return unanswered.length > 0 ? 'partly' : 'all'
}

/** How much more or less in words; nothing where there was nothing on one side. */
function changeOf(before: number, after: number, words: Words, formats: Formats): string | undefined {
  if (before === after) return words.compare.equal
  if (before === 0 || after === 0) return undefined
  const share = formats.percent(Math.abs(after - before) / before)
  return after < before ? words.compare.less({ share }) : words.compare.more({ share })
}

function tokens({ usage }: ResponseMetadata): number {
  return usage.inputTokens + usage.outputTokens
}
