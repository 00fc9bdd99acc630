import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { api } from '../../client/api.ts'

export type Role = 'viewer' | 'member' | 'admin'

export interface Person {
  readonly userId: string
  readonly username: string
  readonly displayName: string
  readonly email?: string
  readonly role: Role
  readonly isDisabled: boolean
  /** Whoever has none signs in with a provider. */
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  readonly createdAt: string
}

export interface Session {
  /** Absent: nobody is signed in. */
  readonly caller?: { readonly userId: string; readonly role: Role; readonly kind: 'person' | 'key' | 'demo' }
  readonly person?: Person
  readonly registration: string
  readonly singleSignOn: boolean
}

/** Whom the pages were last made for. */
let shownTo: string | undefined

/** Who is signed in, and how others get in, as the server was last asked. What was fetched for somebody else goes first. */
export function useSessionQuery(): UseQueryResult<Session> {
  return useQuery({
    queryKey: ['session'],
    queryFn: async ({ signal, client }) => {
      const session = await api.get<Session>('/session', signal)
      const who = session.caller?.userId
      if (who !== undefined && shownTo !== undefined && who !== shownTo) {
        client.removeQueries({ predicate: ({ queryKey: [key] }) => key !== 'session' })
      }
      shownTo = who ?? shownTo
      return session
    },
    staleTime: 60_000,
  })
}

export function useSession(): Session | undefined {
  return useSessionQuery().data
}

/** The way out; the address stays, for whoever signs in next. */
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

/** Whether they may ask, decide and add; who may not is not offered it. */
export function useMayChange(): boolean {
  return useSession()?.caller?.role !== 'viewer'
}

/** Whether the installation is theirs to run. */
export function useIsAdmin(): boolean {
  return useSession()?.caller?.role === 'admin'
}
