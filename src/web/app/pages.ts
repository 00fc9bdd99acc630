import { useWords } from '../locales/words.tsx'
import { useIsAdmin } from './session.ts'

/** Where a page is, what it is called, and whether it is for who is signed in. */
export type PageEntry = readonly [to: string, title: string, isTheirs: boolean]

/** Pages of their own, beside the app. */
export const GUIDE = '/guide'

/** Every page that is opened by its name, but that of the setup, whose words come with it. */
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
    ['/admin/executions', `${words.admin.title}: ${words.executions.title}`, isAdmin],
    ['/settings', words.settings.title, true],
    ['/settings/memory', `${words.settings.title}: ${words.settings.memory}`, true],
    ['/settings/mailbox', `${words.settings.title}: ${words.settings.mailbox}`, true],
    ['/settings/keys', `${words.settings.title}: ${words.settings.keys}`, true],
    ['/docs', words.apiDocs.title, true],
    [GUIDE, words.palette.guide, true],
  ]
}
