import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../../client/api.ts'
import type { Task } from '../../../client/run.ts'
import type { RunView } from '../../run/run-log.ts'
import { confirmationIn } from '../../run/steps.ts'

/** The word that a run waits for whose plan was shown first. */
const START = { decision: 'approved', instructions: 'start' } as const

/** Where the plan of a run is kept that a person works on, so that whatever starts it starts what they see. */
export function draftKey(runId: string): readonly string[] {
  return ['plan-draft', runId]
}

/** The plan of a run as the person has it before them: what stands, or what they make of it at the moment. */
export function useDraftOf({ state }: RunView): { tasks: readonly Task[]; isChanged: boolean } {
  const { data } = useQuery<readonly Task[] | null>({
    queryKey: draftKey(state.runId),
    queryFn: () => null,
    enabled: false,
    initialData: null,
  })
  return { tasks: data ?? state.plan?.plan.tasks ?? [], isChanged: data !== null }
}

/** Has the tasks done that are given, in place of those that stand; without any, those. */
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
