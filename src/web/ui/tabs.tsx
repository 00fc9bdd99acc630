import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'

export interface Tab {
  readonly to: string
  readonly icon: LucideIcon
  readonly label: string
}

/** Tabs of a page, each with its own URL. */
export function Tabs({
  label,
  tabs,
  keepsSearch = false,
}: {
  label: string
  tabs: readonly Tab[]
  keepsSearch?: boolean
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, icon: Icon, label: name }) => (
        <Link
          key={to}
          to={to}
          {...(keepsSearch ? { search: true as const } : {})}
          className="tab"
          activeOptions={{ exact: true, includeSearch: false }}
        >
          <Icon size={16} aria-hidden />
          {name}
        </Link>
      ))}
    </nav>
  )
}
