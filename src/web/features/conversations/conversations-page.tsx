import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { MessageSquare, Pin } from 'lucide-react'
import { useDeferredValue } from 'react'
import { usePagedList } from '../../app/data.ts'
import type { ConversationSummary } from '../../app/types.ts'
import { SearchField } from '../../ui/field.tsx'
import { Fetched, More, Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useHiddenPaths } from '../../ui/undo.tsx'
import { useVisibleRange } from '../../ui/use-visible-range.ts'
import { useMoves } from '../../ui/use-keys.ts'
import { useWords } from '../../locales/words.tsx'
import { ConversationMenu, conversationPath } from './conversation-menu.tsx'

const LIST_FILTERS = { pinned: { pinned: 'true' }, archived: { archived: 'true' } } as const

/** All conversations of the user, newest first, including archived ones. J and K move, Enter opens. */
export default function ConversationsPage() {
  const { words } = useWords()
  const { search = '', kept } = useSearch({ from: '/conversations' })
  const navigate = useNavigate()
  const shown = kept === 'pinned' || kept === 'archived' ? kept : undefined
  const asked = new URLSearchParams({
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(shown === undefined ? {} : LIST_FILTERS[shown]),
  })
  const query = useDeferredValue(asked.toString())
  const conversations = usePagedList<ConversationSummary>(`/conversations?limit=50&${query}`)
  const hidden = useHiddenPaths()
  const isVisible = ({ conversationId }: ConversationSummary): boolean => !hidden.has(conversationPath(conversationId))
  return (
    <Page title={words.conversations.all}>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField
          label={words.conversations.search}
          value={search}
          say={(text) =>
            void navigate({
              to: '/conversations',
              search: { search: text, ...(kept === undefined ? {} : { kept }) },
              replace: true,
            })
          }
        />
        {([undefined, 'pinned', 'archived'] as const).map((one) => (
          <Link
            key={one ?? 'all'}
            to="/conversations"
            search={{ search, ...(one === undefined ? {} : { kept: one }) }}
            replace
            className="chip"
            aria-current={shown === one}
          >
            {words.conversations.kept[one ?? 'all']}
          </Link>
        ))}
      </div>
      <Fetched query={conversations} lines={8}>
        {(items) =>
          !items.some(isVisible) ? (
            <Empty icon={MessageSquare} title={query === '' ? words.conversations.none : words.conversations.noMatch} />
          ) : (
            <List items={items.filter(isVisible)} />
          )
        }
      </Fetched>
      <More of={conversations} />
    </Page>
  )
}

/** Height of a line, in rem. */
const ROW = 49 / 16

function List({ items }: { items: readonly ConversationSummary[] }) {
  const { formats } = useWords()
  const list = useMoves<HTMLUListElement>()
  const { shown, before, after, style } = useVisibleRange(list, items.length, ROW)
  return (
    <ul ref={list} className="card">
      {before > 0 ? <li aria-hidden style={{ height: before }} /> : null}
      {shown.map((at) => {
        const one = items[at]!
        return (
          <li key={one.conversationId} style={style} className="line flex-nowrap!">
            {one.isPinned ? <Pin size={14} aria-hidden className="flex-none text-text-3" /> : null}
            <Link
              to="/c/$conversationId"
              params={{ conversationId: one.latestId }}
              data-move
              className="cut min-w-0 flex-1 font-medium hover:underline"
              title={one.title}
            >
              {one.title}
            </Link>
            <span className="flex-none text-12 text-text-3">
              <span className="sm:hidden">{formats.day(Date.parse(one.updatedAt))}</span>
              <span className="max-sm:hidden">{formats.date(Date.parse(one.updatedAt))}</span>
            </span>
            <ConversationMenu conversation={one} hasMessages={one.turns > 0} />
          </li>
        )
      })}
      {after > 0 ? <li aria-hidden style={{ height: after }} /> : null}
    </ul>
  )
}
