import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Draft } from '../../run/plan-edit.ts'
import type { RunView } from '../../run/run-log.ts'
import { confirmationIn } from '../../run/steps.ts'
import { useWords } from '../../locales/words.tsx'
import { PlanEstimate } from './plan-estimate.tsx'
import { PlanEditor } from './plan-editor.tsx'
import { draftKey, useStart } from './start.ts'

/** The plan of a run that waits for approval or is active. Changes to it apply to the run. */
export function PlanOfRun({ view, close }: { view: RunView; close: () => void }) {
  const { words } = useWords()
  const confirmation = confirmationIn(view)
  const start = useStart(view, close)
  const { runId, request } = view.state
  return (
    <PlanEditor
      view={view}
      question={request.question}
      until={confirmation === undefined ? undefined : view.asked.get(confirmation)?.expiresAt}
      label={confirmation === undefined ? words.planEdit.apply : words.planEdit.start}
      mayStand={confirmation !== undefined}
      isPending={start.isPending}
      error={start.error}
      send={(changed) => start.mutate(changed)}
      share={useShared(runId)}
      close={close}
      about={(draft) => <PlanEstimate tasks={draft} view={view} />}
    />
  )
}

/**
 * Shares the draft with the plan card in the conversation while the editor is open, so that the card shows and starts
 * it.
 */
function useShared(runId: string): (draft: Draft | null) => void {
  const client = useQueryClient()
  const share = useCallback((draft: Draft | null) => void client.setQueryData(draftKey(runId), draft), [client, runId])
  useEffect(() => () => share(null), [share])
  return share
}
