import { useQuery, useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useWords } from '../locales/words.tsx'
import { api, type Items } from '../../client/api.ts'
import { reachability, useIsOffline } from './reachability.ts'
import type { Approval } from './types.ts'

/** Shows a notice below the page while the server cannot be reached. The page itself does not move. */
export function Connection() {
  const { words } = useWords()
  if (!useIsOffline()) return null
  return (
    <p className="tone-warn mt-auto flex flex-none items-center gap-2 border-t px-4 py-1.5 text-12" role="alert">
      <WifiOff size={14} aria-hidden className="flex-none" />
      {words.connection.lost}
    </p>
  )
}

/**
 * Returns the number of pending approvals. The same query detects whether the server is reachable; when it is back, all
 * queries are refetched.
 */
export function usePendingApprovals(): number {
  const client = useQueryClient()
  const isLost = useIsOffline()
  const { data } = useQuery({
    queryKey: ['approvals', 'pending'],
    queryFn: ({ signal }) => waitForServer(signal, () => client.invalidateQueries()),
    // Detects a lost connection within five seconds, even if no other request is made.
    refetchInterval: isLost ? 2_000 : 4_000,
    retry: false,
  })
  return data?.items.length ?? 0
}

async function waitForServer(signal: AbortSignal, back: () => unknown): Promise<Items<Approval>> {
  const ask = (): Promise<Items<Approval>> => api.get('/approvals?status=pending', signal)
  try {
    // A single request can fail without an outage, for example on a connection that was just closed. Retry once.
    const approvals = await ask().catch((error: unknown) =>
      error instanceof TypeError ? ask() : Promise.reject(error),
    )
    if (reachability.set(false)) setTimeout(back)
    return approvals
  } catch (error) {
    // A `TypeError` comes from the browser: the server did not answer.
    if (error instanceof TypeError) reachability.set(true)
    else if (!signal.aborted && reachability.set(false)) setTimeout(back)
    throw error
  }
}
