import { hueOf } from '../../run/agents.ts'
import type { RunView } from '../../run/run-log.ts'
import type { Step } from '../../run/steps.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useWords } from '../../locales/words.tsx'

/** Where the time of a run went: a bar for each step, on one scale. */
export function TimeBars({
  steps,
  view,
  selected,
  select,
  lit,
  light,
}: {
  steps: readonly Step[]
  view: RunView
  selected?: string
  select: (id: string) => void
  /** The step that is pointed at, here or in the plan. */
  lit: string | undefined
  light: (id: string | undefined) => void
}) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const now = useNow(!view.isOver)
  const begun = steps.filter((step) => step.startedAt !== undefined)
  const start = Math.min(...begun.map((step) => step.startedAt!))
  const end = Math.max(...begun.map((step) => step.endedAt ?? now))
  const span = Math.max(1, end - start)
  if (begun.length === 0) return null
  return (
    <section className="border-t border-line bg-surface px-4 py-3">
      <h2 className="flex text-13 font-semibold">
        {words.panel.whereTime}
        <span className="mono ml-auto font-normal text-text-2">{formats.duration(end - start)}</span>
      </h2>
      <ul className="mt-1 max-h-52 overflow-y-auto">
        {begun.map((step) => {
          const took = (step.endedAt ?? now) - step.startedAt!
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
                      left: `${((step.startedAt! - start) / span) * 100}%`,
                      width: `max(3px, ${(took / span) * 100}%)`,
                      background: step.state === 'failed' ? 'var(--bad)' : `var(--ag-${hueOf(step.actor)})`,
                    }}
                  />
                </span>
                <span className="mono w-16 text-right text-text-2">{formats.duration(took)}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
