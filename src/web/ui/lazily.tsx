import { useQueryClient } from '@tanstack/react-query'
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { use, useEffect, useState, type ComponentType } from 'react'
import { reach, useIsLost } from '../app/reach.ts'
import { Loading, Trouble } from './states.tsx'

/** Code that is on its way, and how it is asked for once more. */
class NotLoaded extends Error {
  readonly again: () => Promise<unknown>

  constructor(cause: unknown, again: () => Promise<unknown>) {
    super('code of the app could not be loaded', { cause })
    this.again = again
  }
}

interface Lazily<Props> {
  (props: Props): React.ReactNode
  /** Loads it before it is shown; what fails then is tried again when it is. */
  preload(): Promise<void>
}

/**
 * A component whose code is loaded when it is shown, within a `Suspense`. Where that fails, what is around it stays, and it can
 * be tried again: React's own `lazy` would keep the failure for good.
 * @param Instead is in its place where that failed
 */
export function lazily<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Instead: (props: ErrorComponentProps) => React.ReactNode = Broken,
): Lazily<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<unknown> | undefined
  const start = (): Promise<unknown> =>
    (loading = load().then(
      (module) => (loaded = module.default),
      (error: unknown) => {
        throw new NotLoaded(error, start)
      },
    ))
  function Shown(props: Props) {
    if (loaded === undefined) use(loading ?? start())
    const Component = loaded!
    return <Component {...props} />
  }
  const shown = (props: Props) => (
    <CatchBoundary getResetKey={() => 'same'} errorComponent={Instead}>
      <Shown {...props} />
    </CatchBoundary>
  )
  const preload = async (): Promise<void> => {
    if (loaded !== undefined) return
    await start().catch(() => (loading = undefined))
  }
  return Object.assign(shown, { preload })
}

/** In place of what could not be shown. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const [isTried, setTried] = useState(false)
  const isLost = useIsLost()
  const again = async (): Promise<void> => {
    if (!(error instanceof NotLoaded)) return reset()
    setTried(true)
    try {
      await error.again()
      reset()
    } catch {
      // Some browsers never ask again for what failed once, and after an update it is gone: then the page is loaded anew.
      const isThere = await fetch('/healthz').then(
        ({ ok }) => ok,
        () => false,
      )
      if (isThere) location.reload()
      else setTried(false)
    }
  }
  const client = useQueryClient()
  // Whoever looks out for the server looks at once.
  useEffect(() => {
    if (error instanceof NotLoaded) void client.invalidateQueries({ queryKey: ['approvals', 'pending'] })
  }, [client, error])
  // Who comes back to it finds it there.
  useEffect(() => {
    const retry = (): void => void again()
    addEventListener('online', retry)
    const deafen = reach.listen(() => (reach.isLost ? undefined : retry()))
    return () => {
      removeEventListener('online', retry)
      deafen()
    }
  })
  if (isLost && error instanceof NotLoaded) return <Loading />
  const cause = error instanceof NotLoaded ? new TypeError(error.message) : new Error(String(error))
  return <Trouble error={cause} {...(isTried ? {} : { retry: () => void again() })} />
}
