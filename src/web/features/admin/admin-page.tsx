import { Link, useParams } from '@tanstack/react-router'
import { Gauge, Grid3x3, ListChecks, ScrollText, SearchX, Settings2, UserRound, UsersRound } from 'lucide-react'
import { useIsAdmin } from '../../app/session.ts'
import { Page } from '../../ui/page.tsx'
import { Empty, ForAdmins } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useWords } from '../../words/words.tsx'
import { Access } from './access.tsx'
import { Audit } from './audit.tsx'
import { Executions } from './executions.tsx'
import { Gifts } from './gifts.tsx'
import { Groups } from './groups.tsx'
import { Invitations } from './invitations.tsx'
import { Limits } from './limits.tsx'
import { People } from './people.tsx'
import { Setup } from './setup.tsx'

/** Who is here, what they may use and how much of it, and what was changed. */
export default function AdminPage() {
  const { words } = useWords()
  const { part } = useParams({ strict: false })
  const tabs = [
    { to: '/admin', icon: UserRound, label: words.admin.people },
    { to: '/admin/groups', icon: UsersRound, label: words.admin.groups },
    { to: '/admin/access', icon: Grid3x3, label: words.admin.access },
    { to: '/admin/limits', icon: Gauge, label: words.admin.limits },
    { to: '/admin/executions', icon: ListChecks, label: words.executions.title },
    { to: '/admin/audit', icon: ScrollText, label: words.admin.audit },
    { to: '/admin/setup', icon: Settings2, label: words.admin.setup },
  ]
  const parts = {
    groups: Groups,
    access: AccessAndGifts,
    limits: Limits,
    executions: Executions,
    audit: Audit,
    setup: Setup,
  } as const
  const Part = part === undefined ? PeopleAndInvitations : parts[part as keyof typeof parts]
  if (!useIsAdmin()) {
    return (
      <Page title={words.admin.title}>
        <ForAdmins />
      </Page>
    )
  }
  return (
    <Page title={words.admin.title} tabs={<Tabs label={words.admin.title} tabs={tabs} />}>
      {Part === undefined ? <Nowhere /> : <Part />}
    </Page>
  )
}

function Nowhere() {
  const { words } = useWords()
  return (
    <Empty icon={SearchX} title={words.problem.notFound}>
      <Link to="/admin" className="btn btn-primary mt-3">
        {words.admin.title}
      </Link>
    </Empty>
  )
}

function PeopleAndInvitations() {
  return (
    <>
      <People />
      <Invitations />
    </>
  )
}

function AccessAndGifts() {
  return (
    <>
      <Access />
      <div className="mt-4">
        <Gifts />
      </div>
    </>
  )
}
