import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { api } from '../../client/api.ts'
import type { Operations, Schemas } from '../../client/api-types.ts'

export type Session = Operations['GET /session']['answer']
export type Person = Schemas['Person']
export type Role = Person['role']

/** The user for whom the pages were last rendered. */
let renderedFor: string | undefined

/**
 * Returns the signed-in user and the available sign-in methods. When the user changes, the cached data of the previous
 * user is removed first.
 */
export function useSessionQuery(): UseQueryResult<Session> {
  return useQuery({
    queryKey: ['session'],
    queryFn: async ({ signal, client }) => {
      const session = await api.get<Session>('/session', signal)
      const who = session.caller?.userId
      if (who !== undefined && renderedFor !== undefined && who !== renderedFor) {
        client.removeQueries({ predicate: ({ queryKey: [key] }) => key !== 'session' })
      }
      renderedFor = who ?? renderedFor
      return session
    },
    staleTime: 60_000,
  })
}

export function useSession(): Session | undefined {
  return useSessionQuery().data
}

/** Signs out. The URL stays, so the next user who signs in sees the same page. */
export function useSignOut(): UseMutationResult<unknown, Error, void> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.delete('/session'),
    onSuccess: () => {
      sessionStorage.clear()
      return client.resetQueries()
    },
  })
}

/** Returns whether the user may ask, approve and add. Controls for this are hidden from others. */
export function useMayChange(): boolean {
  return useSession()?.caller?.role !== 'viewer'
}

/** Returns whether the user is an admin. */
export function useIsAdmin(): boolean {
  return useSession()?.caller?.role === 'admin'
}
