import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { Suspense, use, type ComponentType, type ReactNode } from 'react'
import { useIsOffline } from '../app/reachability.ts'
import { useWords } from '../locales/words.tsx'
import { Loading, ErrorBanner } from './states.tsx'

class NotLoaded extends Error {}

interface LazyComponent<Props> {
  (props: Props): ReactNode
  /** Loads the code in advance. If that fails, it is retried when the component renders. */
  preload(): Promise<void>
}

/**
 * A component whose code loads when it renders. If loading fails, the surroundings stay. React's `lazy` has no
 * `preload`.
 * @param fallback rendered while it loads; by default that of the next `Suspense`
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const start = () =>
    (loading ??= load().then(
      (module) => (loaded = module.default),
      (cause: unknown) => {
        throw new NotLoaded('code of the app could not be loaded', { cause })
      },
    ))
  function LoadedComponent(props: Props) {
    const Component = loaded ?? use(start())
    return <Component {...props} />
  }
  const component = (props: Props) => (
    <CatchBoundary getResetKey={() => 'same'} errorComponent={Broken}>
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
    await start().catch(() => (loading = undefined))
  }
  return Object.assign(component, { preload })
}

/** Error boundary fallback. Some browsers never retry a failed import, and an update removes old files: reload the page. */
export function Broken({ error }: ErrorComponentProps) {
  const { words } = useWords()
  const isOffline = useIsOffline()
  const isLoaded = !(error instanceof NotLoaded)
  if (isOffline && !isLoaded) return <Loading />
  const message = isLoaded ? String(error) : words.problem.noServer
  return <ErrorBanner error={new Error(message)} retry={() => location.reload()} />
}
