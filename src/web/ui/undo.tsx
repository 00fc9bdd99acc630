import { useQueryClient } from '@tanstack/react-query'
import { Undo2, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { api } from '../../client/api.ts'
import { useWords } from '../locales/words.tsx'
import { Button, IconButton } from './button.tsx'
import { ErrorBanner } from './states.tsx'

const DURATION_MS = 8_000

/** An action that can be undone for some seconds. */
interface Offer {
  /** Notice about the action. */
  readonly text: string
  readonly undo: () => void
  /** Called when the action can no longer be undone. */
  readonly finish?: () => void
}

let latest: Offer | undefined
/** Paths hidden from lists: deleted, or pending deletion. */
let hidden: ReadonlySet<string> = new Set()
/** Deletes a path and refetches the queries with these prefixes. */
let deletePath: (path: string, stale: readonly string[]) => void = () => undefined
const listeners = new Set<() => void>()

function change(offer: Offer | undefined, paths: Iterable<string> = hidden): void {
  latest = offer
  hidden = new Set(paths)
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function unhide(path: string): void {
  change(
    latest,
    [...hidden].filter((one) => one !== path),
  )
}

function finish(): void {
  const offer = latest
  change(undefined)
  offer?.finish?.()
}

/** Offers to undo an action. An earlier action can then no longer be undone. */
export function offerUndo(offer: Offer): void {
  finish()
  change(offer)
}

/** Deletes a path after some seconds, during which it can be undone. @param stale paths to refetch after the deletion */
export function deleteLater(path: string, text: string, ...stale: readonly string[]): void {
  offerUndo({ text, undo: () => unhide(path), finish: () => deletePath(path, stale) })
  change(latest, [...hidden, path])
}

/** Paths that lists must hide. */
export function useHiddenPaths(): ReadonlySet<string> {
  return useSyncExternalStore(listen, () => hidden)
}

/** Shows the action that can be undone, until its time ends or the user leaves the page. */
export function UndoNotice() {
  const { words } = useWords()
  const offer = useSyncExternalStore(listen, () => latest)
  const client = useQueryClient()
  const [error, setError] = useState<Error | null>(null)
  useEffect(() => {
    deletePath = (path, stale) => {
      const isStale = (key: unknown): boolean => stale.some((prefix) => String(key).startsWith(prefix))
      void api
        .delete(path)
        .catch(setError)
        .then(() => client.invalidateQueries({ predicate: ({ queryKey: [key] }) => isStale(key) }))
        .then(() => unhide(path))
    }
    addEventListener('pagehide', finish)
    return () => {
      removeEventListener('pagehide', finish)
      finish()
    }
  }, [client])
  useEffect(() => {
    if (offer === undefined) return
    const timer = setTimeout(finish, DURATION_MS)
    return () => clearTimeout(timer)
  }, [offer])
  const place = 'fixed right-4 bottom-20 left-4 z-40 sm:left-auto md:bottom-4'
  if (error !== null) {
    return (
      <div className={place}>
        <ErrorBanner error={error} retry={() => setError(null)} />
      </div>
    )
  }
  if (offer === undefined) return null
  const undo = (): void => {
    change(undefined)
    offer.undo()
  }
  return (
    <p role="status" className={`card flex items-center gap-3 px-4 py-2.5 text-13 shadow-lg ${place}`}>
      <span className="cut min-w-0 flex-1">{offer.text}</span>
      <Button icon={Undo2} label={words.app.undo} className="btn-sm" onClick={undo} />
      <IconButton icon={X} size={14} label={words.app.close} onClick={finish} />
    </p>
  )
}
