import { Check, CircleSlash, Hand, Minus, X } from 'lucide-react'
import type { RunView } from '../run/run-log.ts'
import type { RunSummary } from '../app/types.ts'
import { useWords } from '../locales/words.tsx'

const STYLES = {
  waiting: ['tone-warn', Hand],
  done: ['', Check],
  finished: ['tone-ok', Check],
  partly: ['tone-warn', Minus],
  notAnswered: ['', Minus],
  failed: ['tone-bad', X],
  cancelled: ['', CircleSlash],
} as const
const OUTCOMES = { all: 'finished', partly: 'partly', nothing: 'notAnswered', unknown: 'done' } as const

/** Status of a run. A run without an answer is not shown as a success, nor is one with an unknown outcome. */
export function StatusBadge({ status, answered }: { status: RunSummary['status']; answered?: RunView['answered'] }) {
  const { words } = useWords()
  if (status === 'running') {
    return (
      <span className="badge tone-accent">
        <span className="spin size-2.5!" aria-hidden />
        {words.status.running}
      </span>
    )
  }
  const name = status === 'finished' ? OUTCOMES[answered ?? 'unknown'] : status
  const [tone, Icon] = STYLES[name]
  return (
    <span className={`badge ${tone}`}>
      <Icon aria-hidden />
      {words.status[name]}
    </span>
  )
}
