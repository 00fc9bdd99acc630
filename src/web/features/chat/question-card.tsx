import { useMutation } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import { api } from '../../../client/api.ts'
import type { UserQuestion } from '../../../client/run.ts'
import { useMayChange } from '../../app/session.ts'
import type { RunView } from '../../run/run-log.ts'
import { Button } from '../../ui/button.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { ChoiceButtons } from '../approvals/choice-buttons.tsx'
import { Countdown } from '../approvals/countdown.tsx'
import { UserText } from './user-text.tsx'

/** Answers a question of a run in words; undefined leaves it unanswered. */
export function answerQuestion(approvalId: string, text: string | undefined): Promise<unknown> {
  const decision = text === undefined ? { decision: 'denied' } : { decision: 'approved', instructions: text }
  return api.post(`/approvals/${encodeURIComponent(approvalId)}/decide`, decision)
}

/** A question to the user within its turn, then the answer. The composer accepts other answers than the choices. */
export function QuestionCard({ approvalId, view }: { approvalId: string; view: RunView }) {
  const { words } = useWords()
  const mayChange = useMayChange()
  const answer = useMutation({ mutationFn: (text?: string) => answerQuestion(approvalId, text) })
  const { payload, provenance, expiresAt } = view.asked.get(approvalId)!
  const { question } = payload as UserQuestion
  const { decision, instructions } = view.state.approvals.get(approvalId) ?? {}
  return (
    <>
      <section className="flex items-start gap-2" aria-label={words.approval.question}>
        <MessageCircleQuestion size={18} aria-hidden className="mt-0.5 flex-none text-accent-text" />
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <p className="text-15 whitespace-pre-wrap wrap-anywhere">{showInvisible(question)}</p>
          {provenance?.author === 'outside' ? (
            <span className="badge tone-taint self-start">{words.answer.untrusted}</span>
          ) : null}
          {decision !== undefined || view.isOver || !mayChange ? null : (
            <div className="flex flex-wrap items-center gap-2">
              <ChoiceButtons payload={payload} disabled={answer.isPending} choose={answer.mutate} />
              <Button
                label={words.approval.leave}
                className="btn-ghost"
                disabled={answer.isPending}
                onClick={() => answer.mutate(undefined)}
              />
              <span className="text-12 text-text-2">
                {words.approval.openFor} <Countdown until={expiresAt} />
              </span>
            </div>
          )}
          {decision === undefined || decision === 'approved' ? null : (
            <p className="text-12 text-text-2">{words.approval.unanswered}</p>
          )}
          <ErrorBanner error={answer.error} isInText />
        </div>
      </section>
      {decision === 'approved' && instructions !== undefined ? <UserText text={showInvisible(instructions)} /> : null}
    </>
  )
}
