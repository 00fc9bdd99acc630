import { useParams } from '@tanstack/react-router'
import { Brain, KeyRound, Mail, ShieldCheck, UserRound } from 'lucide-react'
import { useSession } from '../../app/session.ts'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useWords } from '../../locales/words.tsx'
import { General } from './general.tsx'
import { Keys } from './keys.tsx'
import { OwnMailbox } from './mailbox.tsx'
import { Memory } from './memory.tsx'
import { Security } from './security.tsx'

/** The user's settings: account, appearance, memory, keys. */
export default function SettingsPage() {
  const { words } = useWords()
  const { part } = useParams({ strict: false })
  const isPerson = useSession()?.caller?.kind === 'person'
  const tabs = [
    { to: '/settings', icon: UserRound, label: words.settings.general },
    { to: '/settings/memory', icon: Brain, label: words.settings.memory },
    { to: '/settings/mailbox', icon: Mail, label: words.settings.mailbox },
    { to: '/settings/security', icon: ShieldCheck, label: words.settings.security },
    { to: '/settings/keys', icon: KeyRound, label: words.settings.keys },
  ]
  const noAccount = <Empty icon={UserRound} title={words.settings.noAccount} hint={words.settings.noAccountHint} />
  return (
    <Page title={words.settings.title} tabs={<Tabs label={words.settings.title} tabs={tabs} />}>
      <div className="mx-auto max-w-190">
        {part === undefined ? <General /> : null}
        {part === 'memory' ? <Memory /> : null}
        {part === 'mailbox' ? <OwnMailbox /> : null}
        {part === 'security' ? isPerson ? <Security /> : noAccount : null}
        {part === 'keys' ? isPerson ? <Keys /> : noAccount : null}
      </div>
    </Page>
  )
}
