import { Hand } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { RunView } from '../../run/run-log.ts'
import { Soon } from '../../ui/states.tsx'
import { useWords } from '../../words/words.tsx'
import { Countdown } from './countdown.tsx'
import { titleOf } from './title.ts'
import { lazily } from '../../ui/lazily.tsx'

const ApprovalDialog = lazily(() => import('./approval-dialog.tsx'))

/** A call that waits, in the run that it belongs to. Its dialog stays open when it is decided elsewhere, and says so. */
export function ApprovalCard({ approvalId, view }: { approvalId: string; view: RunView }) {
  const { words } = useWords()
  const [isOpen, setOpen] = useState(false)
  // It opens without a connection, too: what it shows is here.
  useEffect(() => void ApprovalDialog.preload(), [])
  const asked = view.asked.get(approvalId)
  if (asked === undefined) return null
  const isPending = view.state.openApprovals.has(approvalId)
  return (
    <>
      {isPending ? (
        <section className="banner tone-warn items-center">
          <Hand size={18} aria-hidden className="mt-0!" />
          <div className="min-w-0 flex-1">
            <b className="block text-text">{titleOf(asked, words)}</b>
            <span className="text-12">
              {words.approval.expires} <Countdown until={asked.expiresAt} />
            </span>
          </div>
          <button type="button" className="btn btn-primary" onClick={() => setOpen(true)}>
            {words.approval.review}
          </button>
        </section>
      ) : null}
      {isOpen ? (
        <Suspense fallback={<Soon />}>
          <ApprovalDialog
            approval={{ ...asked, expiresAt: new Date(asked.expiresAt).toISOString() }}
            close={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}
