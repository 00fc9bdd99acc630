import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { Operations } from '../../client/api-types.ts'
import { api, type Items } from '../../client/api.ts'

/** What an endpoint answers, such as `GET /runs`. */
export type Answer<Endpoint extends keyof Operations> = Operations[Endpoint]['answer']

type WithoutQuery<Path> = Path extends `${infer Start}?${string}` ? Start : Path
/** What a path without parameters answers. */
type AnswerOfPath<Path> = `GET ${WithoutQuery<Path> & string}` extends infer Endpoint extends keyof Operations
  ? Answer<Endpoint>
  : unknown

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

/** Fetches an endpoint without parameters in its path. @param every polling interval in milliseconds */
export function useEndpoint<const Path extends string>(
  path: Path,
  isWanted = true,
  every?: number,
): UseQueryResult<AnswerOfPath<Path>> {
  return useGet(path, isWanted, every)
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

/**
 * Refetches the queries whose path starts with one of these prefixes.
 * @param deleted a path that no longer exists: it and what is below it are not fetched
 */
export function useRenew(stale: readonly string[], deleted?: string): () => Promise<void> {
  const client = useQueryClient()
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [key] }) =>
        stale.some((path) => String(key).startsWith(path)) &&
        (deleted === undefined || !`${String(key)}/`.startsWith(`${deleted}/`)),
    })
}

/** A mutation that refetches the queries whose path starts with one of these prefixes. */
export function useChange<Given = void, Made = unknown>(
  change: (given: Given) => Promise<Made>,
  ...stale: readonly string[]
): UseMutationResult<Made, Error, Given> {
  return useMutation({ mutationFn: change, onSettled: useRenew(stale) })
}

/** A mutation that deletes a path, then refetches the other queries whose path starts with one of these prefixes. */
export function useDelete(path: string, ...stale: readonly string[]): UseMutationResult<unknown> {
  return useMutation({ mutationFn: () => api.delete(path), onSettled: useRenew(stale, path) })
}
