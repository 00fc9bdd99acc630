import { useMemo } from 'react'
import { layout } from '../../run/layout.ts'
import type { Step } from '../../run/steps.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { useWords } from '../../locales/words.tsx'

/** Who works in which order, by the names that people know. */
export function PlanSummary({ steps }: { steps: readonly Step[] }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const rows = useMemo(() => {
    const tasks = steps.filter(({ job, isReplaced }) => !isReplaced && (job === undefined || job.task !== undefined))
    const placedSteps = layout(tasks).placed
    const depths = [...new Set(placedSteps.map(({ y }) => y))].toSorted((a, b) => a - b)
    return depths.map((depth) => [...new Set(placedSteps.filter(({ y }) => y === depth).map(({ step }) => step.actor))])
  }, [steps])
  if (rows.length === 0) return <span>{words.panel.nobody}</span>
  const names = rows.map((row) =>
    row.length === 1 ? nameOf(row[0]!) : words.panel.together({ names: formats.list(row.map(nameOf)) }),
  )
  const text = names.reduce((first, next) => words.panel.order({ first, next }))
  return (
    <span className="line-clamp-2" title={text}>
      {text}
    </span>
  )
}
