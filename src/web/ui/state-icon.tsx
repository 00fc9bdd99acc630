import { Ban, Check, CircleDashed, CircleX, Hand, Minus, Square, X } from 'lucide-react'
import type { StepState } from '../run/steps.ts'
import { useWords } from '../locales/words.tsx'

const ICONS = {
  todo: CircleDashed,
  waiting: Hand,
  done: Check,
  rejected: CircleX,
  failed: X,
  declined: Minus,
  skipped: Ban,
  stopped: Square,
} as const
const COLOURS: Readonly<Record<StepState, string>> = {
  todo: 'text-text-3',
  running: 'text-accent-text',
  waiting: 'text-warn',
  done: 'text-ok',
  rejected: 'text-bad',
  failed: 'text-bad',
  declined: 'text-text-3',
  skipped: 'text-text-3',
  stopped: 'text-text-3',
}

/** Each state has its own form, not its colour alone. */
export function StateIcon({ state }: { state: StepState }) {
  const { words } = useWords()
  const label = words.step.state[state]
  if (state === 'running') return <span className="spin" role="img" aria-label={label} />
  const Icon = ICONS[state]
  return <Icon size={16} className={`flex-none ${COLOURS[state]}`} role="img" aria-label={label} />
}
