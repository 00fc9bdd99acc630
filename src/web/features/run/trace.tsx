import { useEffect, useRef } from 'react'
import type { RunView } from '../../run/run-log.ts'
import type { Step } from '../../run/steps.ts'
import { useNow } from '../../ui/use-now.ts'
import { useWords } from '../../locales/words.tsx'
import { spanOf } from './span-bar.tsx'
import { TraceStep } from './trace-step.tsx'

interface TraceProps {
  readonly steps: readonly Step[]
  readonly view: RunView
  readonly selected?: string
}

/** Every step with its calls: input, output, time, duration, cost. */
export function Trace({ steps, view, selected }: TraceProps) {
  const { words, formats } = useWords()
  const now = useNow(!view.isOver)
  const list = useRef<HTMLOListElement>(null)
  const begun = steps.filter(({ job }) => job !== undefined)
  const span = spanOf(begun, now)
  useEffect(() => list.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest' }), [selected])
  if (span === undefined) return null
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <p className="flex flex-none items-center border-b border-line px-5 py-1 text-12 text-text-2">
        {words.step.all({ n: begun.length })}
        <span className="mono ml-auto">{formats.duration(span.until - span.from)}</span>
      </p>
      <div className="min-h-0 flex-1 overflow-y-auto px-3 pb-3" tabIndex={0}>
        <ol ref={list}>
          {begun.map((step) => (
            <TraceStep key={step.id} step={step} view={view} span={span} isSelected={step.id === selected} />
          ))}
        </ol>
      </div>
    </div>
  )
}
