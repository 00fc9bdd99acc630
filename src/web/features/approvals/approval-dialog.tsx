import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Hand, ShieldAlert, X } from 'lucide-react'
import { useState } from 'react'
import { isQuestion } from '../../../client/run.ts'
import { api } from '../../../client/api.ts'
import type { Approval } from '../../app/types.ts'
import { useMayChange } from '../../app/session.ts'
import type { RunView } from '../../run/run-log.ts'
import { useRun } from '../../run/use-run.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, LongField } from '../../ui/field.tsx'
import { SendKeys } from '../../ui/send-keys.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { useNow } from '../../ui/use-now.ts'
import { ServerText, ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { ChoiceButtons } from './choice-buttons.tsx'
import { Countdown } from './countdown.tsx'
import { DecisionText } from './decision-text.tsx'
import { Exact, Payload, unknownRecipients } from './payload.tsx'
import { draftOf, applyDraft, PayloadEditor, type PayloadDraft } from './payload-editor.tsx'
import { approvalTitle } from './approval-title.ts'
import { Button, IconButton } from '../../ui/button.tsx'

export type AskedApproval = Pick<
  Approval,
  'approvalId' | 'runId' | 'tool' | 'payload' | 'reason' | 'provenance' | 'expiresAt'
>

interface Decision {
  readonly decision: 'approved' | 'denied'
  readonly instructions?: string
  readonly scope?: Approval['scope']
  readonly payload?: unknown
}

/** What the same step wanted to do before it was given the instructions that it works with now; undefined for a first version. */
function earlierVersion({ asked, state }: RunView, approvalId: string): unknown {
  const current = asked.get(approvalId)
  if (current === undefined) return undefined
  const earlier = [...asked.values()].filter(
    (one) =>
      one.seq < current.seq &&
      one.tool === current.tool &&
      one.key === current.key &&
      state.approvals.get(one.approvalId)?.instructions !== undefined,
  )
  const payload = earlier.at(-1)?.payload
  return payload === undefined || JSON.stringify(payload) === JSON.stringify(current.payload) ? undefined : payload
}

/** State of an approval, including decisions by others and expiry. */
function useCurrentApproval(approvalId: string): Approval | undefined {
  return useQuery({
    queryKey: ['approvals', approvalId],
    queryFn: ({ signal }) => api.get<Approval>(`/approvals/${encodeURIComponent(approvalId)}`, signal),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'pending' ? 2_000 : false),
  }).data
}

