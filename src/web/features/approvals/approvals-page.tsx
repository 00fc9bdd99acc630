import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import type { Approval } from '../../app/types.ts'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../words/words.tsx'
import ApprovalDialog from './approval-dialog.tsx'
import { Countdown } from './countdown.tsx'
import { titleOf } from './payload.tsx'

/** All that waits for the person's word, in whichever run. */
export default function ApprovalsPage() {
  const { words } = useWords()
  const [open, setOpen] = useState<Approval | undefined>()
  const approvals = useQuery({
    queryKey: ['approvals', 'pending'],
    queryFn: ({ signal }) => api.get<Items<Approval>>('/approvals?status=pending', signal),
    refetchInterval: 10_000,
  })
  return (
    <Page title={words.approval.title} lead={words.approval.lead}>
      <Fetched query={approvals}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={ShieldCheck} title={words.approval.none}>
              {words.approval.noneHint}
            </Empty>
          ) : (
            <ul className="flex flex-col gap-3">
              {items.map((approval) => (
                <li key={approval.approvalId} className="card flex flex-wrap items-center gap-3 p-4">
                  <div className="min-w-0 flex-1">
                    <h2 className="text-14 font-semibold">{titleOf(approval.tool, words)}</h2>
                    <p className="text-13 text-text-2">{approval.reason}</p>
                    <p className="mt-1 text-12 text-text-3">
                      {words.approval.expires} <Countdown until={Date.parse(approval.expiresAt)} /> ·{' '}
                      <Link
                        to="/runs/$runId"
                        params={{ runId: approval.runId }}
                        className="text-accent-text hover:underline"
                      >
                        {words.answer.openRun}
                      </Link>
                    </p>
                  </div>
                  {approval.provenance?.trust === 'untrusted' ? (
                    <span className="badge tone-taint">{words.answer.untrusted}</span>
                  ) : null}
                  <button type="button" className="btn btn-primary" onClick={() => setOpen(approval)}>
                    {words.approval.review}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      {open === undefined ? null : <ApprovalDialog approval={open} close={() => setOpen(undefined)} />}
    </Page>
  )
}
