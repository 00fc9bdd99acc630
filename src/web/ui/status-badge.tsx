import { Check, CircleSlash, Hand, Minus, X } from 'lucide-react'
import type { RunSummary } from '../app/types.ts'
import { useWords } from '../words/words.tsx'

/** How a run stands. One that ended without an answer is no success. */
export function StatusBadge({
  status,
  isAnswered,
}: {
  status: RunSummary['status']
  isAnswered?: boolean | undefined
}) {
  const { words } = useWords()
  if (status === 'running') {
    return (
      <span className="badge tone-accent">
        <span className="spin size-2.5!" aria-hidden />
        {words.status.running}
      </span>
    )
  }
  const looks = {
    waiting: ['tone-warn', Hand, words.status.waiting],
    finished: ['tone-ok', Check, words.status.finished],
    declined: ['', Minus, words.status.notAnswered],
    failed: ['tone-bad', X, words.status.failed],
    cancelled: ['', CircleSlash, words.status.cancelled],
  } as const
  const [tone, Icon, label] = looks[status === 'finished' && isAnswered === false ? 'declined' : status]
  return (
    <span className={`badge ${tone}`}>
      <Icon aria-hidden />
      {label}
    </span>
  )
}
