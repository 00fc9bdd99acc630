import { NODE } from '../../run/layout.ts'
import type { Step } from '../../run/steps.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'
import { apiError } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

interface PlanNodeProps {
  readonly step: Step
  readonly x: number
  readonly y: number
  readonly isSelected: boolean
  readonly isFrom: boolean
  readonly isLit: boolean
  readonly isRefused: boolean
  readonly select: (id: string) => void
  /** Keys apply to the focused step. */
  readonly focus?: (id: string) => void
  readonly light?: (id: string | undefined) => void
}

/** A step of the plan graph. */
export function PlanNode({ step, x, y, isSelected, isFrom, isLit, isRefused, select, focus, light }: PlanNodeProps) {
  const { words, formats, tell } = useWords()
  const name = useAgentName()(step.actor)
  const took = step.startedAt === undefined || step.endedAt === undefined ? undefined : step.endedAt - step.startedAt
  const trouble = step.trouble === undefined ? undefined : tell(apiError(step.trouble)).text
  const below = trouble ?? step.rejection ?? step.text ?? words.step.state[step.state]
  return (
    <button
      type="button"
      className={`node absolute ${step.isReplaced ? 'opacity-50' : ''}`}
      data-state={step.state}
      data-step={step.id}
      data-selected={isSelected || isFrom}
      data-lit={isLit}
      data-refused={isRefused}
      style={{ left: x, top: y, width: NODE.width }}
      title={below}
      onClick={() => select(step.id)}
      onFocus={() => focus?.(step.id)}
      onPointerEnter={() => light?.(step.id)}
      onPointerLeave={() => light?.(undefined)}
    >
      <span className="flex items-center gap-2 text-13/4 font-semibold">
        <AgentMark actor={step.actor} />
        <span className="cut flex-1">
          {name}
          {step.round > 1 ? ` ${step.round}` : ''}
        </span>
        <StateIcon state={step.state} />
      </span>
      <span className="flex items-center gap-1.5 text-11 text-text-3">
        <span className={`cut flex-1 ${step.state === 'failed' || step.state === 'rejected' ? 'text-bad' : ''}`}>
          {below}
        </span>
        {took === undefined ? null : <span className="mono text-11">{formats.duration(took)}</span>}
      </span>
    </button>
  )
}
