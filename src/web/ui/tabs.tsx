import { Link, useLocation } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'

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
  const bar = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // If they do not all fit, scroll the open tab and its neighbours into view, also after fonts load.
  useEffect(() => {
    const show = (): void =>
      bar.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    show()
    void document.fonts.ready.then(show)
  }, [pathname])
  return (
    <nav ref={bar} className="tabs" aria-label={label}>
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
