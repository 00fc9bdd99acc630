import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'

export interface Tab {
  readonly to: string
  readonly icon: LucideIcon
  readonly label: string
}

/** If they do not all fit, the open tab and its neighbours are in view, also after the fonts have loaded. */
function scrollIfOpen(link: HTMLElement | null): void {
  if (link?.ariaCurrent !== 'page') return
  void document.fonts.ready.then(() => link.scrollIntoView({ block: 'nearest', inline: 'center' }))
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
          ref={scrollIfOpen}
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
