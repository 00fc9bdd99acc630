import type { LucideIcon } from 'lucide-react'
import { CircleAlert, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIsResolved, useIsConnectionError } from '../app/reachability.ts'
import { ApiError } from '../../client/api.ts'
import type { ErrorInfo } from '../../client/run.ts'
import { useWords } from '../locales/words.tsx'
import { Button } from './button.tsx'

interface EmptyProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly hint?: string | undefined
  /** The next step. */
  readonly children?: ReactNode
}

/** An empty page or list: its purpose and the next step. */
export function Empty({ icon: Icon, title, hint, children }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-16 text-center text-13 text-text-2">
      <span className="mb-1 grid size-12 place-items-center rounded-xl border border-line bg-surface-2 text-text-3">
        <Icon size={20} aria-hidden />
      </span>
      <h2 className="text-14 font-semibold text-text">{title}</h2>
      {hint === undefined ? null : <p className="max-w-90">{hint}</p>}
      {children === undefined ? null : <div className="max-w-90">{children}</div>}
    </div>
  )
}

interface MessageProps {
  readonly tone: 'ok' | 'bad'
  /** Absent if there is nothing to report. */
  readonly text: string | undefined
  readonly className?: string
}

/** The success of an action, or what is wrong with a value. */
export function Message({ tone, text, className = '' }: MessageProps) {
  if (text === undefined) return null
  return (
    <p className={`text-12 text-${tone} ${className}`} role={tone === 'ok' ? 'status' : 'alert'}>
      {text}
    </p>
  )
}

interface BannerProps {
  readonly tone: 'ok' | 'bad' | 'warn' | 'info'
  readonly icon?: LucideIcon
  readonly role?: 'status' | 'alert'
  readonly text: ReactNode
  readonly className?: string
}

/** A message that stands out from its page. */
export function Banner({ tone, icon: Icon, role, text, className = '' }: BannerProps) {
  return (
    <div className={`banner tone-${tone} ${className}`} role={role}>
      {Icon === undefined ? null : <Icon size={16} aria-hidden />}
      <div className="min-w-0 flex-1 wrap-anywhere">{text}</div>
    </div>
  )
}

/** Placeholder lines while content loads, of its expected size. */
export function Loading({ lines = 4 }: { lines?: number }) {
  const { words } = useWords()
  return (
    <div className="flex flex-col gap-4 p-6" role="status" aria-label={words.app.loading}>
      {Array.from({ length: lines }, (_none, at) => (
        <span key={at} className="skeleton" style={{ width: `${90 - ((at * 23) % 50)}%` }} />
      ))}
    </div>
  )
}

/** Invisible loading mark, such as for a dialog, for tests that wait until the page is complete. */
export function LoadingMark() {
  return <span hidden className="skeleton" />
}

interface ErrorBannerProps {
  /** None while nothing is wrong. */
  readonly error: Error | null | undefined
  readonly retry?: () => void
  /** It is among other things that keep their distance. */
  readonly isInText?: boolean
}

interface LoadErrorProps extends ErrorBannerProps {
  readonly children?: ReactNode
}

/**
 * Shown in place of content that failed to load, with the error. A lost connection is shown once below every page and
 * retried automatically; until then, only placeholder lines or the old content are shown.
 */
export function LoadError({ children, error = null, ...banner }: LoadErrorProps) {
  return useIsConnectionError(error) || error === null ? children : <ErrorBanner error={error} {...banner} />
}

/** What went wrong, in the sentence of the server, with a way to try again; of a lost connection no longer than until it is back. */
export function ErrorBanner({ error = null, retry, isInText = false }: ErrorBannerProps) {
  const { words } = useWords()
  if (useIsResolved(error) || error === null) return null
  return (
    <div className={`banner tone-bad ${isInText ? '' : 'm-4'}`} role="alert">
      <CircleAlert size={16} aria-hidden />
      <div className="min-w-0 flex-1">
        <b>{words.problem.title}</b> <ErrorText error={error} />
      </div>
      {/* Retrying does not help on 404. */}
      {retry === undefined || (error instanceof ApiError && error.status === 404) ? null : (
        <Button label={words.app.retry} className="btn-sm" onClick={retry} />
      )}
    </div>
  )
}

/** The error in the user's language, with the server's details in English. */
export function ErrorText({ error }: { error: Error }) {
  const { words, describeError } = useWords()
  if (useIsResolved(error)) return null
  // Replaces the browser's own message for a lost connection.
  if (error instanceof TypeError) return <>{words.problem.noServer}</>
  const { text, more } = describeError(error)
  return (
    <>
      {text}
      {more === undefined ? null : (
        <span lang="en" className="block text-12">
          {more}
        </span>
      )}
    </>
  )
}

/** An error from a run's log. */
export function RunError({ error }: { error: ErrorInfo }) {
  return <ErrorText error={apiError(error)} />
}

export function apiError({ type, message }: Pick<ErrorInfo, 'type' | 'message'>): ApiError {
  return new ApiError(0, { code: type, detail: message })
}

/** A text from the server, which is in English. */
export function ServerText({ text }: { text: string }) {
  return <span lang="en">{text}</span>
}

/** Shown to users who may not open the page. */
export function AdminsOnly() {
  const { words } = useWords()
  return (
    <Empty icon={Lock} title={words.problem.forAdmins}>
      {words.problem.forAdminsHint}
    </Empty>
  )
}
