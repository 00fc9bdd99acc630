import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Play, RotateCw } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { retryableJob } from '../../../client/run.ts'
import type { RunView } from '../../run/run-log.ts'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Button } from '../../ui/button.tsx'

/**
 * Continues a stopped run, or retries the failed steps in a new run that keeps the finished ones. Opens it where the
 * previous run was shown.
 */
export function ContinueRun({ view: { state, status } }: { view: RunView }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const { conversationId } = useParams({ strict: false })
  const go = useMutation({
    mutationFn: () => api.post<{ runId: string }>(`/runs/${encodeURIComponent(state.runId)}/retry`),
    onSuccess: ({ runId }) =>
      conversationId === undefined
        ? navigate({ to: '/runs/$runId', params: { runId } })
        : navigate({ to: '.', search: (now) => ({ ...now, run: runId }) }),
  })
  const isStopped = status === 'cancelled'
  if (retryableJob(state) === undefined) return null
  const Icon = isStopped ? Play : RotateCw
  return (
    <>
      <Button icon={Icon} className="btn-sm mr-1 ml-2" disabled={go.isPending} onClick={() => go.mutate()}>
        {isStopped ? words.schedules.resume : words.fork.retry}
      </Button>
      {go.error === null ? null : <Trouble error={go.error} isInText />}
    </>
  )
}
