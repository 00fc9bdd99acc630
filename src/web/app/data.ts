import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { api } from '../../client/api.ts'

/** What the server says at an address. */
export function useGet<T>(path: string, isWanted = true): UseQueryResult<T> {
  return useQuery({ queryKey: [path], queryFn: ({ signal }) => api.get<T>(path, signal), enabled: isWanted })
}

/** A change, after which what begins with one of these addresses is asked for anew. */
export function useChange<Given = void, Made = unknown>(
  change: (given: Given) => Promise<Made>,
  ...stale: readonly string[]
): UseMutationResult<Made, Error, Given> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [key] }) => stale.some((path) => String(key).startsWith(path)),
      }),
  })
}
