import { Hand } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isQuestion, stepOfPath } from '../../../client/run.ts'
import type { RunView } from '../../run/run-log.ts'
import { LoadingMark } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Countdown } from './countdown.tsx'
import { Summary } from './summary.tsx'
import { approvalTitle } from './approval-title.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Button } from '../../ui/button.tsx'

const ApprovalDialog = lazyComponent(() => import('./approval-dialog.tsx'), <LoadingMark />)

/**
 * A pending call within its run. The first pending call of a step shows all pending calls. If a call is decided
 * elsewhere while its dialog is open, the dialog stays open and shows the decision.
 */
export function ApprovalCard({ approvalId, view }: { approvalId: string; view: RunView }) {
  const { words } = useWords()
  const [openId, setOpen] = useState<string | undefined>()
  // Preload the dialog, so that it opens without a connection.
  useEffect(() => void ApprovalDialog.preload(), [])
  const stepKey = (id: string): string => {
    const { key, path } = view.asked.get(id)!
    return stepOfPath(key, path) ?? id
  }
  const pending = [...view.state.openApprovals.values()]
    .filter((asked) => !isQuestion(asked) && stepKey(asked.approvalId) === stepKey(approvalId))
    .map((asked) => asked.approvalId)
  const open = openId === undefined ? undefined : view.asked.get(openId)
  return (
    <>
      {pending[0] !== approvalId ? null : (
        <section className="banner tone-warn" aria-label={words.approval.waiting({ n: pending.length })}>
          <Hand size={18} aria-hidden />
          <ul className="min-w-0 flex-1">
            {pending
              .map((id) => view.asked.get(id)!)
              .map((asked) => (
                <li key={asked.approvalId} className="flex items-center gap-2 not-first:mt-2">
                  <div className="min-w-0 flex-1">
                    <b className="block text-text">{approvalTitle(asked, words)}</b>
                    <Summary approval={asked} />
                    <span className="text-12">
                      {words.approval.expires} <Countdown until={asked.expiresAt} />
                    </span>
                  </div>
                  <Button
                    label={words.approval.review}
                    className="btn-primary"
                    onClick={() => setOpen(asked.approvalId)}
                  />
                </li>
              ))}
          </ul>
        </section>
      )}
      {open === undefined ? null : (
        <ApprovalDialog
          approval={{ ...open, expiresAt: new Date(open.expiresAt).toISOString() }}
          close={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
