import { useRouterState, type ErrorComponentProps } from '@tanstack/react-router'
import { Broken } from '../ui/lazy.tsx'
import { Page } from '../ui/page.tsx'
import { useWords } from '../locales/words.tsx'
import { useNamedPages } from './pages.ts'

/** Shown for a page whose code failed to load or to render, with the page's title. */
export function BrokenPage(props: ErrorComponentProps) {
  const { words } = useWords()
  const at = useRouterState({ select: ({ location }) => `/${location.pathname.split('/')[1] ?? ''}` })
  const page = useNamedPages().find(([to]) => to === at && to !== '/')
  return (
    <Page title={page?.[1] ?? words.app.name}>
      <Broken {...props} />
    </Page>
  )
}
