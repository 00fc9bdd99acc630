import { useWords } from '../locales/words.tsx'
import { useIsAdmin } from './session.ts'

/** A page: its path, its title, and whether the user may open it. */
export type PageEntry = readonly [to: string, title: string, isTheirs: boolean]

/** Pages outside the app. */
export const GUIDE = '/guide'

/** All pages that can be opened by name, except the setup page, whose texts are loaded with it. */
export function useNamedPages(): readonly PageEntry[] {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  return [
    ['/', words.nav.newChat, true],
    ['/approvals', words.nav.approvals, true],
    ['/runs', words.nav.runs, true],
    ['/conversations', words.conversations.all, true],
    ['/documents', words.nav.documents, true],
    ['/collections', words.collections.title, true],
    ['/data', words.data.title, isAdmin],
    ['/data/console', `${words.data.title}: ${words.data.console}`, isAdmin],
    ['/agents', words.nav.agents, true],
    ['/teams', words.teams.title, true],
    ['/evaluations', words.evaluations.title, true],
    ['/skills', words.skills.title, true],
    ['/servers', words.servers.title, isAdmin],
    ['/schedules', words.schedules.title, true],
    ['/dashboard', words.dashboard.title, true],
    ['/admin', words.admin.title, isAdmin],
    ['/admin/access', `${words.admin.title}: ${words.admin.access}`, isAdmin],
    ['/settings', words.settings.title, true],
    ['/settings/memory', `${words.settings.title}: ${words.settings.memory}`, true],
    ['/settings/mailbox', `${words.settings.title}: ${words.settings.mailbox}`, true],
    ['/settings/keys', `${words.settings.title}: ${words.settings.keys}`, true],
    ['/docs', words.apiDocs.title, true],
    [GUIDE, words.palette.guide, true],
  ]
}
