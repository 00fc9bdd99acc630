import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { api } from '../../client/api.ts'
import { Trouble } from './states.tsx'
import { Undo } from './undo.tsx'

/** A pending deletion, executed when the time to undo it ends. */
interface Deletion {
  readonly path: string
  /** Notice shown meanwhile. */
  readonly said: string
  /** Paths to refetch after the deletion. */
  readonly stale: readonly string[]
}

let latest: Deletion | undefined
/** Paths hidden from lists: deleted, or pending deletion. */
let hidden: ReadonlySet<string> = new Set()
let finish: () => void = () => undefined
const listeners = new Set<() => void>()

function change(to: Deletion | undefined, paths: Iterable<string>): void {
  latest = to
  hidden = new Set(paths)
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Deletes a path after some seconds, during which it can be undone. Executes an earlier pending deletion at once. */
export function deleteLater(path: string, message: string, ...stale: readonly string[]): void {
  finish()
  change({ path, said: message, stale }, [...hidden, path])
}

/** Paths that lists must hide. */
export function useHiddenPaths(): ReadonlySet<string> {
  return useSyncExternalStore(listen, () => hidden)
}

/** Shows the pending deletion and executes it on time, or when the user leaves the page. */
export function PendingDeletion() {
  const shown = useSyncExternalStore(listen, () => latest)
  const client = useQueryClient()
  const [error, setError] = useState<Error | undefined>()
  const end = useCallback((): void => {
    const one = latest
    if (one === undefined) return
    change(undefined, hidden)
    void api
      .delete(one.path)
      .catch(setError)
      .then(() => client.invalidateQueries({ predicate: ({ queryKey: [key] }) => isStale(String(key), one.stale) }))
      .then(() =>
        change(
          latest,
          [...hidden].filter((path) => path !== one.path),
        ),
      )
  }, [client])
  useEffect(() => {
    finish = end
    addEventListener('pagehide', end)
    return () => {
      removeEventListener('pagehide', end)
      end()
    }
  }, [end])
  if (error !== undefined) {
    return (
      <div className="fixed right-4 bottom-20 left-4 z-40 sm:left-auto md:bottom-4">
        <Trouble error={error} retry={() => setError(undefined)} />
      </div>
    )
  }
  if (shown === undefined) return null
  const undo = (): void =>
    change(
      undefined,
      [...hidden].filter((path) => path !== shown.path),
    )
  return (
    <Undo undo={undo} close={end}>
      {shown.said}
    </Undo>
  )
}

function isStale(key: string, stale: readonly string[]): boolean {
  return stale.some((path) => key.startsWith(path))
}
