import type { Schemas } from '../../client/api-types.ts'
import { useNavigate } from '@tanstack/react-router'
import { Activity, ArrowRight, Bot, FileText, MessageSquare, Search, SquarePen, type LucideIcon } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Items } from '../../client/api.ts'
import { useAgents } from '../features/chat/use-agents.ts'
import { useAgentName } from '../ui/agent-mark.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { showInvisible } from '../ui/show-invisible.ts'
import { Cut } from '../ui/list.tsx'
import { useWords } from '../locales/words.tsx'
import { useGet } from './data.ts'
import { GUIDE, useNamedPages, type PageEntry } from './pages.ts'
import { useIsAdmin, useMayChange } from './session.ts'
import type { ConversationSummary, RunSummary } from './types.ts'

interface Entry {
  readonly id: string
  readonly label: string
  readonly details?: string
  readonly open: () => void
}

interface Result extends Entry {
  readonly group: string
  readonly icon: LucideIcon
}

/**
 * Command palette: opens pages, conversations, runs, agents and documents. The last row asks the typed text as a
 * question.
 */
export default function Palette({ close }: { close: () => void }) {
  const { words, formats } = useWords()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const mayAsk = useMayChange()
  // A leading `>`, `#` or `@` limits the results to one group.
  const narrow = /^[>#@]/.exec(typed)?.[0]
  const searchText = typed.slice(narrow?.length ?? 0).trim()
  const deferredText = useDeferredValue(searchText)
  const search = encodeURIComponent(deferredText)
  const conversations = useGet<Items<ConversationSummary>>(`/conversations?limit=6&search=${search}`)
  const runs = useGet<Items<RunSummary>>(`/runs?limit=6&search=${search}`, searchText !== '')
  const documents = useGet<Items<Schemas['Document']>>(`/documents?limit=6&search=${search}`, searchText !== '')
  const agents = useAgents()
  const nameOf = useAgentName()
  const go =
    (to: string, options: object = {}) =>
    () => {
      close()
      void navigate({ to, ...options })
    }
  // Results of the previous search must not be opened by mistake.
  const isFresh = deferredText === searchText
  const isLike = ({ label }: Pick<Entry, 'label'>): boolean => label.toLowerCase().includes(searchText.toLowerCase())
  const isSearch = searchText !== ''
  const dateOf = (at: string): string => formats.date(Date.parse(at))
  /** The entries of a group, if its mark does not exclude them. */
  const group = (mark: string, name: string, icon: LucideIcon, entries: readonly Entry[]): Result[] =>
    narrow === undefined || narrow === mark ? entries.map((entry) => ({ ...entry, group: name, icon })) : []
  // The server also matches message texts. Matches in the title come first.
  const likelyFirst = (entries: readonly Entry[]): readonly Entry[] =>
    entries.toSorted((a, b) => Number(isLike(b)) - Number(isLike(a)))
  const listed = isFresh ? (conversations.data?.items ?? []) : []
  const conversationEntries = listed.map(({ conversationId, latestId, title, updatedAt }) => ({
    id: conversationId,
    label: title,
    details: dateOf(updatedAt),
    open: go('/c/$conversationId', { params: { conversationId: latestId } }),
  }))
  const runEntries = (isSearch && isFresh ? (runs.data?.items ?? []) : [])
    // Omit runs whose conversation is listed.
    .filter(({ question }) => !listed.some(({ title }) => title === question))
    .map(({ runId, question, createdAt }) => ({
      id: runId,
      label: question,
      details: dateOf(createdAt),
      open: go('/runs/$runId', { params: { runId } }),
    }))
  const agentEntries = (mayAsk && (narrow === '@' || isSearch) ? agents : [])
    .filter(
      ({ name, unavailable }) => unavailable === undefined && [nameOf(name), name].some((label) => isLike({ label })),
    )
    .map(({ name }) => ({
      id: name,
      label: nameOf(name),
      details: words.palette.askAgent,
      open: go('/', { search: { q: `@${name} ` } }),
    }))
  const documentEntries = (isSearch && isFresh ? (documents.data?.items ?? []) : []).map(({ documentId, name }) => ({
    id: documentId,
    label: showInvisible(name),
    open: go('/documents/$documentId', { params: { documentId } }),
  }))
  const pages: readonly PageEntry[] = [...useNamedPages(), ['/setup', words.setup.title, isAdmin]]
  const pageEntries = pages
    .filter(([, label, isAllowed]) => isAllowed && isLike({ label }))
    .map(([to, label]) => ({ id: to, label, open: to === GUIDE ? () => location.assign(to) : go(to) }))
  const askEntry = {
    id: 'ask',
    label: words.palette.ask({ words: searchText }),
    open: go('/', { search: { q: searchText } }),
  }
  const content = [
    ...group('#', words.palette.conversations, MessageSquare, likelyFirst(conversationEntries)),
    ...group('#', words.nav.runs, Activity, likelyFirst(runEntries)),
    ...group('@', words.nav.agents, Bot, agentEntries),
    ...group('@', words.nav.documents, FileText, documentEntries),
  ]
  const places = group('>', words.nav.pages, ArrowRight, pageEntries)
  const results: readonly Result[] = [
    ...(isSearch ? [...places, ...content] : [...content, ...places]),
    ...(isSearch && mayAsk ? [{ ...askEntry, group: words.palette.actions, icon: SquarePen }] : []),
  ]
  const current = Math.min(at, results.length - 1)
  return (
    <Dialog label={words.palette.title} close={close} className="dialog mt-[12vh]! max-h-[80dvh]!" startsInside>
      <label className="flex items-center gap-3 border-b border-line px-4 py-3">
        <Search size={18} aria-hidden className="flex-none text-text-3" />
        <input
          role="combobox"
          aria-expanded
          aria-controls="results"
          aria-activedescendant={`result-${current}`}
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
            if (key === 'ArrowDown') setAt((current + 1) % results.length)
            else if (key === 'ArrowUp') setAt((current + results.length - 1) % results.length)
            else if (key === 'Enter') results[event.metaKey || event.ctrlKey ? results.length - 1 : current]?.open()
            else return
            event.preventDefault()
          }}
        />
        <span className="kbd pointer-coarse:hidden">Esc</span>
      </label>
      <ul id="results" role="listbox" aria-label={words.palette.title} className="min-h-40 overflow-y-auto p-2">
        {results.map(({ id, group, icon: Icon, label, details, open }, n) => (
          <li key={`${group} ${id}`} role="presentation">
            {group === results[n - 1]?.group ? null : (
              <span className="label block px-2 pt-2 pb-1" role="presentation">
                {group}
              </span>
            )}
            <button
              type="button"
              id={`result-${n}`}
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
              <Cut text={label} className="flex-1" />
              <span className="flex-none text-12 text-text-3">{details}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-12 text-text-3">
        {Object.entries(words.palette.narrow).map(([mark, text]) => (
          <span key={mark}>
            <span className="kbd">{mark}</span> {text}
          </span>
        ))}
      </p>
    </Dialog>
  )
}
