import { useState } from 'react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { RunSummary } from '../../app/types.ts'

interface HeldRuns {
  readonly items: readonly RunSummary[]
  /** Number of runs not shown yet. */
  readonly fresh: number
  readonly showAll: () => void
}

/**
 * Holds back runs that start while the list is shown, so that the list does not move. A press shows them.
 * @param asked the current filter; another filter shows all runs again
 */
export function useHeldRuns(
  { data = [], isFetchedAfterMount, isPlaceholderData }: UseInfiniteQueryResult<readonly RunSummary[]>,
  asked: string,
): HeldRuns {
  const [shown, setShown] = useState<{ readonly asked: string; readonly newest: string } | undefined>()
  const first = data[0]
  const isNew = first !== undefined && isFetchedAfterMount && !isPlaceholderData && shown?.asked !== asked
  if (isNew) setShown({ asked, newest: first.createdAt })
  const newest = shown?.asked === asked ? shown.newest : undefined
  const items = newest === undefined ? data : data.filter(({ createdAt }) => createdAt <= newest)
  return {
    items,
    fresh: data.length - items.length,
    showAll: () => setShown(first === undefined ? undefined : { asked, newest: first.createdAt }),
  }
}
