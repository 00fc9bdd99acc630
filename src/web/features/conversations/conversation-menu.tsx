import { useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, Pencil, Pin, PinOff, Printer, Share2, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState, type ReactElement } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import type { ConversationSummary } from '../../app/types.ts'
import { deleteLater } from '../../ui/undo.tsx'
import { LoadingMark, ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

const Share = lazyComponent(() => import('./share-dialog.tsx'), <LoadingMark />)
const Rename = lazyComponent(() => import('./rename-dialog.tsx'), <LoadingMark />)

export type ListedConversation = Pick<ConversationSummary, 'conversationId' | 'title' | 'isPinned'>

interface ConversationMenuProps {
  /** The conversation as listed. */
  readonly conversation: ListedConversation
  /** The shown branch, which is what is shared and exported. */
  readonly shownId?: string
  /** Whether it has messages to share or export. */
  readonly hasMessages: boolean
  /** The conversation is open, so the page must close when it is deleted. */
  readonly isOpen?: boolean
}

interface Change {
  readonly title?: string
  readonly pinned?: boolean
}

interface OpenMenuProps extends ConversationMenuProps {
  readonly button: ReactElement
}

/**
 * Menu of a conversation. Users who may only read can export it. Renders only a button until it is pressed, since long
 * lists have many menus.
 */
export function ConversationMenu(props: ConversationMenuProps) {
  const { words } = useWords()
  const { conversation, hasMessages, isOpen = false } = props
  const mayChange = useMayChange()
  const [isPressed, press] = useState(false)
  if (!mayChange && !hasMessages) return null
  const button = (
    <IconButton
      icon={Ellipsis}
      label={isOpen ? words.conversations.more : `${words.conversations.more}: ${conversation.title}`}
      aria-haspopup="menu"
      title={words.conversations.more}
      onClick={() => press(true)}
    />
  )
  return isPressed ? <OpenMenu {...props} button={button} /> : button
}

function OpenMenu({ conversation, shownId, hasMessages, isOpen = false, button }: OpenMenuProps) {
  const { words, language } = useWords()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { conversationId, title, isPinned } = conversation
  const shown = shownId ?? conversationId
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const [opened, open] = useState<'share' | 'rename' | undefined>()
  const close = (): void => open(undefined)
  const change = useChange(async (to: Change) => {
    // The shown branch has the same title as the conversation.
    const ids = to.title === undefined ? [conversationId] : [...new Set([conversationId, shown])]
    for (const id of ids) await api.patch(conversationPath(id), to)
  }, '/conversations')
  /** Reset the error of a previous action. */
  const openRename = (to: 'rename' | undefined): void => {
    change.reset()
    open(to)
  }
  const remove = (): void => {
    deleteLater(conversationPath(conversationId), words.conversations.removed({ title }), '/conversations')
    if (isOpen) void navigate({ to: '/' })
  }
  const { error } = change
  return (
    <>
      <Menu button={button} defaultOpen>
        {mayChange ? (
          <>
            <MenuItem icon={Pencil} label={words.conversations.rename} onSelect={() => openRename('rename')} />
            <MenuItem
              icon={isPinned ? PinOff : Pin}
              label={isPinned ? words.conversations.unpin : words.conversations.pin}
              onSelect={() => change.mutate({ pinned: !isPinned })}
            />
          </>
        ) : null}
        {mayChange && hasMessages ? (
          <MenuItem icon={Share2} label={words.conversations.share} onSelect={() => open('share')} />
        ) : null}
        {hasMessages ? (
          <DropdownMenu.Item asChild>
            <a
              href={`${conversationPath(shown)}/export?language=${language}&zone=${encodeURIComponent(zone)}`}
              download
            >
              <Download size={16} aria-hidden />
              {words.answer.export}
            </a>
          </DropdownMenu.Item>
        ) : null}
        {hasMessages && isOpen ? (
          <MenuItem icon={Printer} label={words.reading.print} onSelect={() => setTimeout(print)} />
        ) : null}
        {mayChange ? (
          <>
            <MenuSeparator />
            <MenuItem icon={Trash2} label={words.conversations.remove} onSelect={remove} />
          </>
        ) : null}
      </Menu>
      {error === null || opened === 'rename' ? null : (
        <div className="fixed right-4 bottom-20 left-4 z-40 sm:left-auto md:bottom-4">
          <ErrorBanner error={error} />
        </div>
      )}
      {opened === 'share' ? <Share conversationId={shown} close={close} /> : null}
      {opened === 'rename' ? (
        <Rename
          title={title}
          rename={(to) => change.mutateAsync({ title: to })}
          error={error}
          close={() => openRename(undefined)}
        />
      ) : null}
    </>
  )
}

export function conversationPath(conversationId: string): string {
  return `/conversations/${encodeURIComponent(conversationId)}`
}
