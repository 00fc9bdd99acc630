import { useQueryClient } from '@tanstack/react-query'
import { Undo2, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { api } from '../../client/api.ts'
import { useWords } from '../locales/words.tsx'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { Trouble } from './states.tsx'

const SHOWN_MS = 8_000

/** An action that can be undone for some seconds. */
interface Offer {
  /** Notice shown meanwhile. */
  readonly said: string
  readonly undo: () => void
  /** Called when it can no longer be undone. */
  readonly end?: () => void
}

let latest: Offer | undefined
/** Paths hidden from lists: deleted, or pending deletion. */
let hidden: ReadonlySet<string> = new Set()
/** Deletes a path and refetches what the paths begin with. */
let execute: (path: string, stale: readonly string[]) => void = () => undefined
const listeners = new Set<() => void>()

function change(to: Offer | undefined, paths: Iterable<string> = hidden): void {
  latest = to
  hidden = new Set(paths)
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const without = (path: string): string[] => [...hidden].filter((one) => one !== path)

/** Ends the current offer. */
function end(): void {
  const offer = latest
  change(undefined)
  offer?.end?.()
}

/** Offers to undo an action. An earlier action can then no longer be undone. */
export function offerUndo(offer: Offer): void {
  end()
  change(offer)
}

/** Deletes a path after some seconds, during which it can be undone. @param stale paths to refetch after the deletion */
export function deleteLater(path: string, said: string, ...stale: readonly string[]): void {
  offerUndo({ said, undo: () => change(latest, without(path)), end: () => execute(path, stale) })
  change(latest, [...hidden, path])
}

/** Paths that lists must hide. */
export function useHiddenPaths(): ReadonlySet<string> {
  return useSyncExternalStore(listen, () => hidden)
}

/** Shows what can be undone, until its time ends or the user leaves the page. */
export function UndoOffer() {
  const { words } = useWords()
  const shown = useSyncExternalStore(listen, () => latest)
  const client = useQueryClient()
  const [error, setError] = useState<Error | undefined>()
  useEffect(() => {
    execute = (path, stale) => {
      const isStale = (key: unknown): boolean => stale.some((one) => String(key).startsWith(one))
      void api
        .delete(path)
        .catch(setError)
        .then(() => client.invalidateQueries({ predicate: ({ queryKey: [key] }) => isStale(key) }))
        .then(() => change(latest, without(path)))
    }
    addEventListener('pagehide', end)
    return () => {
      removeEventListener('pagehide', end)
      end()
    }
  }, [client])
  useEffect(() => {
    if (shown === undefined) return
    const timer = setTimeout(end, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  const place = 'fixed right-4 bottom-20 left-4 z-40 sm:left-auto md:bottom-4'
  if (error !== undefined) {
    return (
      <div className={place}>
        <Trouble error={error} retry={() => setError(undefined)} />
      </div>
    )
  }
  if (shown === undefined) return null
  const undo = (): void => {
    change(undefined)
    shown.undo()
  }
  return (
    <p role="status" className={`card flex items-center gap-3 px-4 py-2.5 text-13 shadow-lg ${place}`}>
      <span className="cut min-w-0 flex-1">{shown.said}</span>
      <Button icon={Undo2} label={words.app.undo} className="btn-sm" onClick={undo} />
      <IconButton icon={X} size={14} label={words.app.close} onClick={end} />
    </p>
  )
}
