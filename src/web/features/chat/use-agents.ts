import type { Schemas } from '../../../client/api-types.ts'
import { useQuery } from '@tanstack/react-query'
import { api, type Items } from '../../../client/api.ts'

export type About = Schemas['About']

export type AgentSummary = Schemas['Agent']

/** What there is to ask and to ask about. */
export function useAbout(): About | undefined {
  return useQuery({ queryKey: ['about'], queryFn: ({ signal }) => api.get<About>('/about', signal), staleTime: 60_000 })
    .data
}

/** Whether any model is set up, be it for one agent alone; undefined until it is known. */
export function useHasModel(): boolean | undefined {
  const models = useAbout()?.models
  return models && models.length > 0
}

/** Who can be given a task. */
export function useAgents(): readonly AgentSummary[] {
  const { data } = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => api.get<Items<AgentSummary>>('/agents', signal),
    staleTime: 60_000,
  })
  return data?.items ?? []
}
