import type { UseQueryResult } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { useState, type ReactNode, type Ref } from 'react'
import type { Items } from '../../client/api.ts'
import { Fetched } from './page.tsx'

interface ListProps<T> {
  readonly query: Pick<UseQueryResult<Pick<Items<T>, 'items'>>, 'data' | 'error' | 'refetch'>
  /** Shown instead of an empty list. */
  readonly empty: ReactNode
  /** Number of placeholder lines while loading. */
  readonly lines?: number
  readonly className?: string
  readonly ref?: Ref<HTMLUListElement>
  readonly children: (item: T) => ReactNode
}

/** The items of a query, or a placeholder while it loads, an error, or a hint that there are none. */
export function List<T>({ query, empty, lines, className, ref, children }: ListProps<T>) {
  return (
    <Fetched query={query} {...(lines === undefined ? {} : { lines })}>
      {({ items }) =>
        items.length === 0 ? (
          empty
        ) : (
          <ul className={className} ref={ref}>
            {items.map((item) => children(item))}
          </ul>
        )
      }
    </Fetched>
  )
}

/** A sentence in place of a list. */
export function Hint({ children }: { children: ReactNode }) {
  return <p className="px-4 py-5 text-13 text-text-2">{children}</p>
}

interface RowProps {
  readonly icon?: LucideIcon
  readonly title: ReactNode
  /** The whole title as text, in case it is cut; by default the title if it is a text. */
  readonly tooltip?: string
  /** A second line. */
  readonly detail?: ReactNode
  /** Badges and controls. */
  readonly children?: ReactNode
}

/** An item of a list. */
export function Row({ icon: Icon, title, tooltip, detail, children }: RowProps) {
  return (
    <li className="line">
      {Icon === undefined ? null : <Icon size={16} aria-hidden className="flex-none text-text-3" />}
      <div className="min-w-0 flex-1 basis-40">
        <p className="cut font-medium" title={tooltip ?? (typeof title === 'string' ? title : undefined)}>
          {title}
        </p>
        {detail === undefined ? null : <p className="text-12 text-text-2 wrap-anywhere">{detail}</p>}
      </div>
      {children}
    </li>
  )
}

interface DisclosureRowProps {
  readonly summary: ReactNode
  /** Layout of the summary. */
  readonly className?: string
  readonly children: ReactNode
}

/** An item of a list that shows its details when it is pressed. */
export function DisclosureRow({ summary, className = 'py-2.5', children }: DisclosureRowProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        data-move
        className={`group w-full px-4 text-left text-13 hover:bg-surface-2 ${className}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {summary}
      </button>
      {isOpen ? children : null}
    </li>
  )
}

/** A name and its value, as a row of a `<dl>`. */
export function Fact({ name, className = '', children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <div className="line">
      <dt className="w-44 flex-none text-text-2">{name}</dt>
      <dd className={`min-w-0 flex-1 wrap-anywhere ${className}`}>{children}</dd>
    </div>
  )
}

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
