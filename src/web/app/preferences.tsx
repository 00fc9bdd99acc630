import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Settings2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Avatar } from '../ui/avatar.tsx'
import { useWords } from '../locales/words.tsx'
import { useIsAdmin, useSession, useSignOut } from './session.ts'

/** User menu: settings, guide and sign-out. */
export function Preferences() {
  const { words } = useWords()
  // In front of a drawer is only what stands within it.
  const [drawer, setDrawer] = useState<HTMLElement | null>(null)
  const session = useSession()
  const isAdmin = useIsAdmin()
  const signOut = useSignOut()
  const name = session?.person?.displayName ?? session?.person?.username
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="nav mt-2 h-11! w-full flex-none"
        ref={(button) => setDrawer(button?.closest('dialog') ?? null)}
      >
        {session?.person === undefined ? (
          <Settings2 size={16} aria-hidden />
        ) : (
          <Avatar name={session.person.displayName} />
        )}
        <span className="min-w-0 text-left">
          <span className="cut block" title={name}>
            {name ?? words.settings.title}
          </span>
          {session?.person === undefined ? null : (
            <span className="block text-11 font-normal text-text-3">{words.role[session.person.role]}</span>
          )}
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={drawer}>
        <DropdownMenu.Content className="menu" side="top" align="start" sideOffset={6} collisionPadding={8}>
          <DropdownMenu.Item asChild>
            <Link to="/settings">{words.settings.title}</Link>
          </DropdownMenu.Item>
          {isAdmin ? (
            <DropdownMenu.Item asChild>
              <Link to="/setup">{words.reading.connectSources}</Link>
            </DropdownMenu.Item>
          ) : null}
          <DropdownMenu.Item asChild>
            <a href="/guide">{words.palette.guide}</a>
          </DropdownMenu.Item>
          {session?.caller?.kind === 'person' ? (
            <>
              <DropdownMenu.Separator className="my-1 h-px bg-line" />
              <DropdownMenu.Item onSelect={() => signOut.mutate()}>{words.nav.signOut}</DropdownMenu.Item>
            </>
          ) : null}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