/** A pending call: its exact effect, its origin, and the decision. Escape does not decide. */
export default function ApprovalDialog({ approval, close }: { approval: AskedApproval; close: () => void }) {
  const { words } = useWords()
  const { approvalId, runId, tool, payload, reason, provenance, expiresAt } = approval
  const [instructions, setInstructions] = useState('')
  const [isExact, setExact] = useState(false)
  const [confirmed, setConfirmed] = useState('')
  const [chosen, setChosen] = useState<Approval['scope']>()
  const [draft, setDraft] = useState<PayloadDraft>()
  const mayDecide = useMayChange()
  const current = useCurrentApproval(approvalId)
  const { view, error: runError } = useRun(runId)
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (decision: Decision) => api.post(`/approvals/${encodeURIComponent(approvalId)}/decide`, decision),
    onSuccess: close,
    // Also if someone else decided first: the error names them.
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  })
  const now = useNow(current?.status === 'pending')
  const isExpired = now > Date.parse(expiresAt)
  const isOpen = mayDecide && !isExpired && (current === undefined || current.status === 'pending')
  const isQuestionToUser = isQuestion({ tool })
  const title = approvalTitle(approval, words)
  const trimmed = instructions.trim()
  const scope = chosen ?? current?.scopes?.[0] ?? 'once'
  const edited = draft === undefined ? undefined : applyDraft(payload, draft)
  const isUntrusted = provenance?.author === 'outside'
  // Which recipients are strangers is only known once the run is loaded up to this approval.
  const isLoading = isUntrusted && view?.asked.has(approvalId) !== true && runError === undefined
  const sent = edited ?? payload
  const unknownAddresses = (view === undefined && !isUntrusted ? [] : unknownRecipients(tool, sent, view)).join(', ')
  const isSure = unknownAddresses !== '' && confirmed === unknownAddresses
  const before = view === undefined || isQuestionToUser ? undefined : earlierVersion(view, approvalId)
  const approve = (): void => {
    // A stranger's address is not written to by one press alone.
    if (trimmed === '' && unknownAddresses !== '' && !isSure) return setConfirmed(unknownAddresses)
    const more = edited === undefined ? { scope } : { scope, payload: edited }
    decide.mutate({ decision: 'approved', ...(trimmed === '' ? more : { instructions: trimmed }) })
  }
  const approveLabel = (): string => {
    if (isQuestionToUser) return words.approval.sendAnswer
    if (trimmed !== '') return words.approval.approveWith
    if (isSure) return words.approval.sure({ who: showInvisible(unknownAddresses) })
    return draft === undefined ? words.approval.approve : words.decided.approveEdited
  }
  return (
    <Dialog label={title} close={close} className="dialog">
      <header className="flex flex-none items-center gap-3 px-5 pt-4 pb-3 low:py-1.5">
        <span className="tone-warn grid size-8 flex-none place-items-center rounded-lg max-sm:hidden">
          <Hand size={18} aria-hidden />
        </span>
        <h2 className="min-w-0 flex-1 text-16 font-semibold wrap-anywhere">{title}</h2>
        {isOpen ? (
          <span className="badge h-7">
            <Countdown until={Date.parse(expiresAt)} />
          </span>
        ) : null}
        <IconButton icon={X} label={words.app.close} onClick={close} />
      </header>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-5 pb-4 *:flex-none" tabIndex={0}>
        {isUntrusted ? (
          <p className="banner tone-taint">
            <ShieldAlert size={16} aria-hidden />
            <span>
              {unknownAddresses === '' || view === undefined
                ? words.approval.untrusted
                : words.approval.stranger({ who: showInvisible(unknownAddresses) })}
            </span>
          </p>
        ) : null}
        {before === undefined ? null : (
          <p className="text-12 text-text-2">
            {words.approval.changed} <ins>{words.approval.added}</ins>, <del>{words.approval.removed}</del>
          </p>
        )}
        {isOpen && draft !== undefined ? (
          <PayloadEditor payload={payload} draft={draft} setDraft={setDraft} />
        ) : (
          <Payload tool={tool} payload={payload} view={view} {...(before === undefined ? {} : { before })} />
        )}
        <p className="text-12 text-text-2 wrap-anywhere">
          <ServerText text={reason} />
        </p>
        {isExact ? <Exact value={sent} /> : null}
        <div className="flex gap-3 text-12 text-accent-text">
          <button type="button" className="hover:underline" onClick={() => setExact(!isExact)}>
            {isExact ? words.approval.hidePayload : words.approval.payload}
          </button>
          {isOpen && !isQuestionToUser ? (
            <button
              type="button"
              className="hover:underline"
              onClick={() => {
                setDraft(draft === undefined ? draftOf(payload) : undefined)
                setInstructions('')
              }}
            >
              {draft === undefined ? words.decided.edit : words.decided.discard}
            </button>
          ) : null}
        </div>
        {isOpen && isQuestionToUser ? (
          <div className="flex flex-wrap gap-2">
            <ChoiceButtons
              payload={payload}
              disabled={decide.isPending}
              choose={(choice) => decide.mutate({ decision: 'approved', instructions: choice })}
            />
          </div>
        ) : null}
        {isOpen && current !== undefined && trimmed === '' ? (
          <ScopeSelect approval={current} scope={scope} setScope={setChosen} />
        ) : null}
        {isOpen && draft === undefined ? (
          <LongField
            label={isQuestionToUser ? words.approval.answer : words.approval.instructions}
            hint={isQuestionToUser ? undefined : words.approval.instructionsHint}
            rows={2}
            value={instructions}
            onChange={setInstructions}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && trimmed !== '' && !event.repeat)
                approve()
            }}
          />
        ) : null}
        <ErrorBanner error={isOpen ? decide.error : null} isInText />
      </div>
      <footer className="flex flex-none flex-wrap items-center gap-2 border-t border-line px-5 py-3 low:py-1.5">
        {isOpen ? (
          <>
            <Button
              icon={X}
              label={
                isQuestionToUser ? words.approval.leave : trimmed === '' ? words.approval.deny : words.approval.denyWith
              }
              className="btn-danger"
              disabled={decide.isPending}
              onClick={() =>
                decide.mutate({ decision: 'denied', ...(trimmed === '' ? {} : { instructions: trimmed }) })
              }
            />
            <Button
              className={`ml-auto h-auto! max-w-full pointer-fine:min-h-8 py-1 whitespace-normal! wrap-anywhere ${isQuestionToUser || trimmed !== '' ? 'btn-primary' : ''} ${isSure && trimmed === '' ? 'btn-danger' : ''}`}
              disabled={
                decide.isPending ||
                isLoading ||
                (isQuestionToUser && trimmed === '') ||
                (draft !== undefined && edited === undefined)
              }
              label={approveLabel()}
              // The button changes its action. Ignore a held key or a double click, which meant the previous one.
              onKeyDown={(event) => {
                if (event.repeat) event.preventDefault()
              }}
              onClick={(event) => {
                if (event.detail < 2) approve()
              }}
            >
              {trimmed === '' ? null : <SendKeys />}
            </Button>
          </>
        ) : (
          <>
            <DecisionText approval={current} isExpired={isExpired} mayDecide={mayDecide} />
            <Button label={words.app.close} className="ml-auto" onClick={close} />
          </>
        )}
      </footer>
    </Dialog>
  )
}

type Scope = NonNullable<Approval['scope']>

interface ScopeSelectProps {
  readonly approval: Pick<Approval, 'scopes' | 'destination'>
  readonly scope: Scope
  readonly setScope: (scope: Scope) => void
}

/** What an approval covers, where that can be more than the call that is shown. */
function ScopeSelect({ approval: { scopes = [], destination = '' }, scope, setScope }: ScopeSelectProps) {
  const { words } = useWords()
  if (scopes.length < 2) return null
  const { once, ...wider } = words.decided.scopes
  const options = scopes.map((one) => [one, one === 'once' ? once : wider[one]({ to: destination })])
  return <Choice label={words.decided.covers} value={scope} options={Object.fromEntries(options)} onChange={setScope} />
}
