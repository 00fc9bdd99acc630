import { isQuestion } from '../../../client/run.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Clock, ShieldCheck, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useMayChange } from '../../app/session.ts'
import type { Approval } from '../../app/types.ts'
import { asksForPlan } from '../../run/steps.ts'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, ErrorText } from '../../ui/states.tsx'
import { useKeys, useMoves } from '../../ui/use-keys.ts'
import { useWords } from '../../locales/words.tsx'
import ApprovalDialog from './approval-dialog.tsx'
import { Countdown } from './countdown.tsx'
import { DecisionText } from './decision-text.tsx'
import { AskedByRun, Summary, ApprovalKind, useRunOf } from './summary.tsx'
import { approvalTitle } from './approval-title.ts'
import { Button, LinkButton } from '../../ui/button.tsx'

const OVER = ['approved', 'denied', 'timed_out'] as const
const MAX_DECIDED = 20

/** Pending approvals of all runs, and the decided ones. */
export default function ApprovalsPage() {
  const { words } = useWords()
  const [open, setOpen] = useState<Approval | undefined>()
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
  const keys = useApprovalKeys(approvals.data?.items ?? [], setOpen)
  return (
    <Page title={words.approval.title} lead={words.approval.lead}>
      <Fetched query={approvals}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={ShieldCheck} title={words.approval.none}>
              {words.approval.noneHint}
            </Empty>
          ) : (
            <>
              <p className="mb-3 hidden text-12 text-text-3 md:block" role="status">
                {keys.status}
              </p>
              <ul className="flex flex-col gap-3" ref={keys.list}>
                {items.map((approval) => {
                  const asked = items.filter((one) => stepOf(one) === stepOf(approval))
                  return asked[0] !== approval ? null : (
                    <li
                      key={approval.approvalId}
                      className="card divide-y divide-line"
                      aria-label={words.approval.waiting({ n: asked.length })}
                    >
                      {asked.map((one) => (
                        <Waiting key={one.approvalId} approval={one} open={() => setOpen(one)} />
                      ))}
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
                    <DecisionText approval={approval} isExpired mayDecide />
                  </span>
                </button>
                <LinkButton
                  label={words.answer.openRun}
                  className="btn-ghost btn-sm m-2 flex-none"
                  to="/runs/$runId"
                  params={{ runId: approval.runId }}
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

/** A call, a question or a plan that waits. A plan of a conversation is changed and started there. */
function Waiting({ approval, open }: { approval: Approval; open: () => void }) {
  const { words } = useWords()
  const conversationId = useRunOf(approval.runId)?.request?.conversationId
  return (
    <div className="flex flex-wrap items-center gap-3 p-4">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <h2 className="text-14 font-semibold">{approvalTitle(approval, words)}</h2>
        <Summary approval={approval} />
        <div className="mt-1 flex flex-wrap items-center gap-x-2 text-12 text-text-3">
          <span>
            {isQuestion(approval) ? words.approval.openFor : words.approval.expires}{' '}
            <Countdown until={Date.parse(approval.expiresAt)} />
          </span>
          <AskedByRun runId={approval.runId} />
        </div>
      </div>
      {approval.provenance?.author === 'outside' ? (
        <span className="badge tone-taint">{words.answer.untrusted}</span>
      ) : null}
      {asksForPlan(approval) && conversationId !== undefined ? (
        <LinkButton
          label={words.approval.review}
          to="/c/$conversationId"
          params={{ conversationId }}
          search={{ run: approval.runId }}
          className="btn-primary ml-auto"
          data-move
          data-approval={approval.approvalId}
        />
      ) : (
        <Button
          label={words.approval.review}
          className="btn-primary ml-auto"
          data-move
          data-approval={approval.approvalId}
          onClick={open}
        />
      )}
    </div>
  )
}

const OUTCOMES = { approved: [Check, 'text-ok'], denied: [X, 'text-bad'], timed_out: [Clock, 'text-text-3'] } as const

function Outcome({ status }: { status: string }) {
  const [Icon, tone] = OUTCOMES[status as keyof typeof OUTCOMES] ?? OUTCOMES.timed_out
  return <Icon size={16} aria-hidden className={`mt-0.5 flex-none ${tone}`} />
}

/** A second press counts within this time. */
const TWICE_MS = 2_000

/** J and K move, A opens the approval, D pressed twice denies. */
function useApprovalKeys(items: readonly Approval[], show: (approval: Approval) => void) {
  const { words } = useWords()
  const client = useQueryClient()
  const mayDecide = useMayChange()
  const list = useMoves()
  const [armed, arm] = useState<string | undefined>()
  const decide = useMutation({
    mutationFn: (id: string) => api.post(`/approvals/${encodeURIComponent(id)}/decide`, { decision: 'denied' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  })
  useEffect(() => {
    if (armed === undefined) return
    const timer = setTimeout(() => arm(undefined), TWICE_MS)
    return () => clearTimeout(timer)
  }, [armed])
  const focusedApproval = (): Approval | undefined => {
    const { approval } = (document.activeElement as HTMLElement).dataset
    return mayDecide ? items.find(({ approvalId }) => approvalId === approval) : undefined
  }
  useKeys({
    a: () => {
      const approval = focusedApproval()
      if (approval !== undefined) show(approval)
    },
    d: ({ repeat }) => {
      const id = focusedApproval()?.approvalId
      if (id === undefined || repeat) return
      if (armed !== id) return arm(id)
      arm(undefined)
      decide.mutate(id)
    },
  })
  const status =
    decide.error === null ? (
      armed === undefined ? (
        words.approval.keys
      ) : (
        words.approval.twiceDeny
      )
    ) : (
      <ErrorText error={decide.error} />
    )
  return { list, status }
}
