import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Hand, ShieldAlert, X } from 'lucide-react'
import { useState } from 'react'
import { isQuestion } from '../../../client/run.ts'
import { api } from '../../../client/api.ts'
import type { Approval } from '../../app/types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useWords } from '../../words/words.tsx'
import { Countdown } from './countdown.tsx'
import { Exact, Payload, titleOf } from './payload.tsx'

type Asked = Pick<Approval, 'approvalId' | 'tool' | 'payload' | 'reason' | 'provenance' | 'expiresAt'>

interface Decision {
  readonly decision: 'approved' | 'denied'
  readonly instructions?: string
}

/** One call that waits: exactly what it would do, where that comes from, and the person's word. Escape decides nothing. */
export default function ApprovalDialog({ approval, close }: { approval: Asked; close: () => void }) {
  const { words } = useWords()
  const { approvalId, tool, payload, reason, provenance, expiresAt } = approval
  const [instructions, setInstructions] = useState('')
  const [isExact, setExact] = useState(false)
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (decision: Decision) => api.post(`/approvals/${encodeURIComponent(approvalId)}/decide`, decision),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['approvals'] })
      close()
    },
  })
  const asksBack = isQuestion({ tool })
  const said = instructions.trim()
  const approve = (): void => decide.mutate({ decision: 'approved', ...(said === '' ? {} : { instructions: said }) })
  return (
    <Dialog label={titleOf(tool, words)} close={close} className="dialog">
      <header className="flex items-start gap-3 px-5 pt-4 pb-3">
        <span className="tone-warn grid size-8 flex-none place-items-center rounded-lg">
          <Hand size={18} aria-hidden />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-16 font-semibold">{titleOf(tool, words)}</h2>
          <p className="text-13 text-text-2">{reason}</p>
        </div>
        <span className="badge h-7">
          <Countdown until={Date.parse(expiresAt)} />
        </span>
        <button type="button" className="btn btn-ghost btn-icon btn-sm" aria-label={words.app.close} onClick={close}>
          <X size={16} aria-hidden />
        </button>
      </header>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-5 pb-4">
        {provenance?.trust === 'untrusted' ? (
          <p className="banner tone-taint">
            <ShieldAlert size={16} aria-hidden />
            <span>
              {words.approval.untrusted}
              <span className="block text-12">{provenance.sources.join(', ')}</span>
            </span>
          </p>
        ) : null}
        <Payload tool={tool} payload={payload} />
        {isExact ? <Exact value={payload} /> : null}
        <button
          type="button"
          className="self-start text-12 text-accent-text hover:underline"
          onClick={() => setExact(!isExact)}
        >
          {isExact ? words.approval.hidePayload : words.approval.payload}
        </button>
        <label className="flex flex-col gap-1">
          <span className="text-12 font-medium">{asksBack ? words.approval.answer : words.approval.instructions}</span>
          <textarea
            className="input"
            value={instructions}
            onChange={(event) => setInstructions(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && said !== '') approve()
            }}
          />
          {asksBack ? null : <span className="text-12 text-text-3">{words.approval.instructionsHint}</span>}
        </label>
        {decide.error === null ? null : (
          <p className="banner tone-bad" role="alert">
            {decide.error.message}
          </p>
        )}
      </div>
      <footer className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3">
        <button
          type="button"
          className="btn btn-danger"
          disabled={decide.isPending}
          onClick={() => decide.mutate({ decision: 'denied', ...(said === '' ? {} : { instructions: said }) })}
        >
          <X size={16} aria-hidden />
          {words.approval.deny}
        </button>
        <button
          type="button"
          className={`btn ml-auto ${asksBack || said !== '' ? 'btn-primary' : ''}`}
          disabled={decide.isPending || (asksBack && said === '')}
          onClick={approve}
        >
          {asksBack ? words.approval.sendAnswer : said === '' ? words.approval.approve : words.approval.approveWith}
          {said === '' ? null : <span className="kbd">⌘↵</span>}
        </button>
      </footer>
    </Dialog>
  )
}
