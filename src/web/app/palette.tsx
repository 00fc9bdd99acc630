import type { Schemas } from '../../client/api-types.ts'
import { useNavigate } from '@tanstack/react-router'
import { ArrowRight, FileText, MessageSquare, Search, SquarePen, type LucideIcon } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Items } from '../../client/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { showInvisible } from '../ui/show-invisible.ts'
import { useWords } from '../locales/words.tsx'
import { useGet } from './data.ts'
import { GUIDE, useNamedPages, type PageEntry } from './pages.ts'
import { useIsAdmin, useMayChange } from './session.ts'
import type { ConversationSummary } from './types.ts'

interface Found {
  readonly id: string
  readonly group: string
  readonly icon: LucideIcon
  readonly label: string
  readonly more?: string
  readonly open: () => void
}

/**
 * Command palette: opens pages, conversations and documents. The last row asks the typed text as a question.
 */
export default function Palette({ close }: { close: () => void }) {
  const { words, formats } = useWords()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const mayAsk = useMayChange()
  const searchText = typed.trim()
  const looked = useDeferredValue(searchText)
  const search = encodeURIComponent(looked)
  const conversations = useGet<Items<ConversationSummary>>(`/conversations?limit=6&search=${search}`)
  const documents = useGet<Items<Schemas['Document']>>(`/documents?limit=6&search=${search}`, searchText !== '')
  // Results of the previous search must not be opened by mistake.
  const isFresh = looked === searchText
  const go =
    (to: string, options: object = {}) =>
    () => {
      close()
      void navigate({ to, ...options })
    }
  const pages: readonly PageEntry[] = [...useNamedPages(), ['/setup', words.setup.title, isAdmin]]
  const places = pages
    .filter(([, name, isShown]) => isShown && name.toLowerCase().includes(searchText.toLowerCase()))
    .map(([to, name]): Found => {
      const open = to === GUIDE ? () => location.assign(to) : go(to)
      return { id: to, group: words.nav.pages, icon: ArrowRight, label: name, open }
    })
  const talks = (isFresh ? (conversations.data?.items ?? []) : []).map(
    ({ conversationId, latestId, title, updatedAt }): Found => ({
      id: conversationId,
      group: words.palette.conversations,
      icon: MessageSquare,
      label: title,
      more: formats.date(Date.parse(updatedAt)),
      open: go('/c/$conversationId', { params: { conversationId: latestId } }),
    }),
  )
  const files = (searchText !== '' && isFresh ? (documents.data?.items ?? []) : []).map(
    ({ documentId, name }): Found => ({
      id: documentId,
      group: words.nav.documents,
      icon: FileText,
      label: showInvisible(name),
      open: go('/documents/$documentId', { params: { documentId } }),
    }),
  )
  const ask: Found = {
    id: 'ask',
    group: words.palette.actions,
    icon: SquarePen,
    label: words.palette.ask({ words: searchText }),
    open: go('/', { search: { q: searchText } }),
  }
  const found = searchText === '' ? [...talks, ...places] : [...places, ...talks, ...files, ...(mayAsk ? [ask] : [])]
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
    </Dialog>
  )
}
