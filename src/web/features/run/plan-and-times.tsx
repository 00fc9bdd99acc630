import { useState } from 'react'
import type { RunView } from '../../run/run-log.ts'
import type { Step } from '../../run/steps.ts'
import { PlanGraph } from './plan-graph.tsx'
import { TimeBars } from './time-bars.tsx'

interface PlanAndTimesProps {
  readonly steps: readonly Step[]
  readonly view: RunView
  readonly selected?: string
  readonly select: (id: string) => void
  readonly isInPage?: boolean
}

/** The plan of a run and the bars of its steps. Pointing at a step in one of them highlights it in both. */
export function PlanAndTimes({ view, isInPage = false, ...shown }: PlanAndTimesProps) {
  const [lit, light] = useState<string | undefined>()
  return (
    <>
      <PlanGraph {...shown} lit={lit} light={light} isInPage={isInPage} />
      <TimeBars {...shown} view={view} lit={lit} light={light} />
    </>
  )
}
