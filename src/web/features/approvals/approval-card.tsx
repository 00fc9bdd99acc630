import { Hand } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ApprovalAsked } from '../../run/run-log.ts'
import { useWords } from '../../words/words.tsx'
import { Countdown } from './countdown.tsx'
import { titleOf } from './payload.tsx'

const ApprovalDialog = lazy(() => import('./approval-dialog.tsx'))

/** A call that waits, in the run that it belongs to. */
export function ApprovalCard({ approvalId, asked }: { approvalId: string; asked: ApprovalAsked | undefined }) {
  const { words } = useWords()
  const [isOpen, setOpen] = useState(false)
  if (asked === undefined) return null
  return (
    <section className="banner tone-warn items-center">
      <Hand size={18} aria-hidden className="mt-0!" />
      <div className="min-w-0 flex-1">
        <b className="block text-text">{titleOf(asked.tool, words)}</b>
        <span className="text-12">
          {asked.tool} · {words.approval.expires} <Countdown until={asked.expiresAt} />
        </span>
      </div>
      <button type="button" className="btn btn-primary" onClick={() => setOpen(true)}>
        {words.approval.review}
      </button>
      {isOpen ? (
        <Suspense>
          <ApprovalDialog
            approval={{ ...asked, approvalId, expiresAt: new Date(asked.expiresAt).toISOString() }}
            close={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </section>
  )
}
