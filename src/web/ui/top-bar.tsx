import { useEffect, useRef, type ReactNode } from 'react'
import { useWords } from '../locales/words.tsx'

/** How many decisions wait, in front of the title of the window. */
export const COUNT = /^\(\d+\) /

/** The bar above a page, with its title, which is also the window title, and its actions. */
export function TopBar({ title, children }: { title: ReactNode; children?: ReactNode }) {
  const { words } = useWords()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const headingText = heading.current?.textContent.trim() ?? ''
    const name =
      headingText === '' || headingText === words.app.name ? words.app.name : `${headingText} · ${words.app.name}`
    // Where there is little room it is cut.
    if (heading.current !== null) heading.current.title = headingText
    document.title = `${COUNT.exec(document.title)?.[0] ?? ''}${name}`
  })
  return (
    <header className="flex h-12 flex-none items-center gap-3 border-b border-line bg-surface px-4">
      <h1 ref={heading} className="cut min-w-0 text-14 font-semibold">
        {title}
      </h1>
      {children}
    </header>
  )
}
