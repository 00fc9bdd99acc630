import type { Approval } from '../../app/types.ts'
import { useWords } from '../../words/words.tsx'

interface DecidedProps {
  readonly approval: Approval | undefined
  readonly isLate: boolean
  readonly mayDecide: boolean
}

/** What became of a call that waits no more, in place of the buttons. */
export function Decided({ approval, isLate, mayDecide }: DecidedProps) {
  const { words, formats } = useWords()
  const { status = 'pending', decidedBy = '', decidedAt, instructions } = approval ?? {}
  const at = decidedAt === undefined ? '' : formats.time(Date.parse(decidedAt))
  const said =
    status === 'approved'
      ? words.approval.wasApproved(nameOf(decidedBy, words.approval.you), at)
      : status === 'denied'
        ? words.approval.wasDenied(nameOf(decidedBy, words.approval.you), at)
        : isLate || status === 'timed_out' || status === 'expired'
          ? words.approval.wasLate
          : mayDecide
            ? ''
            : words.session.readOnly
  return (
    <p className="text-13 text-text-2" role="status">
      {said}
      {instructions === undefined ? null : <span className="block text-12">“{instructions}”</span>}
    </p>
  )
}

/** The one user of a machine without accounts has a name that says nothing. */
function nameOf(userId: string, you: string): string {
  return userId === 'local' || userId === '' ? you : userId
}
