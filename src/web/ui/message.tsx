import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface CutProps {
  readonly text: string
  /** Tooltip; by default the whole text. */
  readonly title?: string | undefined
  readonly className?: string
}

/** A text on one line. It is cut at the end if there is no room. */
export function Cut({ text, title = text, className = '' }: CutProps) {
  return (
    <span className={`cut ${className}`} title={title}>
      {text}
    </span>
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
