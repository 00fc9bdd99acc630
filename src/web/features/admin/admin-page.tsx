import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Gauge, Grid3x3, Hourglass, ScrollText, SearchX, UserRound, UsersRound } from 'lucide-react'
import { useIsAdmin } from '../../app/session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, AdminsOnly } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useWords } from '../../locales/words.tsx'
import { Access } from './access.tsx'
import { Audit } from './audit.tsx'
import { Groups } from './groups.tsx'
import { Limits } from './limits.tsx'
import { People } from './people.tsx'
import { PersonAccess } from './person-access.tsx'
import { Retention } from './retention.tsx'
import { usePersonNames } from './grantees.ts'

/** Administration: users, access, limits and the audit log. */
export default function AdminPage() {
  const { words } = useWords()
  const { part } = useParams({ strict: false })
  const tabs = [
    { to: '/admin', icon: UserRound, label: words.admin.people },
    { to: '/admin/groups', icon: UsersRound, label: words.admin.groups },
    { to: '/admin/access', icon: Grid3x3, label: words.admin.access },
    { to: '/admin/limits', icon: Gauge, label: words.admin.limits },
    { to: '/admin/audit', icon: ScrollText, label: words.admin.audit },
    { to: '/admin/retention', icon: Hourglass, label: words.retention.title },
  ]
  const parts = {
    groups: Groups,
    access: AccessPart,
    limits: Limits,
    audit: Audit,
    retention: Retention,
  } as const
  const Part = part === undefined ? People : parts[part as keyof typeof parts]
  if (!useIsAdmin()) {
    return (
      <Page title={words.admin.title}>
        <AdminsOnly />
      </Page>
    )
  }
  return (
    <Page
      title={words.admin.title}
      actions={part === 'access' ? <SeeAs /> : null}
      tabs={<Tabs label={words.admin.title} tabs={tabs} />}
    >
      {Part === undefined ? <Nowhere /> : <Part />}
    </Page>
  )
}

function Nowhere() {
  const { words } = useWords()
  return (
    <Empty icon={SearchX} title={words.problem.notFound}>
      <LinkButton to="/admin" label={words.admin.title} className="btn-primary mt-3" />
    </Empty>
  )
}

function AccessPart() {
  const { as: userId } = useSearch({ strict: false })
  return userId === undefined ? <Access /> : <PersonAccess userId={userId} />
}

/** Opens what one user may use. */
function SeeAs() {
  const { words } = useWords()
  const navigate = useNavigate()
  const { as: current = '' } = useSearch({ strict: false })
  const people = usePersonNames()
  if (Object.keys(people).length === 0) return null
  return (
    <div className="ml-auto w-40 sm:w-52">
      <Choice
        label={words.access.seeAs}
        isQuiet
        value={current}
        options={{ '': words.access.seeAs, ...people }}
        onChange={(userId) => void navigate({ to: '/admin/$part', params: { part: 'access' }, search: { as: userId } })}
      />
    </div>
  )
}
