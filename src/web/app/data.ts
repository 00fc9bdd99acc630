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

/**
 * Fetches a path.
 * @param every polling interval in milliseconds
 */
export function useGet<T>(path: string, isWanted = true, every?: number): UseQueryResult<T> {
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get<T>(path, signal),
    enabled: isWanted,
    ...(every === undefined ? {} : { refetchInterval: every }),
  })
}

/**
 * The items of a paginated list, for the pages loaded so far.
 * @param every polling interval in milliseconds
 */
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
    // Keep showing the old items while the list loads with a new search.
    placeholderData: (before) => before,
    ...(every === undefined ? {} : { refetchInterval: every }),
  })
}

/** Refetches the queries whose path starts with one of these prefixes. */
export function useRenew(...stale: readonly string[]): () => Promise<void> {
  const client = useQueryClient()
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [key] }) => stale.some((path) => String(key).startsWith(path)),
    })
}

/** A mutation that refetches the queries whose path starts with one of these prefixes. */
export function useChange<Given = void, Made = unknown>(
  change: (given: Given) => Promise<Made>,
  ...stale: readonly string[]
): UseMutationResult<Made, Error, Given> {
  return useMutation({ mutationFn: change, onSettled: useRenew(...stale) })
}
