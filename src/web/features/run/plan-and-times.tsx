import { useState } from 'react'
import type { RunView } from '../../run/run-log.ts'
import type { Step } from '../../run/steps.ts'
import { shareOf, spanOf } from '../../run/trace.ts'
import { hueOf } from '../../run/agents.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useWords } from '../../locales/words.tsx'
import { PlanGraph } from './plan-graph.tsx'

interface PlanAndTimesProps {
  readonly steps: readonly Step[]
  readonly view: RunView
  readonly selected?: string
  readonly select: (id: string) => void
  readonly isInPage?: boolean
}

/** The plan of a run and the bars of its steps. Pointing at a step in one of them highlights it in both. */
export function PlanAndTimes({ view, isInPage = false, ...plan }: PlanAndTimesProps) {
  const [lit, light] = useState<string | undefined>()
  return (
    <>
      <PlanGraph {...plan} lit={lit} light={light} isInPage={isInPage} />
      <TimeBars {...plan} view={view} lit={lit} light={light} />
    </>
  )
}

interface TimeBarsProps extends Omit<PlanAndTimesProps, 'isInPage'> {
  /** The step that is pointed at, here or in the plan. */
  readonly lit: string | undefined
  readonly light: (id: string | undefined) => void
}

/** Where the time of a run went: a bar for each step, on one scale. */
function TimeBars({ steps, view, selected, select, lit, light }: TimeBarsProps) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const now = useNow(!view.isOver)
  const span = spanOf(steps, now)
  if (span === undefined) return null
  return (
    <section className="border-t border-line bg-surface px-4 py-3">
      <h2 className="flex text-13 font-semibold">
        {words.panel.whereTime}
        <span className="mono ml-auto font-normal text-text-2">{formats.duration(span.until - span.from)}</span>
      </h2>
      <ul className="mt-1 max-h-52 overflow-y-auto">
        {steps.map((step) => {
          if (step.startedAt === undefined) return null
          const bar = { from: step.startedAt, until: step.endedAt ?? span.until }
          const [left, width] = shareOf(bar, span)!
          return (
            <li key={step.id}>
              <button
                type="button"
                className={`on-paper flex min-h-7 w-full items-center gap-2 rounded-md text-left text-13 hover:bg-surface-2 ${step.id === selected || step.id === lit ? 'bg-surface-2' : ''}`}
                data-lit={step.id === lit}
                onClick={() => select(step.id)}
                onPointerEnter={() => light(step.id)}
                onPointerLeave={() => light(undefined)}
              >
                <AgentMark actor={step.actor} />
                <span className="cut w-28 flex-none">{nameOf(step.actor)}</span>
                <span className="relative h-2 flex-1">
                  <span
                    className="ag absolute h-2 rounded-xs"
                    style={{
                      left: `${left * 100}%`,
                      width: `max(3px, ${width * 100}%)`,
                      background: step.state === 'failed' ? 'var(--bad)' : `var(--ag-${hueOf(step.actor)})`,
                    }}
                  />
                </span>
                <span className="mono w-16 text-right text-text-2">{formats.duration(bar.until - bar.from)}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
