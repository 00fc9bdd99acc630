import { Link, Outlet, useRouterState, type LinkProps } from '@tanstack/react-router'
import {
  Activity,
  Bot,
  CalendarClock,
  ChartColumn,
  ChevronRight,
  Database,
  FlaskConical,
  FolderOpen,
  GraduationCap,
  Menu,
  MessageSquare,
  Pin,
  Puzzle,
  Search,
  ShieldCheck,
  SquarePen,
  UsersRound,
  Workflow,
  type LucideIcon,
} from 'lucide-react'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { UndoNotice, useHiddenPaths } from '../ui/undo.tsx'
import { Fetched, Page } from '../ui/page.tsx'
import { Empty, Loading } from '../ui/states.tsx'
import { useControl } from '../ui/send-keys.tsx'
import { Logo } from '../ui/logo.tsx'
import { useWords } from '../locales/words.tsx'
import type { Items } from '../../client/api.ts'
import { Connection, usePendingApprovals } from './connection.tsx'
import { useGet } from './data.ts'
import { useNotifications } from './notifications.ts'
import { Preferences } from './preferences.tsx'
import { useConversation, useFullConversation } from '../features/chat/conversation.ts'
import { conversationPath } from '../features/conversations/conversation-menu.tsx'
import { useIsAdmin, useSessionQuery } from './session.ts'
import { ShortcutDialogs, useOpened } from './shortcuts.tsx'
import type { ConversationSummary } from './types.ts'
import { lazyComponent } from '../ui/lazy.tsx'
import { IconButton, LinkButton } from '../ui/button.tsx'

/**
 * The app for signed-in users, the sign-in page for others. Shared conversations are shown to both without a session.
 */
export function Shell() {
  const isShared = useRouterState({ select: ({ location }) => location.pathname.startsWith('/shared/') })
  return isShared ? <OpenPage /> : <SignedIn />
}

function OpenPage() {
  return (
    <Suspense fallback={<Loading />}>
      <Outlet />
    </Suspense>
  )
}

function SignedIn() {
  return (
    <Fetched query={useSessionQuery()}>
      {(session) =>
        session.caller !== undefined ? <Inside key={session.caller.userId} /> : <SignIn session={session} />
      }
    </Fetched>
  )
}

const SignIn = lazyComponent(() => import('../features/session/sign-in.tsx'), null)

/** Frame of every page: a sidebar; on a phone a bottom bar, and the sidebar as a drawer. */
function Inside() {
  const { words } = useWords()
  const [isOpen, setOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => setOpen(false), [path])
  const [opened, open] = useOpened()
  const waiting = usePendingApprovals()
  useNotifications(waiting)
  return (
    <div className="flex h-dvh flex-col md:grid md:grid-cols-[200px_minmax(0,1fr)] lg:grid-cols-[240px_minmax(0,1fr)]">
      <a href="#content" className="btn fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0">
        {words.app.skip}
      </a>
      <aside className="hidden min-h-0 border-r border-line bg-bg md:flex md:flex-col" aria-label={words.nav.menu}>
        <SideBar waiting={waiting} search={() => open('palette')} />
      </aside>
      {isOpen ? (
        <Dialog label={words.nav.menu} close={() => setOpen(false)} className="drawer">
          <SideBar
            waiting={waiting}
            search={() => {
              setOpen(false)
              open('palette')
            }}
          />
        </Dialog>
      ) : null}
      <main id="content" className="flex min-h-0 min-w-0 flex-1 flex-col" tabIndex={-1}>
        <OpenPage />
        <Connection />
      </main>
      <ShortcutDialogs opened={opened} close={() => open(undefined)} />
      <UndoNotice />
      <TabBar waiting={waiting} openMenu={() => setOpen(true)} />
    </div>
  )
}

