import { useQueryClient } from '@tanstack/react-query'
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { Suspense, use, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { reachability, useIsOffline } from '../app/reachability.ts'
import { Loading, Trouble } from './states.tsx'

/** Code that failed to load, with a function to retry. */
class NotLoaded extends Error {
  readonly again: () => Promise<unknown>

  constructor(cause: unknown, again: () => Promise<unknown>) {
    super('code of the app could not be loaded', { cause })
    this.again = again
  }
}

interface LazyComponent<Props> {
  (props: Props): ReactNode
  /** Loads the code in advance. If that fails, it is retried when the component renders. */
  preload(): Promise<void>
}

/**
 * A component whose code loads when it renders. If loading fails, the surroundings stay and it can be retried; React's
 * `lazy` would keep the failure.
 * @param fallback rendered while it loads; by default that of the next `Suspense`
 * @param Failure rendered after a failure
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
  Failure: (props: ErrorComponentProps) => ReactNode = Broken,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<unknown> | undefined
  const start = (): Promise<unknown> =>
    (loading = load().then(
      (module) => (loaded = module.default),
      (error: unknown) => {
        throw new NotLoaded(error, start)
      },
    ))
  function LoadedComponent(props: Props) {
    if (loaded === undefined) use(loading ?? start())
    const Component = loaded!
    return <Component {...props} />
  }
  const component = (props: Props) => (
    <CatchBoundary getResetKey={() => 'same'} errorComponent={Failure}>
      {fallback === undefined ? (
        <LoadedComponent {...props} />
      ) : (
        <Suspense fallback={fallback}>
          <LoadedComponent {...props} />
        </Suspense>
      )}
    </CatchBoundary>
  )
  const preload = async (): Promise<void> => {
    if (loaded !== undefined) return
    await start().catch(() => (loading = undefined))
  }
  return Object.assign(component, { preload })
}

/** Error boundary fallback. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const [isTried, setTried] = useState(false)
  const isLost = useIsOffline()
  const retry = async (): Promise<void> => {
    if (!(error instanceof NotLoaded)) return reset()
    setTried(true)
    try {
      await error.again()
      reset()
    } catch {
      // Some browsers never retry a failed import, and after an update the file no longer exists: reload the page.
      const isReachable = await fetch('/healthz').then(
        ({ ok }) => ok,
        () => false,
      )
      if (isReachable) location.reload()
      else setTried(false)
    }
  }
  const client = useQueryClient()
  // Check the connection at once.
  useEffect(() => {
    if (error instanceof NotLoaded) void client.invalidateQueries({ queryKey: ['approvals', 'pending'] })
  }, [client, error])
  // Retry when the connection is back.
  useEffect(() => {
    const retryNow = (): void => void retry()
    addEventListener('online', retryNow)
    const stopListening = reachability.listen(() => (reachability.isLost ? undefined : retryNow()))
    return () => {
      removeEventListener('online', retryNow)
      stopListening()
    }
  })
  if (isLost && error instanceof NotLoaded) return <Loading />
  const cause = error instanceof NotLoaded ? new TypeError(error.message) : new Error(String(error))
  return <Trouble error={cause} {...(isTried ? {} : { retry: () => void retry() })} />
}
