import { useRouterState, type ErrorComponentProps } from '@tanstack/react-router'
import { Broken } from '../ui/lazily.tsx'
import { Page } from '../ui/page.tsx'
import { useWords } from '../words/words.tsx'

/** In place of a page whose code has not come, or which could not be shown: it is called as the page is. */
export function BrokenPage(props: ErrorComponentProps) {
  const { words } = useWords()
  const part = useRouterState({ select: ({ location }) => location.pathname.split('/')[1] ?? '' })
  const titles: Readonly<Record<string, string>> = {
    approvals: words.nav.approvals,
    runs: words.nav.runs,
    conversations: words.conversations.all,
    documents: words.nav.documents,
    collections: words.documents.title,
    data: words.data.title,
    agents: words.nav.agents,
    teams: words.teams.title,
    evaluations: words.evaluations.title,
    skills: words.skills.title,
    servers: words.servers.title,
    schedules: words.schedules.title,
    dashboard: words.dashboard.title,
    admin: words.admin.title,
    settings: words.settings.title,
    docs: words.apiDocs.title,
  }
  return (
    <Page title={titles[part] ?? words.app.name}>
      <Broken {...props} />
    </Page>
  )
}
