import type { Schemas } from '../../client/api-types.ts'
import { useNavigate } from '@tanstack/react-router'
import {
  Activity,
  ArrowRight,
  Bot,
  FileText,
  LogOut,
  MessageSquare,
  Monitor,
  Moon,
  Search,
  SquarePen,
  Sun,
  type LucideIcon,
} from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Items } from '../../client/api.ts'
import { useAgents } from '../features/chat/use-about.ts'
import { useAgentName } from '../ui/agent-mark.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { showInvisible } from '../ui/show-invisible.ts'
import { useWords } from '../locales/words.tsx'
import { useGet } from './data.ts'
import { GUIDE, useNamedPages, type PageEntry } from './pages.ts'
import { useIsAdmin, useMayChange, useSession, useSignOut } from './session.ts'
import { storedTheme, setTheme } from './theme.ts'
import type { ConversationSummary, RunSummary } from './types.ts'

interface Found {
  readonly id: string
  readonly group: string
  readonly icon: LucideIcon
  readonly label: string
  readonly more?: string
  readonly open: () => void
}

/**
 * Command palette: opens pages, conversations, runs, agents and documents, and runs menu commands. The last row asks
 * the typed text as a question.
 */
export default function Palette({ close }: { close: () => void }) {
  const { words, formats } = useWords()
  const setup = useWords().words.setup.title
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const mayAsk = useMayChange()
  // A leading `>`, `#` or `@` limits the results to one group.
  const narrow = /^[>#@]/.exec(typed)?.[0]
  const isIn = (mark: string): boolean => narrow === undefined || narrow === mark
  const searchText = typed.slice(narrow?.length ?? 0).trim()
  const looked = useDeferredValue(searchText)
  const search = encodeURIComponent(looked)
  const conversations = useGet<Items<ConversationSummary>>(`/conversations?limit=6&search=${search}`)
  const runs = useGet<Items<RunSummary>>(`/runs?limit=6&search=${search}`, searchText !== '')
  const documents = useGet<Items<Schemas['Document']>>(`/documents?limit=6&search=${search}`, searchText !== '')
  const agents = useAgents()
  const nameOf = useAgentName()
  const signOut = useSignOut()
  const isPerson = useSession()?.caller?.kind === 'person'
  const go =
    (to: string, options: object = {}) =>
    () => {
      close()
      void navigate({ to, ...options })
    }
  const pages: readonly PageEntry[] = [...useNamedPages(), ['/setup', setup, isAdmin]]
  // Results of the previous search must not be opened by mistake.
  const isFresh = looked === searchText
  const isLike = (label: string): boolean => label.toLowerCase().includes(searchText.toLowerCase())
  // The server also matches message texts. Matches in the title come first.
  const likelyFirst = (items: readonly Found[]): Found[] =>
    items.toSorted((a, b) => Number(isLike(b.label)) - Number(isLike(a.label)))
  const listed = isFresh && isIn('#') ? (conversations.data?.items ?? []) : []
  const talks: readonly Found[] = [
    ...likelyFirst(
      listed.map(({ conversationId, latestId, title, updatedAt }) => ({
        id: conversationId,
        group: words.palette.conversations,
        icon: MessageSquare,
        label: title,
        more: formats.date(Date.parse(updatedAt)),
        open: go('/c/$conversationId', { params: { conversationId: latestId } }),
      })),
    ),
    ...likelyFirst(
      (searchText !== '' && isFresh && isIn('#') ? (runs.data?.items ?? []) : [])
        // Omit runs whose conversation is listed.
        .filter(({ question }) => !listed.some(({ title }) => title === question))
        .map(({ runId, question, createdAt }) => ({
          id: runId,
          group: words.nav.runs,
          icon: Activity,
          label: question,
          more: formats.date(Date.parse(createdAt)),
          open: go('/runs/$runId', { params: { runId } }),
        })),
    ),
    ...(mayAsk && (narrow === '@' || searchText !== '') && isIn('@') ? agents : [])
      .filter(({ name, unavailable }) => unavailable === undefined && (isLike(nameOf(name)) || isLike(name)))
      .map(({ name }) => ({
        id: name,
        group: words.nav.agents,
        icon: Bot,
        label: nameOf(name),
        more: words.palette.askAgent,
        open: go('/', { search: { q: `@${name} ` } }),
      })),
    ...(searchText !== '' && isFresh && isIn('@') ? (documents.data?.items ?? []) : []).map(({ documentId, name }) => ({
      id: documentId,
      group: words.nav.documents,
      icon: FileText,
      label: showInvisible(name),
      open: go('/documents/$documentId', { params: { documentId } }),
    })),
  ]
  const places: readonly Found[] = pages
    .filter(([, name, isShown]) => isShown && isIn('>') && isLike(name))
    .map(([to, name]) => ({
      id: to,
      group: words.nav.pages,
      icon: ArrowRight,
      label: name,
      open: to === GUIDE ? () => location.assign(to) : go(to),
    }))
  const themes = (['light', 'dark', 'system'] as const).filter((one) => one !== storedTheme())
  const deeds: readonly Found[] = [
    ...themes.map((one) => ({
      id: one,
      group: words.palette.actions,
      icon: one === 'light' ? Sun : one === 'dark' ? Moon : Monitor,
      label: `${words.nav.theme.label}: ${words.nav.theme[one]}`,
      open: () => {
        setTheme(one)
        close()
      },
    })),
    ...(isPerson
      ? [
          {
            id: 'out',
            group: words.palette.actions,
            icon: LogOut,
            label: words.nav.signOut,
            open: () => signOut.mutate(undefined, { onSuccess: close }),
          },
        ]
      : []),
  ].filter(({ label }) => isIn('>') && isLike(label))
  const found: readonly Found[] = [
    ...(searchText === '' ? [...talks, ...places] : [...places, ...talks]),
    ...deeds,
    ...(searchText === '' || !mayAsk
      ? []
      : [
          {
            id: 'ask',
            group: words.palette.actions,
            icon: SquarePen,
            label: words.palette.ask({ words: searchText }),
            open: go('/', { search: { q: searchText } }),
          },
        ]),
  ]
  const current = Math.min(at, found.length - 1)
  return (
    <Dialog label={words.palette.title} close={close} className="dialog palette" startsInside>
      <label className="flex items-center gap-3 border-b border-line px-4 py-3">
        <Search size={18} aria-hidden className="flex-none text-text-3" />
        <input
          role="combobox"
          aria-expanded
          aria-controls="found"
          aria-activedescendant={`found-${current}`}
          aria-label={words.palette.title}
          className="min-w-0 flex-1 bg-transparent text-16 shadow-none! outline-none"
          placeholder={words.palette.placeholder}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            const { key } = event
            if (key === 'ArrowDown') setAt((current + 1) % found.length)
            else if (key === 'ArrowUp') setAt((current + found.length - 1) % found.length)
            else if (key === 'Enter') found[event.metaKey || event.ctrlKey ? found.length - 1 : current]?.open()
            else return
            event.preventDefault()
          }}
        />
        <span className="kbd pointer-coarse:hidden">Esc</span>
      </label>
      <ul id="found" role="listbox" aria-label={words.palette.title} className="min-h-40 overflow-y-auto p-2">
        {found.map(({ id, group, icon: Icon, label, more, open }, n) => (
          <li key={`${group} ${id}`} role="presentation">
            {group === found[n - 1]?.group ? null : (
              <span className="label block px-2 pt-2 pb-1" role="presentation">
                {group}
              </span>
            )}
            <button
              type="button"
              id={`found-${n}`}
              role="option"
              tabIndex={-1}
              aria-selected={n === current}
              ref={(row) => {
                if (n === current) row?.scrollIntoView({ block: 'nearest' })
              }}
              className={`flex min-h-9 w-full items-center gap-3 rounded-lg px-2 text-left text-13 ${n === current ? 'bg-accent-soft text-accent-text' : 'hover:bg-surface-2'}`}
              onMouseMove={() => setAt(n)}
              onClick={open}
            >
              <Icon size={16} aria-hidden className="flex-none" />
              <span className="cut flex-1" title={label}>
                {label}
              </span>
              <span className="flex-none text-12 text-text-3">{more}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-12 text-text-3">
        {Object.entries(words.palette.narrow).map(([mark, told]) => (
          <span key={mark}>
            <span className="kbd">{mark}</span> {told}
          </span>
        ))}
      </p>
    </Dialog>
  )
}