function SideBar({ waiting, search }: { waiting: number; search: () => void }) {
  const { words } = useWords()
  const { data } = useGet<Items<ConversationSummary>>('/conversations?limit=30')
  // Pinned ones stay in sight, however long ago they were.
  const pinned = useGet<Items<ConversationSummary>>('/conversations?pinned=true&limit=30').data?.items ?? []
  const pinnedOnly = pinned.filter(({ isPinned }) => isPinned)
  const recent = (data?.items ?? []).filter(({ isPinned }) => !isPinned)
  const hidden = useHiddenPaths()
  const listed = [...pinnedOnly, ...recent].filter(
    ({ conversationId }) => !hidden.has(conversationPath(conversationId)),
  )
  const open = useOpenConversation()
  const isAdmin = useIsAdmin()
  const control = useControl()
  return (
    <div className="flex min-h-0 flex-1 flex-col p-3 pt-2">
      <div className="mb-2 flex h-10 items-center gap-2 px-1 text-15 font-semibold">
        <Logo />
        {words.app.name}
      </div>
      <div className="mb-2 flex gap-2">
        <LinkButton icon={SquarePen} label={words.nav.newChat} className="flex-1 justify-start" to="/" />
        <IconButton
          look=""
          className=""
          icon={Search}
          label={words.palette.title}
          title={`${words.palette.title} (${control} K)`}
          onClick={search}
        />
      </div>
      <nav className="flex min-h-0 flex-1 flex-col gap-px overflow-y-auto" aria-label={words.nav.pages}>
        <Entry to="/" icon={MessageSquare} label={words.nav.chat} isExact />
        <Entry to="/approvals" icon={ShieldCheck} label={words.nav.approvals} count={waiting} />
        <Entry to="/runs" icon={Activity} label={words.nav.runs} />
        <Entry to="/schedules" icon={CalendarClock} label={words.schedules.title} />
        <Heading>{words.nav.knowledge}</Heading>
        <Entry to="/documents" icon={FolderOpen} label={words.nav.documents} />
        {isAdmin ? <Entry to="/data" icon={Database} label={words.data.title} /> : null}
        <Heading>{words.nav.build}</Heading>
        <Entry to="/agents" icon={Bot} label={words.nav.agents} />
        <Entry to="/teams" icon={Workflow} label={words.teams.title} />
        <Entry to="/evaluations" icon={FlaskConical} label={words.evaluations.title} />
        <Entry to="/skills" icon={GraduationCap} label={words.skills.title} />
        {isAdmin ? <Entry to="/servers" icon={Puzzle} label={words.servers.title} /> : null}
        <Entry to="/dashboard" icon={ChartColumn} label={words.dashboard.title} />
        {isAdmin ? <Entry to="/admin" icon={UsersRound} label={words.admin.title} /> : null}
        {listed.length === 0 ? null : (
          <Heading>
            <Link to="/conversations" title={words.nav.all} className="flex items-center gap-0.5 hover:underline">
              {words.nav.recent}
              <ChevronRight size={12} aria-hidden />
            </Link>
          </Heading>
        )}
        {listed.map(({ conversationId, latestId, title, isPinned }) => (
          <Link
            key={conversationId}
            to="/c/$conversationId"
            params={{ conversationId: latestId }}
            className="nav h-7! flex-none"
            title={title}
            {...(conversationId === open?.conversationId ? OPEN : {})}
          >
            <span className="cut">{title}</span>
            {isPinned ? (
              <Pin size={12} aria-label={words.nav.pinned} className="ml-auto flex-none text-text-3" />
            ) : null}
          </Link>
        ))}
      </nav>
      <Preferences />
    </div>
  )
}

/** As the router says it of a link that leads to what is looked at, which may be another version here. */
const OPEN = { 'data-status': 'active', 'aria-current': 'page' } as const

/** The conversation that is looked at as it is in lists, in whichever version. */
function useOpenConversation() {
  const id = useRouterState({ select: ({ matches }) => matches.map(({ params }) => params).at(-1) })
  const { data } = useConversation(id !== undefined && 'conversationId' in id ? id.conversationId : undefined)
  return useFullConversation(data)
}

function Heading({ children }: { children: ReactNode }) {
  return <h2 className="label flex-none px-2 pt-4 pb-1">{children}</h2>
}

interface EntryProps {
  readonly to: NonNullable<LinkProps['to']>
  readonly icon: LucideIcon
  readonly label: string
  readonly count?: number
  readonly isExact?: boolean
}

function Entry({ to, icon: Icon, label, count = 0, isExact = false }: EntryProps) {
  return (
    <Link to={to} className="nav flex-none" activeOptions={{ exact: isExact }}>
      <Icon size={16} aria-hidden />
      {label}
      {count === 0 ? null : <span className="count tone-warn ml-auto">{count}</span>}
    </Link>
  )
}

function TabBar({ waiting, openMenu }: { waiting: number; openMenu: () => void }) {
  const { words } = useWords()
  const isInside = useRouterState({ select: ({ location }) => location.pathname.startsWith('/c/') })
  const look =
    'relative flex min-h-14 flex-col items-center justify-center gap-0.5 text-11 font-medium text-text-3 data-[status=active]:text-accent-text'
  return (
    <nav
      // Hidden while text is typed, when the keyboard of the device covers half of the page.
      className="grid flex-none grid-cols-4 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden pointer-coarse:in-has-[textarea:focus,input:not([type=checkbox],[type=radio],[type=file]):focus]:hidden"
      aria-label={words.app.name}
    >
      <Link to="/" className={look} activeOptions={{ exact: true }} {...(isInside ? OPEN : {})}>
        <MessageSquare size={20} aria-hidden />
        {words.nav.chat}
      </Link>
      <Link to="/approvals" className={look}>
        <ShieldCheck size={20} aria-hidden />
        {words.nav.approvals}
        {waiting === 0 ? null : <span className="count tone-warn absolute top-1 left-1/2 ml-2">{waiting}</span>}
      </Link>
      <Link to="/runs" className={look}>
        <Activity size={20} aria-hidden />
        {words.nav.runs}
      </Link>
      <button type="button" className={look} onClick={openMenu}>
        <Menu size={20} aria-hidden />
        {words.nav.menu}
      </button>
    </nav>
  )
}

export function NotFound() {
  const { words } = useWords()
  return (
    <Page title={words.app.name}>
      <Empty icon={MessageSquare} title={words.problem.notFound}>
        <LinkButton label={words.problem.home} className="btn-primary mt-3" to="/" />
      </Empty>
    </Page>
  )
}
