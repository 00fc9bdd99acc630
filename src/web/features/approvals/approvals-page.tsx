import { useQuery } from '@tanstack/react-query'
import { Check, Clock, ShieldCheck, X } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import type { Approval } from '../../app/types.ts'
import { asksForPlan } from '../../run/steps.ts'
import { Fetched, Page } from '../../ui/page.tsx'
import { useMoves } from '../../ui/use-keys.ts'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import ApprovalDialog from './approval-dialog.tsx'
import { Countdown } from './countdown.tsx'
import { DecisionText } from './decision.tsx'
import { AskedByRun, CallOutcome, Summary, ApprovalKind } from './summary.tsx'
import { PlanStarted, PlanWaiting, type StartedRun } from './plan-waiting.tsx'
import { approvalTitle } from './title.ts'
import { Button, LinkButton } from '../../ui/button.tsx'

const OVER = ['approved', 'denied', 'timed_out'] as const
const MAX_DECIDED = 20

/** Pending approvals of all runs, and the decided ones. */
export default function ApprovalsPage() {
  const { words } = useWords()
  const [open, setOpen] = useState<Approval | undefined>()
  const [begun, setBegun] = useState<StartedRun | undefined>()
  const approvals = useQuery({
    queryKey: ['approvals', 'pending'],
    queryFn: ({ signal }) => api.get<Items<Approval>>('/approvals?status=pending', signal),
    refetchInterval: 10_000,
  })
  const over = useQuery({
    queryKey: ['approvals', 'over'],
    queryFn: async ({ signal }) => {
      const all = await Promise.all(
        OVER.map((status) => api.get<Items<Approval>>(`/approvals?status=${status}`, signal)),
      )
      return all
        .flatMap(({ items }) => items)
        .toSorted((a, b) => (b.decidedAt ?? b.expiresAt).localeCompare(a.decidedAt ?? a.expiresAt))
        .slice(0, MAX_DECIDED)
    },
  })
  const list = useMoves()
  return (
    <Page title={words.approval.title} lead={words.approval.lead}>
      {begun === undefined ? null : <PlanStarted run={begun} />}
      <Fetched query={approvals}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={ShieldCheck} title={words.approval.none}>
              {words.approval.noneHint}
            </Empty>
          ) : (
            <>
              <ul className="flex flex-col gap-3" ref={list}>
                {items.map((approval) => {
                  const asked = items.filter((one) => stepOf(one) === stepOf(approval))
                  return asked[0] !== approval ? null : (
                    <li
                      key={approval.approvalId}
                      className={asksForPlan(approval) ? '' : 'card divide-y divide-line'}
                      aria-label={words.approval.waiting({ n: asked.length })}
                    >
                      {asksForPlan(approval) ? (
                        <PlanWaiting approval={approval} begun={setBegun} />
                      ) : (
                        asked.map((one) => <Waiting key={one.approvalId} approval={one} open={() => setOpen(one)} />)
                      )}
                    </li>
                  )
                })}
              </ul>
            </>
          )
        }
      </Fetched>
      {over.data === undefined || over.data.length === 0 ? null : (
        <section className="mt-8">
          <h2 className="mb-2 text-13 font-semibold">{words.approval.over}</h2>
          <ul className="card overflow-hidden">
            {over.data.map((approval) => (
              <li key={approval.approvalId} className="flex items-start border-b border-line last:border-0">
                <button
                  type="button"
                  className="flex min-w-0 flex-1 items-start gap-3 px-4 py-2.5 text-left hover:bg-surface-2"
                  onClick={() => setOpen(approval)}
                >
                  <Outcome status={approval.status} />
                  <span className="min-w-0 flex-1">
                    <ApprovalKind approval={approval} />
                    <Summary approval={approval} />
                    <DecisionText approval={approval} isLate mayDecide />
                    <CallOutcome approval={approval} />
                  </span>
                </button>
                <LinkButton
                  to="/runs/$runId"
                  params={{ runId: approval.runId }}
                  label={words.answer.openRun}
                  className="btn-ghost btn-sm m-2 flex-none"
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {open === undefined ? null : <ApprovalDialog approval={open} close={() => setOpen(undefined)} />}
    </Page>
  )
}

/** What calls of the same step have in common. */
function stepOf({ approvalId, runId, step }: Approval): string {
  return step === undefined ? approvalId : `${runId} ${step}`
}

/** A call or a question that waits. */
function Waiting({ approval, open }: { approval: Approval; open: () => void }) {
  const { words } = useWords()
  return (
    <div className="flex flex-wrap items-center gap-3 p-4">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <h2 className="text-14 font-semibold">{approvalTitle(approval, words)}</h2>
        <Summary approval={approval} />
        <div className="mt-1 flex flex-wrap items-center gap-x-2 text-12 text-text-3">
          <span>
            {words.approval.expires} <Countdown until={Date.parse(approval.expiresAt)} />
          </span>
          <AskedByRun runId={approval.runId} />
        </div>
      </div>
      {approval.provenance?.author === 'outside' ? (
        <span className="badge tone-taint">{words.answer.untrusted}</span>
      ) : null}
      <Button label={words.approval.review} className="btn-primary ml-auto" data-move onClick={open} />
    </div>
  )
}

function Outcome({ status }: { status: string }) {
  const [Icon, tone] =
    status === 'approved'
      ? ([Check, 'text-ok'] as const)
      : status === 'denied'
        ? ([X, 'text-bad'] as const)
        : ([Clock, 'text-text-3'] as const)
  return <Icon size={16} aria-hidden className={`mt-0.5 flex-none ${tone}`} />
}
