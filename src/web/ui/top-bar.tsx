import type { ReactNode } from 'react'

/** The bar above a page: what it is, and what can be done with it. */
export function TopBar({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className="flex h-12 flex-none items-center gap-3 border-b border-line bg-surface px-4">
      <h1 className="cut min-w-0 text-14 font-semibold">{title}</h1>
      {children}
    </header>
  )
}
