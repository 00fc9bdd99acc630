import { ArrowDown, ArrowUp, Check, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import { useMayChange } from '../../app/session.ts'
import { STATES } from '../../run/steps.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { differenceOf, sideOf, type Piece } from '../../ui/difference.tsx'
import type { Words } from '../../locales/texts.ts'
import { Cut } from '../../ui/list.tsx'
import { useWords } from '../../locales/words.tsx'
import { ForkOther } from '../run/fork.tsx'

export type Comparison = Schemas['Comparison']
type Job = Comparison['jobs'][number]
type Outcome = NonNullable<Job['a']>

/** Describes what is equal and what differs in two runs. N and P move between differences. */
export function WhatDiffers({ comparison }: { comparison: Comparison }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const { request, jobs, isSamePlan, isSameAnswer } = comparison
  const changed = jobs.filter(({ isSame }) => !isSame)
  const isAllSame = request.length === 0 && isSamePlan && isSameAnswer && changed.length === 0
  useKeys({ n: () => move(1), p: () => move(-1) })
  const fields = formats.list(request.map((field) => words.compare.fields[field] ?? field))
  const names = formats.list([...new Set(changed.map(({ actor }) => nameOf(actor)))])
  const counts = { n: jobs.length - changed.length, all: jobs.length, others: names }
  const lines: readonly (readonly [isSame: boolean, text: string])[] = isAllSame
    ? [[true, words.compare.noneDiffers]]
    : [
        request.length === 0 ? [true, words.compare.askedSame] : [false, words.compare.asked({ fields })],
        [isSamePlan, isSamePlan ? words.compare.samePlan : words.compare.otherPlan],
        changed.length === 0 ? [true, words.compare.same] : [false, words.compare.stepsSame(counts)],
        [isSameAnswer, isSameAnswer ? words.compare.sameAnswer : words.compare.otherAnswer],
      ]
  const count = changed.length + (isSameAnswer ? 0 : 1)
  return (
    <section className="card mb-4 overflow-hidden" aria-label={words.compare.whatDiffers}>
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 border-b border-line px-4 py-2">
        <h2 className="text-14 font-semibold">{words.compare.whatDiffers}</h2>
        {count === 0 ? null : (
          <span className="ml-auto flex items-center gap-2 text-12 text-text-2">
            {words.compare.differences({ n: count })}
            <Button icon={ArrowUp} className="btn-sm" aria-label={words.compare.previous} onClick={() => move(-1)}>
              <kbd className="kbd max-sm:hidden">P</kbd>
            </Button>
            <Button icon={ArrowDown} className="btn-sm" aria-label={words.compare.next} onClick={() => move(1)}>
              <kbd className="kbd max-sm:hidden">N</kbd>
            </Button>
          </span>
        )}
      </header>
      <ul className="flex flex-col gap-1.5 px-4 py-3 text-13">
        {lines.map(([isSame, text]) => (
          <Line key={text} isSame={isSame} text={text} />
        ))}
      </ul>
    </section>
  )
}

function Line({ isSame, text }: { isSame: boolean; text: string }) {
  const Icon = isSame ? Check : TriangleAlert
  return (
    <li className="flex items-start gap-2">
      <Icon size={16} aria-hidden className={`mt-0.5 flex-none ${isSame ? 'text-ok' : 'text-warn'}`} />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </li>
  )
}

/** Moves the focus to the next or previous difference, and wraps around. */
function move(by: number): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-difference]')]
  const at = all.findIndex((one) => one.contains(document.activeElement))
  const next = all.at(at === -1 ? (by > 0 ? 0 : -1) : (at + by) % all.length)
  if (next instanceof HTMLDetailsElement) next.open = true
  const focused = next instanceof HTMLDetailsElement ? next.querySelector('summary') : next
  focused?.focus()
  focused?.scrollIntoView({ block: 'center' })
}

/**
 * The first step at which two runs differ.
 * @param runId of B
 */
export function FirstDifference({ job, runId }: { job: Job; runId: string }) {
  const { words } = useWords()
  const nameOf = useAgentName()
  return (
    <section className="card mb-4 overflow-hidden" aria-label={words.compare.first} data-difference tabIndex={-1}>
      <header className="banner tone-warn flex-wrap items-center rounded-none border-0 border-b">
        <p className="min-w-0 flex-1 basis-40">
          <b>{words.compare.first}:</b> {nameOf(job.actor)}
          {job.text === undefined ? null : `: ${job.text}`}
        </p>
        <ForkB job={job} runId={runId} />
      </header>
      <Sides job={job} />
    </section>
  )
}

