import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { MessageSquare, Pin } from 'lucide-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue } from 'react'
import { usePagedList } from '../../app/data.ts'
import type { ConversationSummary } from '../../app/types.ts'
import { SearchField } from '../../ui/field.tsx'
import { Fetched, More, Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useHiddenPaths } from '../../ui/undo.tsx'
import { useMoves } from '../../ui/use-keys.ts'
import { useWords } from '../../locales/words.tsx'
import { ConversationMenu, conversationPath } from './conversation-menu.tsx'

/** All conversations of the user, newest first. J and K move, Enter opens. */
export default function ConversationsPage() {
  const { words } = useWords()
  const { search = '', kept } = useSearch({ from: '/conversations' })
  const navigate = useNavigate()
  const shown = kept === 'pinned' ? kept : undefined
  const asked = new URLSearchParams({
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(shown === undefined ? {} : { pinned: 'true' }),
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
          onChange={(text) =>
            void navigate({
              to: '/conversations',
              search: { search: text, ...(kept === undefined ? {} : { kept }) },
              replace: true,
            })
          }
        />
        {([undefined, 'pinned'] as const).map((one) => (
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
      <More query={conversations} />
    </Page>
  )
}

/** Height of a line in rem: measuring each line costs more than rendering it. */
const ROW = 49 / 16

/** Up to this length a list is rendered in full, so that browser search and printing include it. */
const SHORT = 200

function List({ items }: { items: readonly ConversationSummary[] }) {
  const { formats } = useWords()
  const list = useMoves<HTMLUListElement>()
  const isLong = items.length > SHORT
  const virtual = useVirtualizer({
    count: isLong ? items.length : 0,
    getScrollElement: () => list.current?.closest('[data-scrolls]') ?? null,
    estimateSize: () => ROW * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    overscan: 10,
  })
  const drawn = virtual.getVirtualItems()
  const before = drawn[0]?.start ?? 0
  const after = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)
  const style = isLong ? { height: `${ROW}rem` } : undefined
  const shown = isLong ? drawn.map(({ index }) => items[index]!) : items
  return (
    <ul ref={list} className="card">
      {before > 0 ? <li aria-hidden style={{ height: before }} /> : null}
      {shown.map((one) => (
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
      ))}
      {after > 0 ? <li aria-hidden style={{ height: after }} /> : null}
    </ul>
  )
}
