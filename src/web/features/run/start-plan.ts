import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../../client/api.ts'
import type { Task } from '../../../client/run.ts'
import type { RunView } from '../../run/run-log.ts'
import { confirmationIn } from '../../run/steps.ts'

/** The approval of a plan that was shown first. */
const START = { decision: 'approved', instructions: 'start' } as const

/** Query key of a run's edited plan, so that every start button starts the visible plan. */
export function draftKey(runId: string): readonly string[] {
  return ['plan-draft', runId]
}

/** The plan as the user sees it: the stored plan or the current draft. */
export function useDraftOf({ state }: RunView): { tasks: readonly Task[]; isChanged: boolean } {
  const { data } = useQuery<readonly Task[] | null>({
    queryKey: draftKey(state.runId),
    queryFn: () => null,
    enabled: false,
    initialData: null,
  })
  return { tasks: data ?? state.plan?.plan.tasks ?? [], isChanged: data !== null }
}

/** Starts the given tasks instead of the stored ones; by default the stored ones. */
export function useStart(view: RunView, onSuccess?: () => void) {
  const confirmation = confirmationIn(view)
  return useMutation({
    mutationFn: async (changed: readonly Task[] | undefined) => {
      if (changed !== undefined) await api.put(`/runs/${encodeURIComponent(view.state.runId)}/plan`, { tasks: changed })
      if (confirmation !== undefined) await api.post(`/approvals/${encodeURIComponent(confirmation)}/decide`, START)
    },
    ...(onSuccess === undefined ? {} : { onSuccess }),
  })
}