/** A step of both runs. If it differs, it expands into both results. */
export function JobLine({ job, isFirst, runId }: { job: Job; isFirst: boolean; runId: string }) {
  const { words } = useWords()
  const nameOf = useAgentName()
  const { actor, text, isSame, a, b } = job
  const line = (
    <>
      <AgentMark actor={actor} />
      <span className="min-w-32 flex-1 basis-0">
        <b className="block">{nameOf(actor)}</b>
        {text === undefined ? null : <Cut text={text} className="block text-12 text-text-2" />}
      </span>
      <span className="text-12 text-text-2">
        {stateOf(a, words)} → {stateOf(b, words)}
      </span>
      <span className={`badge ${isSame ? '' : 'tone-warn'}`}>
        {isSame ? words.compare.isSame : words.compare.differs}
      </span>
    </>
  )
  if (isSame || isFirst) return <li className="line">{line}</li>
  return (
    <li className="border-b border-line last:border-0">
      <details data-difference>
        <summary className="line cursor-pointer border-0!">{line}</summary>
        <div className="border-t border-line">
          <Sides job={job} />
          <div className="px-4 pb-3">
            <ForkB job={job} runId={runId} />
          </div>
        </div>
      </details>
    </li>
  )
}

function ForkB({ job, runId }: { job: Job; runId: string }) {
  const { words } = useWords()
  const mayChange = useMayChange()
  if (!mayChange || job.b === undefined) return null
  return <ForkOther runId={runId} from={job.key} label={words.compare.fork} />
}

/** The results of a step in both runs, and their differences. */
function Sides({ job: { a, b, differs } }: { job: Job }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const texts = [a, b].map((one) => one?.answer ?? one?.error ?? stateOf(one, words)) as [string, string]
  const pieces = useMemo(() => differenceOf(...texts), [texts[0], texts[1]])
  return (
    <>
      {differs.length === 0 ? null : (
        <p className="border-b border-line px-4 py-2 text-12 text-text-2">
          {words.compare.inWhat({ what: formats.list(differs.map((side) => words.compare.sides[side])) })}
        </p>
      )}
      <div className="grid text-13 md:grid-cols-2">
        {[a, b].map((one, at) => (
          <div
            key={at}
            className="border-line p-4 whitespace-pre-wrap wrap-anywhere not-first:border-t md:not-first:border-t-0 md:not-first:border-l"
          >
            <span className="badge tone-accent mr-2 align-middle">{'AB'[at]}</span>
            {one === undefined ? (
              words.compare.notDone
            ) : one.plan !== undefined ? (
              one.plan.map(({ agent }) => nameOf(agent)).join(', ')
            ) : a === undefined || b === undefined ? (
              texts[at]
            ) : (
              <SideText pieces={pieces} at={at} />
            )}
          </div>
        ))}
      </div>
    </>
  )
}

/** Two answers side by side. */
export function BothAnswers({ a, b }: { a: string; b: string }) {
  const pieces = useMemo(() => differenceOf(a, b), [a, b])
  return (
    <div className="grid text-14 md:grid-cols-2">
      {[0, 1].map((at) => (
        <div key={at} className="min-w-0 border-line p-4 whitespace-pre-wrap wrap-anywhere md:not-first:border-l">
          <SideText pieces={pieces} at={at} />
        </div>
      ))}
    </div>
  )
}

/** One of two texts, with the words marked that only it has. */
function SideText({ pieces, at }: { pieces: readonly Piece[]; at: number }) {
  return sideOf(pieces, at).map(({ text, change }, n) =>
    change === undefined ? (
      <span key={n}>{text}</span>
    ) : (
      <mark key={n} className={`rounded-xs ${at === 0 ? 'tone-ok' : 'tone-accent'}`}>
        {text}
      </mark>
    ),
  )
}

function stateOf(one: Outcome | undefined, words: Words): string {
  return one === undefined ? '–' : words.step.state[STATES[one.status as keyof typeof STATES] ?? 'running']
}
