import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { api, type Page } from '../../app/api.ts'
import type { Approval } from '../../app/types.ts'
import { Empty, Loading, Trouble } from '../../ui/states.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { useWords } from '../../words/words.tsx'
import ApprovalDialog from './approval-dialog.tsx'
import { Countdown } from './countdown.tsx'
import { titleOf } from './payload.tsx'

/** All that waits for the person's word, in whichever run. */
export default function ApprovalsPage() {
  const { words } = useWords()
  const [open, setOpen] = useState<Approval | undefined>()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['approvals', 'pending'],
    queryFn: ({ signal }) => api.get<Page<Approval>>('/approvals?status=pending', signal),
    refetchInterval: 10_000,
  })
  return (
    <>
      <TopBar title={words.approval.title} />
      <div className="min-h-0 flex-1 overflow-y-auto p-4 md:px-6">
        <p className="mb-4 text-13 text-text-2">{words.approval.lead}</p>
        {isPending ? <Loading /> : null}
        {error === null ? null : <Trouble error={error} retry={() => void refetch()} />}
        {data?.items.length === 0 ? (
          <Empty icon={ShieldCheck} title={words.approval.none}>
            {words.approval.noneHint}
          </Empty>
        ) : null}
        <ul className="flex flex-col gap-3">
          {data?.items.map((approval) => (
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
      </div>
      {open === undefined ? null : <ApprovalDialog approval={open} close={() => setOpen(undefined)} />}
    </>
  )
}
