import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { api, type Items } from '../../client/api.ts'

/** What the server says at an address. @param every so many milliseconds it is asked again */
export function useGet<T>(path: string, isWanted = true, every?: number): UseQueryResult<T> {
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get<T>(path, signal),
    enabled: isWanted,
    ...(every === undefined ? {} : { refetchInterval: every }),
  })
}

/** The items of a list that comes page after page, as far as they were asked for. @param every so many milliseconds they are asked for again */
export function usePagedList<T>(path: string, every?: number): UseInfiniteQueryResult<readonly T[]> {
  return useInfiniteQuery({
    queryKey: [path],
    queryFn: ({ pageParam, signal }) =>
      api.get<Items<T>>(
        pageParam === '' ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(pageParam)}`,
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    // What is there stays on the screen while it is looked for by other words.
    placeholderData: (before) => before,
    ...(every === undefined ? {} : { refetchInterval: every }),
  })
}

/** Asks anew for what begins with one of these addresses. */
export function useRenew(...stale: readonly string[]): () => Promise<void> {
  const client = useQueryClient()
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [key] }) => stale.some((path) => String(key).startsWith(path)),
    })
}

/** A change, after which what begins with one of these addresses is asked for anew. */
export function useChange<Given = void, Made = unknown>(
  change: (given: Given) => Promise<Made>,
  ...stale: readonly string[]
): UseMutationResult<Made, Error, Given> {
  return useMutation({ mutationFn: change, onSettled: useRenew(...stale) })
}
