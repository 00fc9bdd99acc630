import { Check, CircleSlash, Hand, Minus, X } from 'lucide-react'
import type { RunView } from '../run/run-log.ts'
import type { RunSummary } from '../app/types.ts'
import { useWords } from '../locales/words.tsx'

const OUTCOMES = { all: 'finished', partly: 'partly', nothing: 'declined' } as const

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
  const styles = {
    waiting: ['tone-warn', Hand, words.status.waiting],
    finished: [
      answered === undefined ? '' : 'tone-ok',
      Check,
      answered === undefined ? words.status.done : words.status.finished,
    ],
    partly: ['tone-warn', Minus, words.status.partly],
    declined: ['', Minus, words.status.notAnswered],
    failed: ['tone-bad', X, words.status.failed],
    cancelled: ['', CircleSlash, words.status.cancelled],
  } as const
  const [tone, Icon, label] = styles[status === 'finished' && answered !== undefined ? OUTCOMES[answered] : status]
  return (
    <span className={`badge ${tone}`}>
      <Icon aria-hidden />
      {label}
    </span>
  )
}
