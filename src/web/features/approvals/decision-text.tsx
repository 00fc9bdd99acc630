import { isQuestion } from '../../../client/run.ts'
import { useSession } from '../../app/session.ts'
import type { Approval } from '../../app/types.ts'
import { useWords } from '../../locales/words.tsx'

interface DecisionProps {
  readonly approval: Approval | undefined
  readonly isExpired: boolean
  readonly mayDecide: boolean
}

/** The decision on a call, shown in place of the buttons. */
export function DecisionText({ approval, isExpired, mayDecide }: DecisionProps) {
  const { words, formats } = useWords()
  const own = useSession()?.caller?.userId
  const { tool = '', status = 'pending', decidedBy = '', decidedAt, instructions } = approval ?? {}
  const decider = decidedBy === '' || decidedBy === 'local' || decidedBy === own ? words.approval.you : decidedBy
  const at = decidedAt === undefined ? '' : formats.time(Date.parse(decidedAt))
  const decisionText =
    status === 'approved'
      ? (isQuestion({ tool }) ? words.decided.wasAnswered : words.approval.wasApproved)({ by: decider, at })
      : status === 'denied'
        ? isQuestion({ tool })
          ? words.approval.unanswered
          : words.approval.wasDenied({ by: decider, at })
        : isExpired || status === 'timed_out' || status === 'expired'
          ? words.approval.wasLate
          : mayDecide
            ? ''
            : words.session.readOnly
  return (
    <p className="text-13 text-text-2" role="status">
      {decisionText}
      {instructions === undefined ? null : (
        <span className="block text-12">{words.quoted({ text: instructions })}</span>
      )}
    </p>
  )
}
